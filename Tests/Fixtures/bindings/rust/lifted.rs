//! A flow whose every third item is taller and whose every second one is faded.

use crate::tessera::*;

crate::tessera::choices! {
    pub enum Direction { Vertical = "vertical", Horizontal = "horizontal" }
}

pub struct Lifted {
    air: Parameter<f64>,
    lift: Parameter<f64>,
    fade: Parameter<f64>,
    tilt: Parameter<f64>,
    item_size: Inherited<Size>,
    line_spacing: Inherited<f64>,
    pins: [Inherited<bool>; 2],
}

impl Layout for Lifted {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-lifted",
        name: "Lifted",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "A flow with every third item taller.",
    };
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

/// At the top of a line, where lines are as tall as the items.
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
