//! Lines of equal height, which answer for themselves: nothing is stored for an item.

use crate::tessera::*;

pub struct Ticks {
    height: Parameter<f64>,
}

impl Layout for Ticks {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-ticks",
        name: "Ticks",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Lines of equal height, never stored.",
    };
    const TRAITS: Traits = Traits::MIRRORS;

    fn new(declare: &mut Declare<Self>) -> Self {
        let height = parameter("height", 10.0, "Height of a line.").unit("pt").within(0.5, 1000.0);
        Ticks { height: declare.add(height) }
    }
}

impl Preparing for Ticks {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let height = input.item_count() as f64 * input.get(self.height);
        output.set_content_size(Size::new(input.extent().width, height))
    }
}

impl Lazy for Ticks {
    fn elements_in_rect(
        &mut self, input: &Input, rect: Rect, output: &mut Output,
    ) -> Result<(), Failure> {
        // A line more at both ends, for rounding; the host drops what does not meet the rectangle.
        // A float beyond the integers becomes the last of them.
        let height = input.get(self.height);
        let first = ((rect.y / height).floor() - 1.0) as usize;
        let last = (((rect.y + rect.height) / height).ceil() + 1.0) as usize;
        for (section, items) in input.sections().enumerate() {
            let (from, to) = (first.max(items.start), last.min(items.end));
            if from < to {
                let run = Run::cells(section, from - items.start..to - items.start);
                self.add(input, run, output)?;
            }
        }
        Ok(())
    }

    fn element(&mut self, input: &Input, run: Run, output: &mut Output) -> Result<(), Failure> {
        let is_there = run.is_cells()
            && run.section < input.section_count()
            && run.first_item < input.items(run.section).len();
        if is_there {
            self.add(input, run, output)?;
        }
        Ok(())
    }
}

impl Ticks {
    fn add(&self, input: &Input, run: Run, output: &mut Output) -> Result<(), Failure> {
        let (width, height) = (input.extent().width, input.get(self.height));
        let before = input.items(run.section).start + run.first_item;
        for (row, frame) in output.add(run)?.frames.iter_mut().enumerate() {
            *frame = Rect::new(0.0, (before + row) as f64 * height, width, height);
        }
        Ok(())
    }
}
