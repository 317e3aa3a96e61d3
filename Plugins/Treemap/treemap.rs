//! Nested rectangles whose areas are proportional to weights.

#![deny(unsafe_code)]

#[path = "../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;
mod tiling;
mod tree;

use std::borrow::Cow;

use tessera::*;
use tiling::{inset, Tiler, Tiling};
use tree::Tree;

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
    tree: Tree,
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
    const TRAITS: Traits = Traits::MIRRORS;
    const LAWS: Laws = Laws::APPENDS.and(Laws::SCALES);
    const COLUMNS: Columns = Columns::Z_INDEX;

    fn new(declare: &mut Declare<Self>) -> Self {
        let golden = 1.618_033_988_749_895;
        let length = |name, help| parameter(name, 0.0, help).unit("pt").at_least(0.0);
        let weight = declare
            .add(parameter("weight", 1.0, "Weight of items without their own.").at_least(0.0));
        // Only a fallback: users cannot change it.
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
            header: declare.add(supplementary("header").role(Role::Header)),
            tiler: Tiler::default(),
            tree: Tree::default(),
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
        self.tiler.tiling = input.get(self.tiling);
        self.tiler.ratio = input.get(self.ratio);
        self.tiler.padding = input.get(self.padding_inner);

        let weights = self.checked_weights(input)?;
        // A single section with a positive weight fills everything, whatever the sum.
        let sums: Vec<f64> = match input.section_count() {
            1 => vec![weights.iter().copied().find(|weight| *weight > 0.0).unwrap_or(0.0)],
            _ => input.sections().map(|items| weights[items].iter().sum()).collect(),
        };
        let mut sections = vec![Rect::default(); sums.len()];
        let all = Rect::new(0.0, 0.0, extent.width, extent.height);
        self.tiler.divide(&sums, all, 0, &mut sections);
        let mut filled = (0..sums.len()).filter(|&section| sums[section] > 0.0);
        if let (Some(only), None) = (filled.next(), filled.next()) {
            sections[only] = all; // without rounding
        }
        for (section, mut frame) in sections.into_iter().enumerate() {
            let height = input.get(self.section_header_height).min(frame.height);
            if height > 0.0 {
                output.add_at(Run::element(self.header, section), Rect { height, ..frame })?;
                frame.y += height;
                frame.height -= height;
            }
            self.place(section, frame, &weights[input.items(section)], input, output)?;
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
    /// All weights, scaled to keep sums and squares finite.
    fn checked_weights<'a>(&self, input: &Input<'a>) -> Result<Cow<'a, [f64]>, Failure> {
        let column = input.get(self.weights);
        let mut weights = match column.as_slice() {
            Some(weights) => Cow::Borrowed(weights),
            None => Cow::Owned(column.iter().collect()),
        };
        let usual = 1e-140..1e140;
        // Counting all is faster than stopping at the first other one.
        if weights.iter().filter(|weight| usual.contains(*weight)).count() == weights.len() {
            return Ok(weights);
        }
        let invalid = |weight: &f64| !(*weight >= 0.0 && weight.is_finite());
        if let Some(index) = weights.iter().position(invalid) {
            let (place, weight) = (input.place(index), weights[index]);
            return Err(Failure::invalid_value(format!(
                "weight of item {} in section {} is {weight}; it must be finite and not negative",
                place.item, place.section
            )));
        }
        let greatest = weights.iter().copied().fold(0.0, f64::max);
        if greatest > 0.0 && !usual.contains(&greatest) {
            weights.to_mut().iter_mut().for_each(|weight| *weight /= greatest);
        }
        Ok(weights)
    }

    /// Divides the section's rectangle, then its groups.
    fn place(
        &mut self, section: usize, frame: Rect, weights: &[f64], input: &Input,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let items = input.items(section);
        let rows = output.add(Run::cells(section, 0..items.len()))?;
        let parents = input.get(self.parents).slice(items.clone());
        if parents.constant() == Some(-1) || parents.iter().all(|parent| parent == -1) {
            self.tiler.divide(weights, frame, 1, rows.frames);
            rows.z_indexes.fill(1);
            return Ok(());
        }
        self.tree.read(section, parents, weights)?;
        let outer = input.get(self.padding_outer);
        let top = outer.max(input.get(self.padding_top));
        let padding = Insets::new(top, outer, outer, outer);
        let (mut totals, mut tiles) = (Vec::new(), Vec::new());
        for (index, &group) in self.tree.groups.iter().enumerate() {
            if index % 4096 == 4095 {
                input.host().progress((items.start + index) as f64 / input.item_count() as f64)?;
            }
            let (mut rect, mut depth) = (frame, 1);
            if group < items.len() {
                rect = inset(rows.frames[group], padding, rows.frames[group]);
                depth = rows.z_indexes[group] + 1;
            }
            let children = self.tree.children(group);
            totals.clear();
            totals.extend(children.iter().map(|&child| self.tree.totals[child]));
            tiles.resize(children.len(), Rect::default());
            self.tiler.divide(&totals, rect, depth as usize, &mut tiles);
            for (&child, tile) in children.iter().zip(&tiles) {
                rows.frames[child] = *tile;
                rows.z_indexes[child] = depth;
            }
        }
        Ok(())
    }
}

tessera::export!(Treemap);
