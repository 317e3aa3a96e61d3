//! dashboard.rs: widgets of spans, packed first-fit into a grid.
//!
//! The rule. Each section is a board: a title, unless its height is 0, and below it a grid of columns of equal width. A widget covers
//! `columnSpan` columns and `rowSpan` rows, at least one and at most the columns and eight rows. It goes to the first free place in
//! reading order after the widget before it, or, if `isDense`, to the first free place of all. The list `breakpoints` gives the number of
//! columns: the record with the largest `minWidth` that fits the width counts, of equal ones the last; without one, `columns` does. Edges
//! lie on pixels, rounded down. The engine itself lays out right to left. A panel lies behind the widgets of a board. A widget dropped
//! onto another goes before it, or after it if it is dropped onto its second half.

#![deny(unsafe_code)]

mod tessera;

use tessera::*;

const MOST_COLUMNS: usize = 24;
const MOST_ROWS: usize = 8; // of one widget

struct Dashboard {
    columns: Parameter<i64>,
    row_height: Parameter<f64>,
    spacing: Parameter<f64>,
    board_spacing: Parameter<f64>,
    is_dense: Parameter<bool>,
    title_height: SectionValues<f64>,
    column_span: ItemValues<i64>,
    row_span: ItemValues<i64>,
    breakpoints: List,
    min_width: ListColumn<f64>,
    breakpoint_columns: ListColumn<i64>,
    first_column: Attribute<i64>,
    first_row: Attribute<i64>,
    title: Kind,
    panel: Kind,
    // Of the last prepare.
    rows_of: Vec<u64>,
    used_columns: usize,
    used_bounds: (f64, f64, bool),
}

impl Layout for Dashboard {
    const IDENTITY: Identity = Identity {
        id: "org.example.dashboard",
        name: "Dashboard",
        version: "1.0.0",
        author: "Somebody",
        license: "MIT",
        summary: "Widgets that span columns and rows, packed into a grid.",
    };
    const TRAITS: Traits = Traits::PIXEL_ALIGNED;
    const LAWS: Laws = Laws::FLOWS.and(Laws::APPENDS).and(Laws::SCALES);
    const COLUMNS: Columns = Columns::Z_INDEX;

    fn new(declare: &mut Declare<Self>) -> Self {
        let length = |name, initial, help| parameter(name, initial, help).unit("pt").within(0.0, 10000.0);
        let columns = parameter("columns", 4i64, "Number of columns, if no breakpoint says it.");
        let columns = declare.add(columns.within(1, MOST_COLUMNS as i64));
        let row_height = declare.add(length("rowHeight", 80.0, "Height of a row."));
        let spacing = declare.add(length("spacing", 8.0, "Space between widgets."));
        let board_spacing = declare.add(length("boardSpacing", 24.0, "Space between boards."));
        let is_dense = declare.add(parameter("isDense", false, "Whether widgets fill gaps that were left before."));
        let title_height = declare.add(length("titleHeight", 32.0, "Height of the title of a board; 0: none."));
        let column_span = parameter("columnSpan", 1i64, "Columns of a widget that does not say so itself.");
        let column_span = declare.add(column_span.within(1, MOST_COLUMNS as i64));
        let row_span = parameter("rowSpan", 1i64, "Rows of a widget that does not say so itself.");
        let row_span = declare.add(row_span.within(1, MOST_ROWS as i64));
        let title_height = declare.add(section_values("titleHeight", "The height of this title.").fallback(title_height));
        let column_span = declare.add(item_values("columnSpan", "Columns of the widget.").fallback(column_span));
        let row_span = declare.add(item_values("rowSpan", "Rows of the widget.").fallback(row_span));
        let breakpoints = declare.add(list("breakpoints", "Numbers of columns by width; none: `columns` counts."));
        let min_width = parameter("minWidth", 0.0, "The least width for which the record counts.").unit("pt").within(0.0, 1e6);
        let min_width = declare.add(breakpoints.column(min_width));
        let of_width = parameter("columns", 4i64, "The number of columns.").within(1, MOST_COLUMNS as i64);
        let breakpoint_columns = declare.add(breakpoints.column(of_width));
        let first_column = attribute("firstColumn", -1i64, "The first column of a widget; -1: no widget.");
        let first_column = declare.add(first_column.interpolation(Interpolation::Step));
        let first_row = attribute("firstRow", -1i64, "The first row of a widget; -1: no widget.");
        let first_row = declare.add(first_row.interpolation(Interpolation::Step));
        let title = declare.add(supplementary("title").role(Role::Header));
        let panel = declare.add(decoration("panel").role(Role::Background));
        declare.publish("rowsIn", Dashboard::rows_in, "The number of rows of a board.");
        declare.publish("columnCount", Dashboard::column_count, "The number of columns.");
        Dashboard {
            columns,
            row_height,
            spacing,
            board_spacing,
            is_dense,
            title_height,
            column_span,
            row_span,
            breakpoints,
            min_width,
            breakpoint_columns,
            first_column,
            first_row,
            title,
            panel,
            rows_of: Vec::new(),
            used_columns: 0,
            used_bounds: (0.0, 0.0, false),
        }
    }
}

