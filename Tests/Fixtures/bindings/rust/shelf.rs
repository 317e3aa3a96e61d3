//! Items of their own sizes on shelves, under a header for each section.

use crate::tessera::*;
use std::ops::Range;

crate::tessera::choices! {
    pub enum Alignment { Bottom = "bottom", Middle = "middle", Top = "top" }
}

pub struct Shelf {
    per_shelf: Parameter<i64>,
    headers: Parameter<bool>,
    align: Parameter<Alignment>,
    origin: Parameter<Point>,
    header_frame: Parameter<Rect>,
    margin: Parameter<Insets>,
    gaps: SectionValues<f64>,
    sizes: ItemValues<Size>,
    breaks_before: Delegate<fn(u32, u32) -> bool>,
    shelf_number: Attribute<i64>,
    header: Kind,
    shelves: i64,
    width: f64,
}

impl Layout for Shelf {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-shelf",
        name: "Shelf",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Items of their own sizes on shelves.",
    };
    const TRAITS: Traits = Traits::MIRRORS;

    fn new(declare: &mut Declare<Self>) -> Self {
        let gap = declare.add(
            parameter("gap", 8.0, "Space between neighbours and between shelves.")
                .unit("pt")
                .at_least(0.0),
        );
        let per_shelf = declare
            .add(parameter("perShelf", 0, "Most items on a shelf; 0: as many as fit.").at_least(0));
        let headers = declare.add(parameter("headers", true, "Whether sections have a header."));
        let align = parameter("align", Alignment::Bottom, "Where items lie that are lower than their shelf.");
        let align = declare.add(align);
        let origin = declare.add(
            parameter("origin", Point::new(0.0, 0.0), "Where the first section begins.")
                .unit("pt")
                .at_least(0.0),
        );
        let item_size = declare.add(
            parameter("itemSize", Size::new(60.0, 40.0), "Size of an item that has none of its own.")
                .unit("pt")
                .at_least(0.0),
        );
        let header_frame = Rect::new(0.0, 0.0, 100.0, 24.0);
        declare.publish("shelfCount", Shelf::count_shelves, "How many shelves there are.");
        declare.publish("elementsIn", Shelf::count_elements, "How many elements meet a rectangle.");
        Shelf {
            per_shelf,
            headers,
            align,
            origin,
            header_frame: declare.add(
                parameter("headerFrame", header_frame, "Where a header lies, from where its section begins.")
                    .unit("pt")
                    .at_least(0.0),
            ),
            margin: declare.add(
                parameter("margin", Insets::new(4.0, 4.0, 4.0, 4.0), "Room around the items of a section.")
                    .unit("pt")
                    .at_least(0.0),
            ),
            gaps: declare.add(section_values("gap", "The section's own gap.").fallback(gap)),
            sizes: declare.add(item_values("size", "The item's own size.").fallback(item_size)),
            breaks_before: declare.add(delegate("breaksBefore", "Whether an item begins a shelf.")),
            shelf_number: declare.add(
                attribute("shelf", 0, "The item's shelf in its section.")
                    .interpolation(Interpolation::Step),
            ),
            header: declare.add(supplementary("header")),
            shelves: 0,
            width: 0.0,
        }
    }
}

impl Reusable for Shelf {
    fn still_valid(&mut self, input: &Input) -> bool {
        input.extent().width == self.width
    }
}

impl Preparing for Shelf {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        self.width = input.extent().width;
        self.shelves = 0;
        let start = input.get(self.origin);
        let mut content = Size::new(self.width, start.y);
        for (section, items) in input.sections().enumerate() {
            if input.get(self.headers) {
                let frame = input.get(self.header_frame);
                output.add_at(
                    Run::element(self.header, section),
                    Rect::new(start.x + frame.x, content.height + frame.y, frame.width, frame.height),
                )?;
                content.width = content.width.max(start.x + frame.x + frame.width);
                content.height += frame.y + frame.height;
            }
            let rows = output.add(Run::cells(section, 0..items.len()))?;
            self.place(input, section, items.clone(), rows, &mut content)?;
            output.progress(items.end as f64 / (input.item_count() + 1) as f64)?;
        }
        output.set_content_size(content)
    }
}

impl Shelf {
    fn count_shelves(&mut self, _host: Host) -> Result<i64, Failure> {
        Ok(self.shelves)
    }

    fn count_elements(&mut self, host: Host, rect: Rect) -> Result<u64, Failure> {
        Ok(host.placed(rect)?.iter().map(|(run, _)| run.count as u64).sum())
    }

    /// Places the cells of a section below what there is, and makes the content larger by them.
    fn place(
        &mut self, input: &Input, section: usize, items: Range<usize>, mut rows: Rows,
        content: &mut Size,
    ) -> Result<(), Failure> {
        let sizes = input.get(self.sizes).slice(items);
        let around = input.get(self.margin);
        let gap = input.get(self.gaps).at(section);
        let (left, right) = (input.get(self.origin).x + around.left, self.width - around.right);
        let most = input.get(self.per_shelf) as usize;
        let breaks = input.get(self.breaks_before);
        let numbers = rows.attributes.column(self.shelf_number);
        if gap < 0.0 {
            return Err(Failure::invalid_value(format!(
                "gap of section {section} is {gap}; it must not be negative"
            )));
        }

        let (mut first, mut number) = (0, 0);
        content.height += around.top;
        while first < sizes.len() {
            if number > 0 {
                content.height += gap;
            }
            let (mut end, mut x, mut height) = (first, left, 0f64);
            while end < sizes.len() && (most == 0 || end - first < most) {
                let size = sizes.at(end);
                if size.width < 0.0 || size.height < 0.0 {
                    return Err(Failure::invalid_value(format!(
                        "size of item {end} in section {section} is {size}; width and height must \
                         not be negative"
                    )));
                }
                if end > first {
                    let is_full = x + gap + size.width > right + 1e-6;
                    if is_full || breaks.as_ref().is_some_and(|f| f.call(section as u32, end as u32)) {
                        break;
                    }
                    x += gap;
                }
                rows.frames[end] = Rect::new(x, 0.0, size.width, size.height);
                x += size.width;
                height = height.max(size.height);
                end += 1;
            }
            let low = match input.get(self.align) {
                Alignment::Bottom => 1.0,
                Alignment::Middle => 0.5,
                Alignment::Top => 0.0,
            };
            for frame in &mut rows.frames[first..end] {
                frame.y = content.height + low * (height - frame.height);
            }
            numbers[first..end].fill(number);
            content.width = content.width.max(x + around.right);
            content.height += height;
            first = end;
            number += 1;
        }
        content.height += around.bottom;
        self.shelves += number;
        Ok(())
    }
}
