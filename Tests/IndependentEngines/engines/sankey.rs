//! A Sankey chart: the stages of a flow are sections, side by side, their nodes are items, and a list has the flows.

#![deny(unsafe_code)]

mod tessera;

use tessera::*;

tessera::choices! { pub enum Align { Top = "top", Middle = "middle", Bottom = "bottom" } }

const LARGEST: f64 = 1e12;

/// A stage: where its column begins, and the height of its nodes for each point of weight.
#[derive(Clone, Default)]
struct Stage {
    x: f64,
    width: f64,
    heading: f64,
    total: f64,
    top: f64,
    bottom: f64,
}

struct Sankey {
    column_gap: Parameter<f64>,
    spacing: Parameter<f64>,
    scale: Parameter<f64>,
    minimum: Parameter<f64>,
    estimated: Parameter<f64>,
    padding: Parameter<Insets>,
    align: Parameter<Align>,
    legend_place: Parameter<Rect>,
    shows_flows: Parameter<bool>,
    levels: Parameter<i64>,
    faded: Parameter<f64>,
    own_width: SectionValues<f64>,
    heading_height: SectionValues<f64>,
    weight: ItemValues<f64>,
    flows: List,
    from: ListColumn<i64>,
    to: ListColumn<i64>,
    amount: ListColumn<f64>,
    is_lit: Delegate<fn(u32, u64) -> bool>,
    share: Attribute<f64>,
    leaves: Attribute<Point>,
    arrives: Attribute<Point>,
    thickness: Attribute<f64>,
    stage: Kind,
    legend: Kind,
    ribbon: Kind,
    // What the last prepare has placed.
    stages: Vec<Stage>,
    starts: Vec<usize>,
    tops: Vec<f64>,
    heights: Vec<f64>,
    weights: Vec<f64>,
    content: Size,
    extent: Size,
    fits: bool,
}

impl Layout for Sankey {
    const IDENTITY: Identity = Identity {
        id: "org.example.sankey",
        name: "Sankey",
        version: "1.0.3",
        author: "A. Author",
        license: "MIT",
        summary: "Stages side by side, with nodes as high as what flows through them.",
    };
    const TRAITS: Traits = Traits::MIRRORS;
    const LAWS: Laws = Laws::APPENDS.and(Laws::SCALES);
    const COLUMNS: Columns = Columns::ALPHA.and(Columns::Z_INDEX);

    fn new(declare: &mut Declare<Self>) -> Self {
        let flows = declare.add(list("flows", "What flows from nodes to others, as a rule to those of later stages; none: nodes without ribbons. Those of nodes that are not there are left out."));
        let node_width = declare.add(parameter("nodeWidth", 24.0, "Width of the nodes of a stage.").unit("pt").within(1.0, 10000.0));
        let heading = declare.add(parameter("heading", 28.0, "Height of the heading of a stage.").unit("pt").within(0.0, 10000.0));
        let share = declare.add(attribute("share", 0.0, "The node's part of what flows through its stage, 0 to 1."));
        declare.publish("columnInsets", Sankey::column_insets, "How far the nodes of a stage are from the edges of the content.");
        declare.publish("nodeAt", Sankey::node_at, "The node at a point, counted among all items from 0, or -1.");
        declare.publish("shareOf", Sankey::share_of, "A node's part of what flows through its stage, 0 to 1; of a stage without weight 0.");
        Sankey {
            column_gap: declare.add(parameter("columnGap", 90.0, "Space between two stages.").unit("pt").within(0.0, 10000.0)),
            spacing: declare.add(parameter("spacing", 8.0, "Space between the nodes of a stage.").unit("pt").within(0.0, 10000.0)),
            scale: declare.add(parameter("pointsPerUnit", 0.0, "Height of a node for each unit of its weight; 0: as much as makes the highest stage fit into the bounds.").unit("pt").within(0.0, 10000.0)),
            minimum: declare.add(parameter("minimumHeight", 2.0, "The least height of a node.").unit("pt").within(0.0, 1000.0)),
            estimated: declare.add(parameter("estimatedHeading", 0.0, "Height of a heading until it is measured; 0 turns measuring off.").unit("pt").within(0.0, 10000.0)),
            padding: declare.add(parameter("padding", Insets::new(12.0, 12.0, 12.0, 12.0), "Space around the chart.").unit("pt").within(0.0, 10000.0)),
            align: declare.add(parameter("alignment", Align::Middle, "Where a stage lies that is lower than the highest one.")),
            legend_place: declare.add(parameter("legend", Rect::default(), "Where the legend lies in the content; without width or height there is none.").unit("pt").within(0.0, 10000.0)),
            shows_flows: declare.add(parameter("showsFlows", true, "Whether there are ribbons for the flows.")),
            levels: declare.add(parameter("levels", 1000, "Ribbons have a z index of less than 0, but at least of minus this number, the largest amount lowest.").within(1, 1_000_000)),
            faded: declare.add(parameter("fadedAlpha", 0.25, "Opacity of a node that is not lit.").within(0.0, 1.0)),
            own_width: declare.add(section_values("width", "Width of the stage's nodes; below 1 is 1.").fallback(node_width)),
            heading_height: declare.add(section_values("headingHeight", "Height of the stage's heading; below 0 is 0. A stage without nodes has at most that of the highest other.").fallback(heading)),
            weight: declare.add(item_values("weight", "What flows through the node, at least the sums of what flows in and out; below 0 is 0.")),
            from: declare.add(flows.column(parameter("from", 0, "The node where the flow begins, counted among all items from 0.").at_least(0))),
            to: declare.add(flows.column(parameter("to", 1, "The node where it ends, another one.").at_least(0))),
            amount: declare.add(flows.column(parameter("amount", 1.0, "How much flows.").at_least(0.0))),
            flows,
            is_lit: declare.add(delegate("isLit", "Whether a node of a section is lit; without a function all are.")),
            share,
            leaves: declare.add(attribute("leavesAt", Point::default(), "Where the middle of a ribbon leaves its first node.").unit("pt")),
            arrives: declare.add(attribute("arrivesAt", Point::default(), "Where the middle of a ribbon arrives at its last node.").unit("pt")),
            thickness: declare.add(attribute("thickness", 0.0, "How thick a ribbon is.").unit("pt")),
            stage: declare.add(supplementary("stage").role(Role::Header)),
            legend: declare.add(supplementary("legend").role(Role::Other)),
            ribbon: declare.add(decoration("ribbon")),
            stages: Vec::new(),
            starts: Vec::new(),
            tops: Vec::new(),
            heights: Vec::new(),
            weights: Vec::new(),
            content: Size::default(),
            extent: Size::default(),
            fits: false,
        }
    }
}