// ---------------------------------------------------------------- packing

/// The free places of a board. A row is a number whose bits are its taken columns.
struct Packing {
    columns: usize,
    is_dense: bool,
    rows: Vec<u32>,
    /// Where to look for the next widget; if dense, one for each size: no place before it is free for that size.
    next: Vec<usize>,
}

impl Packing {
    fn new(columns: usize, is_dense: bool) -> Packing {
        let sizes = if is_dense { columns * MOST_ROWS } else { 1 };
        Packing { columns, is_dense, rows: Vec::new(), next: vec![0; sizes] }
    }

    /// Starts another board.
    fn clear(&mut self) {
        self.rows.clear();
        self.next.fill(0);
    }

    /// Takes the place of a widget: its column and row.
    fn take(&mut self, width: usize, height: usize) -> (usize, usize) {
        let size = if self.is_dense { (height - 1) * self.columns + width - 1 } else { 0 };
        let mut place = self.next[size];
        loop {
            let (row, column) = (place / self.columns, place % self.columns);
            if column + width > self.columns {
                place = (row + 1) * self.columns;
                continue;
            }
            let bits = ((1u64 << width) - 1) as u32;
            let taken = self.rows.iter().skip(row).take(height).fold(0, |all, row| all | row);
            if taken & (bits << column) == 0 {
                self.rows.resize(self.rows.len().max(row + height), 0);
                self.rows[row..row + height].iter_mut().for_each(|row| *row |= bits << column);
                self.next[size] = place + if self.is_dense { 0 } else { width };
                return (column, row);
            }
            place += 1;
        }
    }
}

/// Where columns and rows are, before rounding.
struct Grid {
    columns: usize,
    column_width: f64,
    width: f64, // of the content
    row_height: f64,
    spacing: f64,
    scale: f64,
    is_mirrored: bool,
}

impl Grid {
    /// A length on the pixel grid, at or below it but for rounding errors.
    fn aligned(&self, length: f64) -> f64 {
        (length * self.scale + 1e-6).floor() / self.scale
    }

    /// The rectangle between these edges, on pixels, and mirrored if need be.
    fn rect(&self, left: f64, top: f64, right: f64, bottom: f64) -> Rect {
        let (left, right) = match self.is_mirrored {
            true => (self.width - right, self.width - left),
            false => (left, right),
        };
        let (x, y) = (self.aligned(left).max(0.0), self.aligned(top));
        Rect::new(x, y, (self.aligned(right) - x).max(0.0), (self.aligned(bottom) - y).max(0.0))
    }

    fn widget(&self, top: f64, column: usize, row: usize, width: usize, height: usize) -> Rect {
        let x = |column: usize| column as f64 * (self.column_width + self.spacing);
        let y = |row: usize| top + row as f64 * (self.row_height + self.spacing);
        let (right, bottom) = (x(column + width) - self.spacing, y(row + height) - self.spacing);
        self.rect(x(column), y(row), right, bottom)
    }

    /// The height of so many rows.
    fn height(&self, rows: usize) -> f64 {
        (rows as f64 * (self.row_height + self.spacing) - self.spacing).max(0.0)
    }
}

impl Dashboard {
    fn columns_for(&self, input: &Input, width: f64) -> usize {
        let (widths, counts) = (input.get(self.min_width), input.get(self.breakpoint_columns));
        let mut best = None;
        for record in 0..input.count(self.breakpoints) {
            let least = widths.at(record);
            if least <= width && best.map_or(true, |(most, _)| least >= most) {
                best = Some((least, counts.at(record)));
            }
        }
        best.map_or(input.get(self.columns), |(_, count)| count) as usize
    }

