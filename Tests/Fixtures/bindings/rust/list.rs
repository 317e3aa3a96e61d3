//! Items under one another, as high as their content says, below a header; only what follows a change
//! is redone. Every second item may use half of the width.

use crate::tessera::*;

pub struct List {
    estimated: Parameter<f64>,
    estimated_header: Parameter<f64>,
    heights: ItemValues<f64>,
    header_heights: SectionValues<f64>,
    row_count: Attribute<i64>,
    header: Kind,
    prepared_width: f64,
}

impl Layout for List {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-list",
        name: "List",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Items as high as their content says.",
    };
    const TRAITS: Traits = Traits::MIRRORS.and(Traits::INCREMENTAL);

    fn new(declare: &mut Declare<Self>) -> Self {
        let estimated = declare.add(
            parameter("estimatedHeight", 0.0, "Height until an item is measured; 0: none is.")
                .unit("pt")
                .at_least(0.0),
        );
        let estimated_header = declare.add(
            parameter("estimatedHeaderHeight", 0.0, "The same for headers.")
                .unit("pt")
                .at_least(0.0),
        );
        let row_height = declare.add(
            parameter("rowHeight", 44.0, "Height of an item that has none of its own.")
                .unit("pt")
                .at_least(0.0),
        );
        let heights = item_values("height", "The item's own height.").fallback(row_height);
        let row_count = declare.add(
            attribute("rowCount", 0i64, "How many items a header is for.")
                .unit("d")
                .interpolation(Interpolation::Step),
        );
        List {
            estimated,
            estimated_header,
            heights: declare.add(heights),
            header_heights: declare
                .add(section_values("headerHeight", "The header's height; 0: there is none.")),
            row_count,
            header: declare.add(supplementary("header").role(Role::Header).shows(row_count)),
            prepared_width: -1.0,
        }
    }
}

impl Preparing for List {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let width = input.extent().width;
        let is_comparable = !input.change().parameters() && width == self.prepared_width;
        self.prepared_width = width;
        let mut y = 0.0;
        for (section, items) in input.sections().enumerate() {
            let own = input.get(self.header_heights).at(section);
            if own > 0.0 {
                let mut rows = output.add(Run::element(self.header, section))?;
                rows.frames[0] = Rect::new(0.0, y, width, own);
                rows.attributes.column(self.row_count)[0] = items.len() as i64;
                y += own;
            }
            let rows = output.add(Run::cells(section, 0..items.len()))?;
            let mut kept = 0;
            if is_comparable {
                kept = rows.kept.min(input.change().unchanged_items(section));
            }
            if kept > 0 && rows.frames[0].y != y {
                kept = 0;
            }
            if kept > 0 {
                y = rows.frames[kept - 1].y + rows.frames[kept - 1].height;
            }
            let heights = input.get(self.heights).slice(items);
            for (item, frame) in rows.frames.iter_mut().enumerate().skip(kept) {
                let height = heights.at(item);
                if height < 0.0 {
                    return Err(Failure::invalid_value(format!(
                        "height of item {item} in section {section} is {height}; it must not be \
                         negative"
                    )));
                }
                *frame = Rect::new(0.0, y, width, height);
                y += height;
            }
        }
        output.set_content_size(Size::new(width, y))
    }
}

impl Sizing for List {
    const MEASURED: &'static [Measured] = &[
        Measured { value: "height", kind: None },
        Measured { value: "headerHeight", kind: Some("header") },
    ];

    fn estimates(
        &mut self, input: &Input, run: Run, sizes: &mut [Size],
    ) -> Result<usize, Failure> {
        let is_header = run.is(self.header);
        let height = input.get(if is_header { self.estimated_header } else { self.estimated });
        if height == 0.0 {
            return Ok(0);
        }
        sizes[0] = Size::new(input.extent().width, height);
        Ok(1)
    }

    fn proposals(
        &mut self, input: &Input, run: Run, sizes: &mut [Size],
    ) -> Result<usize, Failure> {
        let width = input.extent().width;
        for (i, size) in sizes.iter_mut().enumerate() {
            let is_half = !run.is(self.header) && (run.first_item + i) % 2 == 1;
            *size = Size::new(if is_half { width / 2.0 } else { width }, 0.0);
        }
        Ok(sizes.len())
    }
}

/// What appears comes from the left.
impl Updating for List {
    fn initial_attributes(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let width = input.extent().width;
        output.each_run(|_, rows| {
            rows.frames.iter_mut().for_each(|frame| frame.x -= width);
            Ok(())
        })
    }
}

/// The item whose rows the point is in, of the same section; else what the host proposes.
impl Reordering for List {
    fn target(
        &mut self, input: &Input, dragged: Place, at: Point, proposed: Place,
    ) -> Result<Place, Failure> {
        let found = input.host().placed(Rect::new(at.x, at.y, 1.0, 1.0))?;
        let run = found.iter().map(|(run, _)| run).find(|run| run.section == dragged.section);
        Ok(run.map_or(proposed, |run| Place { section: run.section, item: run.first_item }))
    }
}