impl Sankey {
    /// Checks the flows, and raises the weights of nodes to what flows through them.
    fn weigh(&mut self, input: &Input) -> Result<(), Failure> {
        let count = input.item_count();
        self.weights.clear();
        self.weights.extend(input.get(self.weight).iter().map(|weight| weight.max(0.0)));
        let (from, to, amount) = (input.get(self.from), input.get(self.to), input.get(self.amount));
        let mut sums = vec![(0.0, 0.0); count]; // in and out
        for record in 0..input.count(self.flows) {
            let (source, goal) = (from.at(record) as usize, to.at(record) as usize);
            if source == goal {
                return Err(Failure::invalid_value(format!(
                    "flows[{record}] goes from node {source} to itself; give another from or to"
                )));
            }
            if source >= count || goal >= count {
                continue;
            }
            sums[source].1 += amount.at(record);
            sums[goal].0 += amount.at(record);
        }
        for (weight, (inwards, outwards)) in self.weights.iter_mut().zip(sums) {
            *weight = weight.max(inwards).max(outwards);
        }
        Ok(())
    }

    /// Where the columns are, and the height of the band of headings.
    fn columns(&mut self, input: &Input) -> f64 {
        let (widths, headings) = (input.get(self.own_width), input.get(self.heading_height));
        let padding = input.get(self.padding);
        self.stages.clear();
        self.starts.clear();
        let mut x = padding.left;
        let mut band = 0.0f64;
        for (section, items) in input.sections().enumerate() {
            let (width, heading) = (widths.at(section).max(1.0), headings.at(section).max(0.0));
            if !items.is_empty() {
                band = band.max(heading);
            }
            let total = self.weights[items.clone()].iter().sum();
            self.stages.push(Stage { x, width, heading, total, ..Stage::default() });
            self.starts.push(items.start);
            x += width + input.get(self.column_gap);
        }
        self.starts.push(input.item_count());
        band
    }

    /// The height of a node for each unit of weight.
    fn factor(&self, input: &Input, room: f64) -> f64 {
        let fixed = input.get(self.scale);
        if fixed > 0.0 {
            return fixed;
        }
        let mut factor = f64::INFINITY;
        for (stage, items) in self.stages.iter().zip(input.sections()) {
            if stage.total > 0.0 {
                let gaps = input.get(self.spacing) * (items.len() - 1) as f64;
                factor = factor.min((room - gaps).max(0.0) / stage.total);
            }
        }
        if factor.is_finite() { factor } else { 0.0 }
    }

