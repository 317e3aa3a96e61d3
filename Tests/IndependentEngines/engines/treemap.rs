//! A squarified treemap: every item has an area in proportion to its weight, every section is a
//! block of its own. All of it fills the bounds.

#![deny(unsafe_code)]

mod tessera;

use tessera::*;

struct Treemap {
    padding: Parameter<f64>,
    gap: Parameter<f64>,
    title: Parameter<f64>,
    least: Parameter<f64>,
    usual: Parameter<f64>,
    weights: ItemValues<f64>,
    share: Attribute<f64>,
    block: Kind,
    heading: Kind,
    size: Option<Size>,
    total: f64,
}

impl Layout for Treemap {
    const IDENTITY: Identity = Identity {
        id: "rs.example.treemap",
        name: "Treemap",
        version: "2.0.0",
        author: "T. Mapper",
        license: "MIT",
        summary: "Areas in proportion to weights, as square as they can be.",
    };
    const TRAITS: Traits = Traits::MIRRORS;
    const LAWS: Laws = Laws::SCALES;
    const COLUMNS: Columns = Columns::Z_INDEX;

    fn new(declare: &mut Declare<Self>) -> Self {
        let usual = declare.add(
            parameter("weight", 1.0, "Weight of an item without a weight.").within(0.0, 1e6),
        );
        declare.publish("sectionAt", Treemap::section_at, "The section at a point; -1: none.");
        declare.publish("totalWeight", Treemap::total_weight, "The weights of all items together.");
        Treemap {
            padding: declare.add(
                parameter("padding", 4.0, "Space inside of a block, around its items.")
                    .unit("pt").within(0.0, 500.0)),
            gap: declare.add(
                parameter("gap", 2.0, "Space between the items of a block.")
                    .unit("pt").within(0.0, 500.0)),
            title: declare.add(
                parameter("titleHeight", 16.0, "Height of a block's title; 0: none.")
                    .unit("pt").within(0.0, 500.0)),
            least: declare.add(
                parameter("minimumHeight", 200.0, "Least height of the whole.")
                    .unit("pt").within(0.0, 100000.0)),
            weights: declare.add(item_values("weight", "Weight of the item.").fallback(usual)),
            usual,
            share: declare.add(attribute("share", 0.0, "The item's part of its section, 0 to 1.")),
            block: declare.add(decoration("block")),
            heading: declare.add(supplementary("title")),
            size: None,
            total: 0.0,
        }
    }
}

/// What is negative counts as nothing.
fn weight(given: f64) -> f64 {
    given.clamp(0.0, 1e12)
}

fn inset(rect: Rect, by: f64) -> Rect {
    let (x, y) = (by.min(rect.width / 2.0), by.min(rect.height / 2.0));
    Rect::new(rect.x + x, rect.y + y, rect.width - 2.0 * x, rect.height - 2.0 * y)
}

/// The worst ratio of sides in a row of areas along a side.
fn worst(least: f64, greatest: f64, sum: f64, side: f64) -> f64 {
    let square = side * side;
    (square * greatest / (sum * sum)).max(sum * sum / (square * least))
}

/// Divides a room among weights that are sorted, greatest first; the rects in that order.
fn squarify(room: Rect, weights: &[f64]) -> Vec<Rect> {
    let mut rects = Vec::with_capacity(weights.len());
    let (mut left, mut at) = (room, 0);
    let mut remaining: f64 = weights.iter().sum();
    while at < weights.len() {
        let area = left.width * left.height;
        if weights[at] <= 0.0 || remaining <= 0.0 || area <= 0.0 {
            // Nothing is left for the rest.
            rects.resize(weights.len(), Rect::new(left.x, left.y, 0.0, 0.0));
            break;
        }
        let unit = area / remaining;
        let side = left.width.min(left.height);
        let (mut end, mut sum) = (at + 1, weights[at] * unit);
        let mut ratio = worst(sum, sum, sum, side);
        while end < weights.len() && weights[end] > 0.0 {
            let next = weights[end] * unit;
            let with = worst(next, weights[at] * unit, sum + next, side);
            if with > ratio {
                break;
            }
            (ratio, sum, end) = (with, sum + next, end + 1);
        }
        let is_wide = left.width >= left.height;
        let depth = (sum / side).min(if is_wide { left.width } else { left.height });
        let mut along = 0.0;
        for given in &weights[at..end] {
            let length = (given * unit / sum * side).min(side - along);
            rects.push(if is_wide {
                Rect::new(left.x, left.y + along, depth, length)
            } else {
                Rect::new(left.x + along, left.y, length, depth)
            });
            along += length;
        }
        if is_wide {
            left = Rect::new(left.x + depth, left.y, left.width - depth, left.height);
        } else {
            left = Rect::new(left.x, left.y + depth, left.width, left.height - depth);
        }
        remaining = weights[end..].iter().sum();
        at = end;
    }
    rects
}

