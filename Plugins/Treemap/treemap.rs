//! Nested rectangles whose areas are proportional to weights.

#![deny(unsafe_code)]

mod forest;
#[path = "../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;
mod tiling;

use std::borrow::Cow;
use std::ops::Range;

use forest::{Forest, Summary};
use tessera::*;
use tiling::{inset, Tiler, Tiling};

struct Treemap {
    tiling: Parameter<Tiling>,
    ratio: Parameter<f64>,
    padding_inner: Parameter<f64>,
    padding_outer: Parameter<f64>,
    padding_top: Parameter<f64>,
    section_header_height: Parameter<f64>,
    parent: Parameter<i64>,
    weights: ItemValues<f64>,
    parents: ItemValues<i64>,
    header: Kind,

    tiler: Tiler,
    forest: Forest,
    /// The extent of the last prepare that succeeded.
    prepared: Option<Size>,
}

impl Layout for Treemap {
    const IDENTITY: Identity = Identity {
        id: "org.tessera.treemap",
        name: "Treemap",
        version: "0.1.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Nested rectangles whose areas are proportional to weights.",
    };
    const TRAITS: Traits = Traits::MIRRORS.and(Traits::APPENDS).and(Traits::SCALES);
    const COLUMNS: Columns = Columns::Z_INDEX;

    fn new(declare: &mut Declare<Self>) -> Self {
        let golden = 1.618_033_988_749_895;
        let length = |name, help| parameter(name, 0.0, help).unit("pt").at_least(0.0);
        let weight = declare
            .add(parameter("weight", 1.0, "Weight of items without their own.").at_least(0.0));
        // Only what stands in for values: users cannot set another one.
        let parent = declare.add(
            parameter("parent", -1, "The parent of items without their own: none.")
                .at_most(-1)
                .hint(),
        );
        Treemap {
            tiling: declare.add(parameter(
                "tiling", Tiling::Squarified, "How a rectangle is divided.",
            )),
            ratio: declare.add(
                parameter("ratio", golden, "Ratio of sides that squarified aims at.").at_least(1.0),
            ),
            padding_inner: declare.add(length("paddingInner", "Space between neighbours.")),
            padding_outer: declare
                .add(length("paddingOuter", "Space between a group and its children.")),
            padding_top: declare.add(length(
                "paddingTop", "Space above the children of a group, if greater than paddingOuter.",
            )),
            section_header_height: declare
                .add(length("sectionHeaderHeight", "Height of headers; 0 for none.")),
            parent,
            weights: declare.add(
                item_values("weight", "What the item's area is proportional to.").fallback(weight),
            ),
            parents: declare.add(
                item_values("parent", "The item of its section that the item is in; -1: none.")
                    .fallback(parent),
            ),
            header: declare.add(supplementary("header")),
            tiler: Tiler::new(),
            forest: Forest::default(),
            prepared: None,
        }
    }
}

impl Preparing for Treemap {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        self.prepared = None;
        let extent = input.extent();
        let parent = input.get(self.parent);
        if parent != -1 {
            let message = format!("parent is {parent}; it must be -1, so give items their own");
            return Err(Failure::invalid_value(message));
        }
        let (tiling, ratio) = (input.get(self.tiling), input.get(self.ratio));
        self.tiler.set(tiling, ratio, input.get(self.padding_inner));

        let (weights, summary) = self.checked_weights(input)?;
        self.forest.read(input, &weights, summary, input.get(self.parents))?;
        let all = Rect::new(0.0, 0.0, extent.width, extent.height);
        let sections = self.section_frames(all);
        for (section, mut frame) in sections.into_iter().enumerate() {
            let height = input.get(self.section_header_height).min(frame.height);
            if height > 0.0 {
                output.add_at(Run::element(self.header, section), Rect { height, ..frame })?;
                frame.y += height;
                frame.height -= height;
            }
            self.place(section, frame, &weights, input, output)?;
        }
        output.set_content_size(extent)?;
        self.prepared = Some(extent);
        Ok(())
    }
}

impl Reusable for Treemap {
    fn still_valid(&mut self, input: &Input) -> bool {
        self.prepared == Some(input.extent())
    }
}