    /// The last section that begins at x or before.
    fn section_at(&self, x: f64) -> Option<usize> {
        self.stages.partition_point(|stage| stage.x <= x).checked_sub(1)
    }

    fn column_insets(&mut self, _host: Host, section: u32) -> Result<Insets, Failure> {
        let Some(stage) = self.stages.get(section as usize) else {
            return Err(Failure::invalid_value(format!("there is no section {section}, of {}; ask for one that there is", self.stages.len())));
        };
        let (right, bottom) = (stage.x + stage.width, stage.bottom);
        Ok(Insets::new(stage.top, stage.x, self.content.height - bottom, self.content.width - right))
    }

    fn node_at(&mut self, _host: Host, at: Point) -> Result<i64, Failure> {
        let Some(section) = self.section_at(at.x) else { return Ok(-1) };
        if at.x >= self.stages[section].x + self.stages[section].width {
            return Ok(-1);
        }
        let (start, end) = (self.starts[section], self.starts[section + 1]);
        // The last node that begins at the point or above.
        let after = self.tops[start..end].partition_point(|top| *top <= at.y);
        if after == 0 || at.y >= self.tops[start + after - 1] + self.heights[start + after - 1] {
            return Ok(-1);
        }
        Ok((start + after - 1) as i64)
    }

    fn share_of(&mut self, _host: Host, section: u32, item: u64) -> Result<f64, Failure> {
        let section = section as usize;
        if section >= self.stages.len() || item >= (self.starts[section + 1] - self.starts[section]) as u64 {
            return Err(Failure::invalid_value(format!("there is no node {item} in section {section}; ask for one that there is")));
        }
        Ok(part(self.weights[self.starts[section] + item as usize], self.stages[section].total))
    }
}

fn part(weight: f64, total: f64) -> f64 {
    if total > 0.0 { weight / total } else { 0.0 }
}

impl Preparing for Sankey {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        self.weigh(input)?;
        let band = self.columns(input);
        let (padding, spacing) = (input.get(self.padding), input.get(self.spacing));
        self.extent = input.extent();
        self.fits = input.get(self.scale) == 0.0;
        let factor = self.factor(input, self.extent.height - padding.top - band - padding.bottom);
        let minimum = input.get(self.minimum);
        self.heights.clear();
        self.heights.extend(self.weights.iter().map(|weight| (weight * factor).max(minimum)));

        // How high the stages are, and the content.
        let mut highest = 0.0f64;
        for (stage, items) in self.stages.iter_mut().zip(input.sections()) {
            let gaps = spacing * items.len().saturating_sub(1) as f64;
            stage.bottom = self.heights[items].iter().sum::<f64>() + gaps;
            highest = highest.max(stage.bottom);
        }
        let legend = input.get(self.legend_place);
        let right = self.stages.last().map_or(padding.left, |stage| stage.x + stage.width) + padding.right;
        let has_legend = legend.width > 0.0 && legend.height > 0.0 && input.section_count() > 0;
        self.content = Size::new(right, padding.top + band + highest + padding.bottom);
        if has_legend {
            self.content.width = self.content.width.max(legend.x + legend.width);
            self.content.height = self.content.height.max(legend.y + legend.height);
        }
        if !(self.content.width <= LARGEST && self.content.height <= LARGEST) {
            return Err(Failure::invalid_value(
                "the chart would be more than 1e12 points large; give a smaller weight, amount of flows, width, headingHeight or pointsPerUnit",
            ));
        }
        output.set_content_size(self.content)?;

        self.tops.clear();
        let align = input.get(self.align);
        for stage in &mut self.stages {
            let free = highest - stage.bottom;
            stage.top = padding.top + band + match align {
                Align::Top => 0.0,
                Align::Middle => free / 2.0,
                Align::Bottom => free,
            };
            stage.bottom += stage.top;
        }
        let (count, lit) = (input.item_count(), input.get(self.is_lit));
        for (section, items) in input.sections().enumerate() {
            let stage = &self.stages[section];
            let heading = stage.heading.min(band);
            output.add_at(Run::element(self.stage, section), Rect::new(stage.x, padding.top + band - heading, stage.width, heading))?;
            output.progress(items.start as f64 / count.max(1) as f64)?;
            let mut rows = output.add(Run::cells(section, 0..items.len()))?;
            let mut y = stage.top;
            for (row, item) in items.enumerate() {
                self.tops.push(y);
                rows.frames[row] = Rect::new(stage.x, y, stage.width, self.heights[item]);
                rows.attributes.column(self.share)[row] = part(self.weights[item], stage.total);
                let shines = lit.as_ref().is_none_or(|lit| lit.call(section as u32, row as u64));
                rows.alphas[row] = if shines { 1.0 } else { input.get(self.faded) };
                y += self.heights[item] + spacing;
            }
        }
        if has_legend {
            output.add_at(Run::element(self.legend, 0), legend)?;
        }
        if input.get(self.shows_flows) {
            self.add_ribbons(input, output, factor)?;
        }
        Ok(())
    }
}