    fn grid(&self, input: &Input) -> Grid {
        let extent = input.extent().width;
        let (columns, spacing) = (self.columns_for(input, extent), input.get(self.spacing));
        let gaps = (columns - 1) as f64 * spacing;
        let mut grid = Grid {
            columns,
            column_width: ((extent - gaps) / columns as f64).max(0.0),
            width: extent.max(gaps),
            row_height: input.get(self.row_height),
            spacing,
            scale: input.scale(),
            is_mirrored: input.right_to_left(),
        };
        // So that no edge lies beyond the content.
        grid.width = grid.width.max(grid.aligned(grid.width));
        grid
    }

    fn rows_in(&mut self, _host: Host, board: u32) -> Result<u64, Failure> {
        match self.rows_of.get(board as usize) {
            Some(rows) => Ok(*rows),
            None => Err(Failure::invalid_value(format!(
                "rowsIn was asked for board {board}, but there are {}; the first is 0",
                self.rows_of.len()
            ))),
        }
    }

    fn column_count(&mut self, _host: Host) -> Result<u32, Failure> {
        Ok(self.used_columns as u32)
    }
}

// ---------------------------------------------------------------- where everything goes

impl Preparing for Dashboard {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let grid = self.grid(input);
        let (spans, heights) = (input.get(self.column_span), input.get(self.row_span));
        let titles = input.get(self.title_height);
        let mut packing = Packing::new(grid.columns, input.get(self.is_dense));
        self.rows_of.clear();
        let (mut top, mut end) = (0.0, 0.0);
        for (section, items) in input.sections().enumerate() {
            let title = titles.at(section).clamp(0.0, 1e9);
            if title > 0.0 {
                output.add_at(Run::element(self.title, section), grid.rect(0.0, top, grid.width, top + title))?;
            }
            let first = top + title;
            packing.clear();
            let mut rows = output.add(Run::cells(section, 0..items.len()))?;
            for (item, place) in items.clone().enumerate() {
                let width = spans.at(place).clamp(1, grid.columns as i64) as usize;
                let height = heights.at(place).clamp(1, MOST_ROWS as i64) as usize;
                let (column, row) = packing.take(width, height);
                rows.frames[item] = grid.widget(first, column, row, width, height);
                rows.z_indexes[item] = 1;
                rows.attributes.column(self.first_column)[item] = column as i64;
                rows.attributes.column(self.first_row)[item] = row as i64;
                if place % 4096 == 4095 {
                    input.host().progress(place as f64 / input.item_count() as f64)?;
                }
            }
            let used = packing.rows.len();
            self.rows_of.push(used as u64);
            end = first + grid.height(used);
            if used > 0 {
                output.add_at(Run::element(self.panel, section), grid.rect(0.0, first, grid.width, end))?;
            }
            top = end + input.get(self.board_spacing);
        }
        self.used_columns = grid.columns;
        self.used_bounds = (input.extent().width, grid.scale, grid.is_mirrored);
        output.set_content_size(Size::new(grid.width, grid.aligned(end).max(end)))
    }
}

impl Reusable for Dashboard {
    /// The height of the bounds does not matter; the scale and the direction do, so it is valid only if they are what they were.
    fn still_valid(&mut self, input: &Input) -> bool {
        self.used_bounds == (input.extent().width, input.scale(), input.right_to_left())
    }
}

// ---------------------------------------------------------------- dragging

impl Reordering for Dashboard {
    fn target(&mut self, input: &Input, dragged: Place, at: Point, proposed: Place) -> Result<Place, Failure> {
        for (run, frames) in input.host().placed(Rect::new(at.x, at.y, 1.0, 1.0))? {
            for (row, frame) in frames.iter().enumerate() {
                let is_over = at.x >= frame.x && at.x < frame.x + frame.width && at.y >= frame.y && at.y < frame.y + frame.height;
                if !run.is_cells() || !is_over {
                    continue;
                }
                let is_right = at.x >= frame.x + frame.width / 2.0;
                let is_after = is_right != input.right_to_left();
                let item = run.first_item + row + is_after as usize;
                let is_behind = run.section == dragged.section && item > dragged.item;
                return Ok(Place { section: run.section, item: item - is_behind as usize });
            }
        }
        Ok(proposed)
    }
}

tessera::export!(Dashboard);
