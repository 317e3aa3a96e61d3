// ribbon.rs: items in lines that run to and fro, like a ribbon that is folded at the edges. Incremental: after a change it lays out
// only what follows.
mod tessera;
use tessera::*;

const MOST: f64 = 1e7;
const EVERY: usize = 4;

// Where the next item begins.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Pen {
    line: i64,   // of the section
    along: f64,  // from the beginning of the line
    top: f64,    // of the line
    height: f64, // of the line so far
    right: f64,  // how far the section's items reach
}

struct Section {
    start: f64,     // where it begins
    end: f64,       // where the next one begins
    right: f64,     // how far its items reach
    lines: i64,
    count: usize,
    pens: Vec<Pen>, // before item 0, EVERY, 2·EVERY, …
}

struct Ribbon {
    item_size: Parameter<Size>,
    estimated: Parameter<Size>,
    spacing: Parameter<f64>,
    line_spacing: Parameter<f64>,
    folds: Parameter<bool>,
    inset_default: Parameter<Insets>,
    footer_default: Parameter<f64>,
    inset: SectionValues<Insets>,
    footer: SectionValues<f64>,
    size: ItemValues<Size>,
    emphasis: ItemValues<f64>,
    breaks: Delegate<fn(u32, u64) -> bool>,
    line: Attribute<i64>,
    backwards: Attribute<bool>,
    total: Kind,
    sections: Vec<Section>,
    width: f64,
    drops: bool,
}

impl Layout for Ribbon {
    const IDENTITY: Identity = Identity {
        id: "org.example.ribbon",
        name: "Ribbon",
        version: "1.0.0",
        author: "Somebody",
        license: "MIT",
        summary: "Items in lines that run to and fro.",
    };
    const TRAITS: Traits = Traits::INCREMENTAL;
    const LAWS: Laws = Laws::APPENDS.and(Laws::SCALES).and(Laws::FLOWS);
    const COLUMNS: Columns = Columns::ALPHA.and(Columns::Z_INDEX);

    fn new(declare: &mut Declare<Self>) -> Self {
        let item_size = declare.add(
            parameter("itemSize", Size::new(60.0, 40.0), "Size of an item without a size of its own.")
                .unit("pt")
                .within(0.0, 100000.0),
        );
        let inset_default = declare.add(
            parameter("sectionInset", Insets::new(5.0, 10.0, 5.0, 10.0), "Room around the items of a section.")
                .unit("pt")
                .within(0.0, 10000.0),
        );
        let footer_default = declare.add(
            parameter("footerHeight", 0.0, "Height of a section's footer; 0 for none.").unit("pt").within(0.0, 10000.0),
        );
        let line = declare.add(attribute("line", -1i64, "The line of the section in which the item lies."));
        let backwards = declare.add(
            attribute("backwards", false, "Whether the item's line runs backwards.").interpolation(Interpolation::Step),
        );
        declare.publish("lineCount", Ribbon::line_count, "The number of lines of a section.");
        declare.publish("sectionFrame", Ribbon::section_frame, "The room that a section takes.");
        declare.publish("itemsIn", Ribbon::items_in, "The number of cells in a rect.");
        Ribbon {
            item_size,
            inset_default,
            footer_default,
            estimated: declare.add(
                parameter("estimatedSize", Size::new(0.0, 0.0), "Size until an item is measured; 0 wide: not measured.")
                    .unit("pt")
                    .within(0.0, 100000.0),
            ),
            spacing: declare.add(
                parameter("spacing", 6.0, "Space between the items of a line.").unit("pt").within(0.0, 10000.0),
            ),
            line_spacing: declare.add(
                parameter("lineSpacing", 6.0, "Space between lines.").unit("pt").within(0.0, 10000.0),
            ),
            folds: declare.add(parameter("folds", true, "Whether every other line runs backwards.")),
            inset: declare.add(
                section_values("sectionInset", "Room around the section's items.").fallback(inset_default),
            ),
            footer: declare.add(section_values("footerHeight", "Height of the footer.").fallback(footer_default)),
            size: declare.add(item_values("size", "The item's size.").fallback(item_size)),
            emphasis: declare.add(item_values("emphasis", "0: as it is; up to 1: transparent.")),
            breaks: declare.add(delegate("breaksBefore", "Whether a line begins with the item.")),
            total: declare.add(supplementary("footer").role(Role::Footer)),
            line,
            backwards,
            sections: Vec::new(),
            width: 0.0,
            drops: false,
        }
    }
}

