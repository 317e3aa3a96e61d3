//! Rows of cells laid like bricks: every second row is shifted by half a cell.
//!
//! Change `prepare` first, which places every cell. The parameters are above it, the engine's name
//! is at the top.

#![deny(unsafe_code)]

#[path = ".tessera/tessera.rs"]
mod tessera;

use tessera::*;

struct ExampleLayout {
    item_size: Parameter<Size>,
    spacing: Parameter<f64>,
}

impl Layout for ExampleLayout {
    const IDENTITY: Identity = Identity {
        id: "org.example.example-layout",
        name: "Example Layout",
        version: "0.1.0",
        author: "Example Author",
        license: "LicenseRef-Example",
        summary: "Rows of cells, every second one shifted by half a cell.",
    };

    /// Guarantees that `tessera check` tests; remove broken ones: right to left is the mirror,
    /// later items and empty sections at the end move nothing, the scale only rounds.
    const TRAITS: Traits = Traits::MIRRORS;
    const LAWS: Laws = Laws::FLOWS.and(Laws::APPENDS).and(Laws::SCALES);

    /// The host rejects values out of range: `prepare` never gets a cell without a width. Declare
    /// `item_values`, `section_values` and `list` likewise.
    fn new(declare: &mut Declare<Self>) -> Self {
        let item_size = parameter("itemSize", Size::new(60.0, 40.0), "Size of every cell.");
        let spacing = parameter("spacing", 6.0, "Space between neighbours, in both directions.");
        ExampleLayout {
            item_size: declare.add(item_size.unit("pt").within(1.0, 10000.0)),
            spacing: declare.add(spacing.unit("pt").within(0.0, 1000.0)),
        }
    }
}

impl Preparing for ExampleLayout {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let (cell, spacing) = (input.get(self.item_size), input.get(self.spacing));
        let pitch = Size::new(cell.width + spacing, cell.height + spacing);
        let shift = pitch.width / 2.0;

        // The columns that fit into the bounds beside the shift, at least one.
        let extent = input.extent().width;
        let columns = ((extent + spacing - shift) / pitch.width).floor().max(1.0);

        let mut content = Size::new(extent, 0.0);
        let (mut row, mut column) = (0u64, 0u64);
        for (section, items) in input.sections().enumerate() {
            // A section starts a new row.
            if column > 0 {
                (row, column) = (row + 1, 0);
            }
            for frame in output.add(Run::cells(section, 0..items.len()))?.frames {
                let x = column as f64 * pitch.width + if row % 2 == 1 { shift } else { 0.0 };
                *frame = Rect::new(x, row as f64 * pitch.height, cell.width, cell.height);
                content.width = content.width.max(x + cell.width);
                content.height = frame.y + cell.height;
                column += 1;
                if column as f64 >= columns {
                    (row, column) = (row + 1, 0);
                }
            }
        }
        output.set_content_size(content)
    }
}

tessera::export!(ExampleLayout);
