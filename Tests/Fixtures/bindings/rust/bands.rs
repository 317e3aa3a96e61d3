//! Bands under one another, which items take in turn, from a list; and a layer that halves them.

use crate::tessera::*;

crate::tessera::choices! {
    pub enum Side { Left = "left", Right = "right" }
}

pub struct Bands {
    bands: List,
    heights: ListColumn<f64>,
    shares: ListColumn<f64>,
    sides: ListColumn<Side>,
    parents: ListColumn<i64>,
    // Ten points for each band that a band is part of.
    indents: Vec<f64>,
}

impl Layout for Bands {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-bands",
        name: "Bands",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Bands that items take in turn.",
    };
    const TRAITS: Traits = Traits::MIRRORS;

    fn new(declare: &mut Declare<Self>) -> Self {
        let bands = declare.add(list("bands", "The bands; without any, each is plain."));
        let height = parameter("height", 40.0, "How high the band is.").unit("pt").at_least(0.0);
        let share = parameter("share", 1.0, "The part of the width that it takes.").within(0.0, 1.0);
        let side = parameter("side", Side::Left, "Where it lies.");
        let parent = parameter("parent", -1i64, "The band before it that it is part of.");
        Bands {
            bands,
            heights: declare.add(bands.column(height)),
            shares: declare.add(bands.column(share)),
            sides: declare.add(bands.column(side)),
            parents: declare.add(bands.column(parent)),
            indents: Vec::new(),
        }
    }
}

impl Preparing for Bands {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        let count = input.count(self.bands);
        if input.change().lists() {
            self.indents.clear();
            for parent in input.get(self.parents).iter() {
                // A parent comes before its children; one that does not is none.
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

crate::tessera::choices! {
    pub enum Mistake {
        None = "none", NoSuchList = "noSuchList", NoSuchColumn = "noSuchColumn",
        ColumnFirst = "columnFirst", Invalid = "invalid",
    }
}

/// When narrow, each band is two of half the height, at the left and at the right.
pub struct Halved {
    wrong: Parameter<Mistake>,
}

impl Layout for Halved {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-halved",
        name: "Halved",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Bands of half the height when narrow.",
    };
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
            Mistake::NoSuchColumn => {
                base.list_column::<bool>("bands", "height")?;
            }
            Mistake::ColumnFirst => base.set_list_column("bands", "height", |_, height: f64| height)?,
            Mistake::Invalid => {
                base.set_list("bands", 1)?;
                base.set_list_column("bands", "height", |_, _: f64| -1.0)?;
            }
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
