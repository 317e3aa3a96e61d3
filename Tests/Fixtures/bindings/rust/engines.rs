// The engines of ../cpp/engines.cpp.

#![deny(unsafe_code)]

#[path = "../../../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;

use std::ops::Range;
use tessera::*;

tessera::export!(Shelf, Lifted, Alternating, Ticks, List, Bands, Halved);

const fn example(id: &'static str, name: &'static str, summary: &'static str) -> Identity {
    Identity { id, name, version: "1.0.0", author: "The Tessera authors", license: "MIT", summary }
}

tessera::choices! {
    enum Alignment { Bottom = "bottom", Middle = "middle", Top = "top" }
}

struct Shelf {
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
    const IDENTITY: Identity =
        example("org.example.rust-shelf", "Shelf", "Items of their own sizes on shelves.");
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

tessera::choices! {
    enum Direction { Vertical = "vertical", Horizontal = "horizontal" }
}

struct Lifted {
    air: Parameter<f64>,
    lift: Parameter<f64>,
    fade: Parameter<f64>,
    tilt: Parameter<f64>,
    item_size: Inherited<Size>,
    line_spacing: Inherited<f64>,
    pins: [Inherited<bool>; 2],
}

impl Layout for Lifted {
    const IDENTITY: Identity =
        example("org.example.rust-lifted", "Lifted", "A flow with every third item taller.");
    const BASE: Option<BaseEngine> =
        Some(BaseEngine { id: "org.tessera.flow", version: Some("0.1.0") });
    const TRAITS: Traits = Traits::MIRRORS;
    const COLUMNS: Columns = Columns::ALPHA;
    const ADJUSTED_COLUMNS: Columns = Columns::TRANSFORM;

    fn new(declare: &mut Declare<Self>) -> Self {
        declare.add(inherited("scrollDirection").initially(Direction::Vertical).owned());
        Lifted {
            air: declare.add(parameter("air", 12.0, "Space between lines.").unit("pt").at_least(0.0)),
            lift: declare.add(
                parameter("lift", 20.0, "How much taller every third item is.").unit("pt").at_least(0.0),
            ),
            fade: declare.add(parameter("fade", 0.5, "Opacity of every second item.").within(0.0, 1.0)),
            tilt: declare.add(parameter("tilt", 0.0, "How far items are turned.").unit("rad")),
            item_size: declare.add(inherited("itemSize").initially(Size::new(100.0, 60.0))),
            line_spacing: declare.add(inherited("minimumLineSpacing")),
            pins: ["sectionHeadersPinToVisibleBounds", "sectionFootersPinToVisibleBounds"]
                .map(|name| declare.add(inherited(name))),
        }
    }
}

impl Preparing for Lifted {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let mut base = input.base()?;
        base.set(self.line_spacing, input.get(self.air))?;
        let lift = input.get(self.lift);
        base.set_item_values("size", |item, size: Size| {
            Size::new(size.width, if item % 3 == 0 { size.height + lift } else { size.height })
        })?;
        base.prepare(output)?;
        if input.get(self.tilt) == 0.0 && !base.get(self.pins[0])? && !base.get(self.pins[1])? {
            output.needs_no_adjust();
        }
        let fade = input.get(self.fade);
        output.each_run(|run, rows| {
            if run.is_cells() {
                rows.alphas.iter_mut().skip(1).step_by(2).for_each(|alpha| *alpha = fade);
            }
            Ok(())
        })
    }
}

impl Adjusting for Lifted {
    fn adjust(&mut self, input: &Input, rect: Rect, output: &mut Output) -> Result<(), Failure> {
        input.base()?.adjust(rect, output)?;
        let tilt = input.get(self.tilt);
        if tilt == 0.0 {
            return Ok(());
        }
        output.each_run(|run, rows| {
            if run.is_cells() {
                rows.transforms.fill(Transform::rotation(tilt));
            }
            Ok(())
        })
    }
}

impl Snapping for Lifted {
    fn resting_offset(
        &mut self, input: &Input, _velocity: Point, proposed: Point,
    ) -> Result<Point, Failure> {
        let height = input.base()?.get(self.item_size)?.height;
        let step = height + input.get(self.lift) + input.get(self.air);
        let y = if step > 0.0 { (proposed.y / step).floor() * step } else { proposed.y };
        Ok(Point::new(proposed.x, y))
    }
}

struct Alternating {
    every: Parameter<i64>,
}

impl Layout for Alternating {
    const IDENTITY: Identity =
        example("org.example.rust-alternating", "Alternating", "Pictures that fill every other cell.");
    const BASE: Option<BaseEngine> =
        Some(BaseEngine { id: "org.tessera.aspect-flow", version: Some("0.1.0") });
    const TRAITS: Traits = Traits::MIRRORS;

    fn new(declare: &mut Declare<Self>) -> Self {
        let every = parameter("every", 2, "Every how many items a picture fills its cell.");
        Alternating { every: declare.add(every.at_least(1)) }
    }
}

impl Preparing for Alternating {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let every = input.get(self.every);
        let mut base = input.base()?;
        base.set_function("layoutModeForItem", move |_section: u32, item: u32| -> u8 {
            (i64::from(item) % every == 0) as u8
        })?;
        base.prepare(output)
    }
}

struct Ticks {
    height: Parameter<f64>,
}