fn length(given: f64) -> f64 {
    given.clamp(0.0, MOST)
}

impl Preparing for Ribbon {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let change = input.change();
        let width = input.extent().width;
        // What a change of these does cannot be told from the items that changed.
        let fresh = change.everything() || change.bounds() || change.parameters();
        let (spacing, line_spacing, folds) =
            (input.get(self.spacing), input.get(self.line_spacing), input.get(self.folds));
        let (sizes, emphasis) = (input.get(self.size), input.get(self.emphasis));
        let (insets, footers) = (input.get(self.inset), input.get(self.footer));
        let breaks = input.get(self.breaks);
        let rtl = input.right_to_left();
        let total = input.item_count();
        let mut old = std::mem::take(&mut self.sections);
        old.truncate(input.section_count());
        if fresh || breaks.is_some() {
            old.clear();
        }
        let mut at = 0.0;
        let mut reach = width;
        let mut made: Vec<Section> = Vec::with_capacity(input.section_count());
        let mut old = old.into_iter();
        for (section, items) in input.sections().enumerate() {
            let inset = insets.at(section);
            let inset = Insets::new(length(inset.top), length(inset.left), length(inset.bottom), length(inset.right));
            let room = (width - inset.left - inset.right).max(0.0);
            let before = old.next();
            let mut rows = output.add(Run::cells(section, 0..items.len()))?;
            let unchanged = change.unchanged_items(section).min(items.len()).min(rows.kept);
            let (mut first, mut pens) = match before {
                Some(before) if before.start == at && unchanged > 0 => {
                    let mut pens = before.pens;
                    let whole = (unchanged / EVERY).min(pens.len().saturating_sub(1));
                    pens.truncate(whole + 1);
                    (whole * EVERY, pens)
                }
                _ => (0, Vec::new()),
            };
            let mut pen = match pens.pop() {
                Some(pen) => pen,
                None => {
                    first = 0;
                    Pen { line: 0, along: 0.0, top: at + inset.top, height: 0.0, right: 0.0 }
                }
            };
            for item in first..items.len() {
                if item % EVERY == 0 {
                    pens.push(pen);
                }
                if item % 4096 == 0 {
                    input.host().progress((items.start + item) as f64 / total as f64)?;
                }
                let size = sizes.at(items.start + item);
                let size = Size::new(length(size.width), length(size.height));
                let breaks = breaks.as_ref().is_some_and(|breaks| breaks.call(section as u32, item as u64));
                if pen.along > 0.0 && (breaks || pen.along + size.width > room + 1e-6) {
                    pen.top += pen.height + line_spacing;
                    pen.line += 1;
                    pen.along = 0.0;
                    pen.height = 0.0;
                }
                let backwards = folds && pen.line % 2 == 1;
                // An item wider than the room begins at the left of it.
                let x = if backwards { (room - pen.along - size.width).max(0.0) } else { pen.along };
                rows.frames[item] = Rect::new(inset.left + x, pen.top, size.width, size.height);
                rows.alphas[item] = 1.0 - emphasis.at(items.start + item).clamp(0.0, 1.0);
                rows.z_indexes[item] = (pen.line % 2) as i32;
                rows.attributes.column(self.line)[item] = pen.line;
                rows.attributes.column(self.backwards)[item] = backwards.into();
                pen.right = pen.right.max(inset.left + x + size.width);
                pen.along += size.width + spacing;
                pen.height = pen.height.max(size.height);
            }
            if !rtl {
                rows.leave(first.min(rows.kept));
            }
            let mut end = pen.top + pen.height + inset.bottom;
            if items.is_empty() {
                end = at + inset.top + inset.bottom;
            }
            let footer = length(footers.at(section));
            if footer > 0.0 {
                output.add_at(Run::element(self.total, section), Rect::new(0.0, end, width, footer))?;
                end += footer;
            }
            reach = reach.max(pen.right);
            let lines = if items.is_empty() { 0 } else { pen.line + 1 };
            made.push(Section { start: at, end, right: pen.right, lines, count: items.len(), pens });
            at = end;
        }
        // Right to left, everything is mirrored at the end, because the width is known only now.
        if rtl {
            for index in 0..output.run_count() {
                let (_, rows) = output.get(index)?;
                for frame in rows.frames {
                    frame.x = reach - frame.x - frame.width;
                }
            }
            for section in &mut made {
                section.pens.clear();
            }
        }
        self.sections = made;
        self.width = reach;
        output.set_content_size(Size::new(reach, at))
    }
}

