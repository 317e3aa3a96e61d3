//! Another engine's layout, with every second cell smaller and fainter.
//!
//! Change `prepare` first: the base places everything, then this engine changes it. The parameters
//! are above it, the engine's name is at the top.

#![deny(unsafe_code)]

#[path = ".tessera/tessera.rs"]
mod tessera;

use tessera::*;

struct ExampleLayout {
    every: Parameter<i64>,
    fade: Parameter<f64>,
    inset: Parameter<f64>,
}

impl Layout for ExampleLayout {
    const IDENTITY: Identity = Identity {
        id: "org.example.example-layout",
        name: "Example Layout",
        version: "0.1.0",
        author: "Example Author",
        license: "LicenseRef-Example",
        summary: "Every second cell smaller and fainter.",
    };
    const BASE: Option<BaseEngine> =
        Some(BaseEngine { id: "org.example.base", version: Some("9.8.7") });
    const COLUMNS: Columns = Columns::ALPHA;

    /// Right to left is the mirror: `tessera check` tests it. If the base has them, add
    /// `Laws::APPENDS` and `Laws::SCALES`.
    const TRAITS: Traits = Traits::MIRRORS;

    /// Users can set these, and the base's parameters.
    fn new(declare: &mut Declare<Self>) -> Self {
        let every = parameter("every", 2, "Changes one of this many cells.");
        let fade = parameter("fade", 0.5, "Opacity of a changed cell.");
        let inset = parameter("inset", 6.0, "How far the edges of a changed cell move inwards.");
        ExampleLayout {
            every: declare.add(every.within(1, 1000)),
            fade: declare.add(fade.within(0.0, 1.0)),
            inset: declare.add(inset.unit("pt").within(0.0, 1000.0)),
        }
    }
}

impl Preparing for ExampleLayout {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        // Override the base's parameters, values and lists here.
        input.base()?.prepare(output)?;
        let (fade, inset) = (input.get(self.fade), input.get(self.inset));
        let every = input.get(self.every) as usize;
        output.each_run(|run, rows| {
            if !run.is_cells() {
                return Ok(());
            }
            for (row, frame) in rows.frames.iter_mut().enumerate() {
                if (run.first_item + row + 1) % every == 0 {
                    *frame = shrunk(*frame, inset);
                    rows.alphas[row] *= fade;
                }
            }
            Ok(())
        })
    }
}

/// Insets all edges, at most to the middle.
fn shrunk(from: Rect, inset: f64) -> Rect {
    let (x, y) = (inset.min(from.width / 2.0), inset.min(from.height / 2.0));
    Rect::new(from.x + x, from.y + y, from.width - 2.0 * x, from.height - 2.0 * y)
}

tessera::export!(ExampleLayout);