impl Layout for Ticks {
    const IDENTITY: Identity =
        example("org.example.rust-ticks", "Ticks", "Lines of equal height, never stored.");
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
        // One extra line at both ends, for rounding; the host drops surplus elements. Conversion
        // saturates.
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

struct List {
    estimated: Parameter<f64>,
    estimated_header: Parameter<f64>,
    heights: ItemValues<f64>,
    header_heights: SectionValues<f64>,
    row_count: Attribute<i64>,
    header: Kind,
    prepared_width: f64,
}

impl Layout for List {
    const IDENTITY: Identity =
        example("org.example.rust-list", "List", "Items as high as their content says.");
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

impl Updating for List {
    fn initial_attributes(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let width = input.extent().width;
        output.each_run(|_, rows| {
            rows.frames.iter_mut().for_each(|frame| frame.x -= width);
            Ok(())
        })
    }
}

impl Reordering for List {
    fn target(
        &mut self, input: &Input, dragged: Place, at: Point, proposed: Place,
    ) -> Result<Place, Failure> {
        let found = input.host().placed(Rect::new(at.x, at.y, 1.0, 1.0))?;
        let run = found.iter().map(|(run, _)| run).find(|run| run.section == dragged.section);
        Ok(run.map_or(proposed, |run| Place { section: run.section, item: run.first_item }))
    }
}

tessera::choices! {
    enum Side { Left = "left", Right = "right" }
}

struct Bands {
    bands: tessera::List,
    heights: ListColumn<f64>,
    shares: ListColumn<f64>,
    sides: ListColumn<Side>,
    parents: ListColumn<i64>,
    indents: Vec<f64>,
}

impl Layout for Bands {
    const IDENTITY: Identity =
        example("org.example.rust-bands", "Bands", "Bands that items take in turn.");
    const TRAITS: Traits = Traits::MIRRORS;

    fn new(declare: &mut Declare<Self>) -> Self {
        let bands = declare.add(list("bands", "The bands; without any, each is plain."));
        let height = parameter("height", 40.0, "How high the band is.").unit("pt").at_least(0.0);
        let share = parameter("share", 1.0, "The part of the width that it takes.").within(0.0, 1.0);
        let side = parameter("side", Side::Left, "Where it lies.");
        let parent = parameter("parent", -1i64, "The band before it that it is part of.");
        Bands {
            bands, heights: declare.add(bands.column(height)),
            shares: declare.add(bands.column(share)), sides: declare.add(bands.column(side)),
            parents: declare.add(bands.column(parent)), indents: Vec::new(),
        }
    }
}

impl Preparing for Bands {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let count = input.count(self.bands);
        if input.change().lists() {
            self.indents.clear();
            for parent in input.get(self.parents).iter() {
                let place = usize::try_from(parent).ok().and_then(|at| self.indents.get(at));
                self.indents.push(place.map_or(0.0, |indent| indent + 10.0));
            }
        }
        let (heights, shares) = (input.get(self.heights), input.get(self.shares));
        let sides = input.get(self.sides);
        let width = input.extent().width;
        let mut y = 0.0;
        for (section, items) in input.sections().enumerate() {
            let rows = output.add(Run::cells(section, 0..items.len()))?;
            for (row, item) in items.enumerate() {
                let (indent, share, height, side) = match item.checked_rem(count) {
                    Some(band) => {
                        (self.indents[band], shares.at(band), heights.at(band), sides.at(band))
                    }
                    None => (0.0, 1.0, 40.0, Side::Left),
                };
                let own = (width - indent).max(0.0) * share;
                let x = if side == Side::Right { width - own } else { indent };
                rows.frames[row] = Rect::new(x, y, own, height);
                y += height;
            }
        }
        output.set_content_size(Size::new(width, y))
    }
}

tessera::choices! {
    enum Mistake {
        None = "none", NoSuchList = "noSuchList", ColumnFirst = "columnFirst",
    }
}

struct Halved {
    wrong: Parameter<Mistake>,
}

impl Layout for Halved {
    const IDENTITY: Identity =
        example("org.example.rust-halved", "Halved", "Bands of half the height when narrow.");
    const BASE: Option<BaseEngine> =
        Some(BaseEngine { id: "org.example.rust-bands", version: Some("1.0.0") });
    const TRAITS: Traits = Traits::MIRRORS;

    fn new(declare: &mut Declare<Self>) -> Self {
        let wrong = parameter("wrong", Mistake::None, "A mistake to make.");
        Halved { wrong: declare.add(wrong) }
    }
}

impl Preparing for Halved {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let mut base = input.base()?;
        match input.get(self.wrong) {
            Mistake::None => {}
            Mistake::NoSuchList => base.set_list("stripes", 1)?,
            Mistake::ColumnFirst => base.set_list_column("bands", "height", |_, height: f64| height)?,
        }
        if input.extent().width < 200.0 {
            let heights: Vec<f64> = base.list_column("bands", "height")?;
            let shares: Vec<f64> = base.list_column("bands", "share")?;
            base.set_list("bands", 2 * heights.len())?;
            base.set_list_column("bands", "height", |band, _: f64| heights[band / 2] / 2.0)?;
            base.set_list_column("bands", "share", |band, _: f64| shares[band / 2])?;
            base.set_list_column("bands", "side", |band, _: Side| {
                if band % 2 == 0 { Side::Left } else { Side::Right }
            })?;
            base.set_list_column("bands", "parent", |_, _: i64| -1)?;
        }
        base.prepare(output)
    }
}