/// The order of weights, greatest first; equal ones as they come.
fn descending(weights: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
    order
}

impl Treemap {
    fn whole(&self, input: &Input) -> Size {
        let extent = input.extent();
        Size::new(extent.width, extent.height.max(input.get(self.least)))
    }

    fn section_at(&mut self, host: Host, at: Point) -> Result<i64, Failure> {
        let block = self.block;
        let found = host.placed(Rect::new(at.x, at.y, 0.01, 0.01))?;
        let run = found.iter().map(|(run, _)| run).find(|run| run.is(block));
        Ok(run.map_or(-1, |run| run.section as i64))
    }

    fn total_weight(&mut self, _host: Host) -> Result<f64, Failure> {
        Ok(self.total)
    }
}

impl Preparing for Treemap {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let whole = self.whole(input);
        let (padding, gap) = (input.get(self.padding), input.get(self.gap));
        let title = input.get(self.title);
        let column = input.get(self.weights);

        let sums: Vec<f64> = input
            .sections()
            .map(|items| column.slice(items).iter().map(weight).sum())
            .collect();
        self.total = sums.iter().sum();
        let order = descending(&sums);
        let sorted: Vec<f64> = order.iter().map(|section| sums[*section]).collect();
        let mut blocks = vec![Rect::default(); sums.len()];
        let room = Rect::new(0.0, 0.0, whole.width, whole.height);
        for (section, rect) in order.iter().zip(squarify(room, &sorted)) {
            blocks[*section] = rect;
        }

        let (mut done, all) = (0, input.item_count().max(1));
        for (section, items) in input.sections().enumerate() {
            let outer = blocks[section];
            let back = output.add(Run::element(self.block, section))?;
            back.frames[0] = outer;
            back.z_indexes[0] = -1;
            let mut inner = inset(outer, padding);
            if title > 0.0 {
                let height = title.min(inner.height);
                let front = output.add(Run::element(self.heading, section))?;
                front.frames[0] = Rect::new(inner.x, inner.y, inner.width, height);
                front.z_indexes[0] = 1;
                inner = Rect::new(inner.x, inner.y + height, inner.width, inner.height - height);
            }

            let weights: Vec<f64> = column.slice(items.clone()).iter().map(weight).collect();
            let order = descending(&weights);
            let sorted: Vec<f64> = order.iter().map(|item| weights[*item]).collect();
            let mut rows = output.add(Run::cells(section, 0..items.len()))?;
            for (item, rect) in order.iter().zip(squarify(inner, &sorted)) {
                rows.frames[*item] = inset(rect, gap / 2.0);
            }
            let shares = rows.attributes.column(self.share);
            for (share, weight) in shares.iter_mut().zip(&weights) {
                *share = if sums[section] > 0.0 { weight / sums[section] } else { 0.0 };
            }
            done += items.len();
            output.progress(done as f64 / all as f64)?;
        }
        self.size = Some(whole);
        output.set_content_size(whole)
    }
}

impl Reusable for Treemap {
    fn still_valid(&mut self, input: &Input) -> bool {
        let _ = self.usual;
        // The least height is a parameter, which did not change.
        self.size == Some(self.whole(input))
    }
}

tessera::export!(Treemap);