impl Sizing for Ribbon {
    const MEASURED: &'static [Measured] = &[Measured { value: "size", kind: None }];
    fn estimates(&mut self, input: &Input, _run: Run, sizes: &mut [Size]) -> Result<usize, Failure> {
        let estimated = input.get(self.estimated);
        if estimated.width <= 0.0 {
            return Ok(0);
        }
        sizes[0] = estimated;
        Ok(1)
    }
    fn proposals(&mut self, input: &Input, run: Run, sizes: &mut [Size]) -> Result<usize, Failure> {
        let inset = input.get(self.inset).at(run.section);
        let room = input.extent().width - length(inset.left) - length(inset.right);
        sizes[0] = Size::new(room.max(0.0), 0.0);
        Ok(1)
    }
}

impl Updating for Ribbon {
    fn begin(&mut self, _input: &Input, updates: &[Update]) -> Result<(), Failure> {
        self.drops = updates.iter().any(|update| matches!(update, Update::InsertItem { .. }));
        Ok(())
    }
    fn initial_attributes(&mut self, _input: &Input, output: &mut Output) -> Result<(), Failure> {
        let drops = self.drops;
        output.each_run(|run, rows| {
            if run.is_cells() {
                for (frame, transform) in rows.frames.iter().zip(rows.transforms.iter_mut()) {
                    let down = if drops { -frame.height } else { 0.0 };
                    *transform = Transform::translation(0.0, down, 0.0);
                }
            }
            Ok(())
        })
    }
    fn final_attributes(&mut self, _input: &Input, output: &mut Output) -> Result<(), Failure> {
        output.each_run(|run, rows| {
            if run.is_cells() {
                rows.transforms.fill(Transform::scaling(0.4, 0.4, 1.0));
            }
            Ok(())
        })
    }
    fn end(&mut self) {
        self.drops = false;
    }
}

impl Ribbon {
    fn section(&self, section: u32) -> Result<&Section, Failure> {
        self.sections
            .get(section as usize)
            .ok_or_else(|| Failure::invalid_value(format!("there is no section {section}; give one that there is")))
    }
    fn line_count(&mut self, _host: Host, section: u32) -> Result<i64, Failure> {
        Ok(self.section(section)?.lines)
    }
    fn section_frame(&mut self, _host: Host, section: u32) -> Result<Rect, Failure> {
        let width = self.width;
        let found = self.section(section)?;
        Ok(Rect::new(0.0, found.start, width, found.end - found.start))
    }
    fn items_in(&mut self, host: Host, rect: Rect) -> Result<u64, Failure> {
        let found = host.placed(rect)?;
        Ok(found.iter().filter(|(run, _)| run.is_cells()).map(|(run, _)| run.count as u64).sum())
    }
}

tessera::export!(Ribbon);