impl Sankey {
    /// The ribbons leave a node and arrive at it below each other, in the order of the records.
    fn add_ribbons(&self, input: &Input, output: &mut Output, factor: f64) -> Result<(), Failure> {
        let (from, to, amount) = (input.get(self.from), input.get(self.to), input.get(self.amount));
        let records = input.count(self.flows);
        let largest = (0..records).map(|record| amount.at(record)).fold(0.0, f64::max);
        let levels = input.get(self.levels) as f64;
        let (mut left, mut entered) = (self.tops.clone(), self.tops.clone());
        for record in 0..records {
            let (source, goal) = (from.at(record) as usize, to.at(record) as usize);
            if source.max(goal) >= self.tops.len() {
                continue;
            }
            let (first, last) = (input.place(source).section, input.place(goal).section);
            let thickness = amount.at(record) * factor;
            let x = self.stages[first].x + self.stages[first].width;
            let start = Point::new(x, left[source] + thickness / 2.0);
            let end = Point::new(self.stages[last].x, entered[goal] + thickness / 2.0);
            left[source] += thickness;
            entered[goal] += thickness;
            let top = start.y.min(end.y) - thickness / 2.0;
            let frame = Rect::new(x.min(end.x), top, (end.x - x).abs(), (start.y - end.y).abs() + thickness);
            let mut rows = output.add(Run::elements(self.ribbon, first, record..record + 1))?;
            rows.frames[0] = frame;
            rows.z_indexes[0] = -(1.0 + (levels - 1.0) * part(amount.at(record), largest)).floor() as i32;
            rows.attributes.column(self.leaves)[0] = Point::new(start.x - frame.x, start.y - frame.y);
            rows.attributes.column(self.arrives)[0] = Point::new(end.x - frame.x, end.y - frame.y);
            rows.attributes.column(self.thickness)[0] = thickness;
        }
        Ok(())
    }
}

impl Adjusting for Sankey {
    /// The headings stay at the top of the viewport.
    fn adjust(&mut self, input: &Input, rect: Rect, output: &mut Output) -> Result<(), Failure> {
        let edge = input.viewport().y + input.content_insets().top;
        let first = self.section_at(rect.x).unwrap_or(0);
        for (section, stage) in self.stages.iter().enumerate().skip(first) {
            if stage.x >= rect.x + rect.width {
                break;
            }
            let rows = output.add(Run::element(self.stage, section))?;
            let frame = &mut rows.frames[0];
            frame.y = frame.y.max(edge.min(self.content.height - frame.height));
        }
        Ok(())
    }
}

impl Reusable for Sankey {
    fn still_valid(&mut self, input: &Input) -> bool {
        !self.fits || input.extent().height == self.extent.height
    }
}

impl Snapping for Sankey {
    /// A stage comes to rest at the left edge: the next one in the direction of a fling, or else the nearest.
    fn resting_offset(&mut self, input: &Input, velocity: Point, proposed: Point) -> Result<Point, Failure> {
        let inset = input.content_insets().left + input.get(self.padding).left;
        let x = proposed.x + inset;
        let Some(before) = self.section_at(x) else { return Ok(proposed) };
        let here = self.stages[before].x;
        let chosen = match self.stages.get(before + 1) {
            Some(next) if here < x && (velocity.x > 0.0 || (velocity.x == 0.0 && next.x - x < x - here)) => next.x,
            _ => here,
        };
        Ok(Point::new(chosen - inset, proposed.y))
    }
}

impl Sizing for Sankey {
    const MEASURED: &'static [Measured] = &[Measured { value: "headingHeight", kind: Some("stage") }];

    fn estimates(&mut self, input: &Input, run: Run, sizes: &mut [Size]) -> Result<usize, Failure> {
        let height = input.get(self.estimated);
        if height == 0.0 {
            return Ok(0);
        }
        sizes[0] = Size::new(input.get(self.own_width).at(run.section).max(1.0), height);
        Ok(1)
    }

    fn proposals(&mut self, input: &Input, run: Run, sizes: &mut [Size]) -> Result<usize, Failure> {
        sizes[0] = Size::new(input.get(self.own_width).at(run.section).max(1.0), 0.0);
        Ok(1)
    }
}

tessera::export!(Sankey);