impl Treemap {
    /// The weights of all items, contiguous, and of a magnitude whose sums and squares stay finite;
    /// and what they are like.
    fn checked_weights<'a>(
        &self, input: &Input<'a>,
    ) -> Result<(Cow<'a, [f64]>, Summary), Failure> {
        let column = input.get(self.weights);
        let mut weights = match column.as_slice() {
            Some(weights) => Cow::Borrowed(weights),
            None => Cow::Owned(column.iter().collect()),
        };
        let mut summary = Summary::of(&weights);
        let Summary { least, greatest, sum } = summary;
        if least < 0.0 || greatest == f64::INFINITY || sum.is_nan() {
            let is_weight = |weight: &f64| *weight >= 0.0 && weight.is_finite();
            if let Some(index) = weights.iter().position(|weight| !is_weight(weight)) {
                let place = input.place(index);
                return Err(Failure::invalid_value(format!(
                    "weight of item {} in section {} is {}; it must be finite and not negative",
                    place.item, place.section, weights[index]
                )));
            }
        }
        if greatest > 0.0 && !(1e-140..1e140).contains(&greatest) {
            for weight in weights.to_mut() {
                *weight /= greatest;
            }
            summary = Summary::of(&weights);
        }
        Ok((weights, summary))
    }

    /// The rectangles of the sections; one alone has everything.
    fn section_frames(&mut self, all: Rect) -> Vec<Rect> {
        let sections = 0..self.forest.section_count();
        let totals: Vec<f64> =
            sections.map(|section| self.forest.total_of_section(section)).collect();
        let mut frames = vec![Rect { width: 0.0, height: 0.0, ..all }; totals.len()];
        let filled: Vec<usize> =
            (0..totals.len()).filter(|&section| totals[section] > 0.0).collect();
        if let [only] = filled[..] {
            frames[only] = all;
            return frames;
        }
        let weights: Vec<f64> = filled.iter().map(|&section| totals[section]).collect();
        let mut tiled = vec![Rect::default(); weights.len()];
        self.tiler.tile(&weights, all, 0, &mut tiled);
        for (section, frame) in filled.into_iter().zip(tiled) {
            frames[section] = frame;
        }
        frames
    }

    /// Adds the items of a section, whose children get a rectangle.
    fn place(
        &mut self, section: usize, frame: Rect, weights: &[f64], input: &Input,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let items = input.items(section);
        let rows = output.add(Run::cells(section, 0..items.len()))?;
        let groups = self.forest.groups(section);
        if groups.is_empty() {
            self.tiler.tile(&weights[items], frame, 1, rows.frames);
            rows.z_indexes.fill(1);
            return Ok(());
        }

        let outer = input.get(self.padding_outer);
        let top = outer.max(input.get(self.padding_top));
        let padding = Insets::new(top, outer, outer, outer);
        let (mut filled, mut tiled) = (Vec::new(), Vec::new());
        let start = items.start;
        for (index, group) in groups.iter().enumerate() {
            if index % 4096 == 4095 {
                input.host().progress((start + index) as f64 / input.item_count() as f64)?;
            }
            let rect = match group.item {
                None => frame,
                Some(item) => {
                    let own = rows.frames[item as usize];
                    inset(own, padding, own)
                }
            };
            let (children, totals) = self.forest.children(group);
            let depth = group.depth as usize + 1;
            if let Some(items) = consecutive(children, totals) {
                let items = items.start - start..items.end - start;
                self.tiler.tile(totals, rect, depth, &mut rows.frames[items.clone()]);
                rows.z_indexes[items].fill(depth as i32);
                continue;
            }
            tiled.resize(children.len(), Rect::default());
            if totals.iter().all(|total| *total > 0.0) {
                self.tiler.tile(totals, rect, depth, &mut tiled);
            } else {
                // What has no weight gets no tile.
                filled.clear();
                filled.extend(totals.iter().filter(|total| **total > 0.0));
                self.tiler.tile(&filled, rect, depth, &mut tiled[..filled.len()]);
                let mut next = filled.len();
                for (place, total) in totals.iter().enumerate().rev() {
                    tiled[place] = if *total > 0.0 {
                        next -= 1;
                        tiled[next]
                    } else {
                        Rect::new(rect.x, rect.y, 0.0, 0.0)
                    };
                }
            }
            for (child, tile) in children.iter().zip(&tiled) {
                let item = *child as usize - start;
                rows.frames[item] = *tile;
                rows.z_indexes[item] = depth as i32;
            }
        }
        Ok(())
    }
}

/// The children, if they follow one another and all have a weight: their frames can be written in
/// place.
fn consecutive(children: &[u32], totals: &[f64]) -> Option<Range<usize>> {
    let items = *children.first()? as usize..*children.last()? as usize + 1;
    (items.len() == children.len() && totals.iter().all(|total| *total > 0.0)).then_some(items)
}

tessera::export!(Treemap);
