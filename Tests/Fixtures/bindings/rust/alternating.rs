//! Pictures that fill their cells every now and then, by a function given to the base.

use crate::tessera::*;

pub struct Alternating {
    every: Parameter<i64>,
}

impl Layout for Alternating {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-alternating",
        name: "Alternating",
        version: "1.0.0",
        author: "The Tessera authors",
        license: "MIT",
        summary: "Pictures that fill every other cell.",
    };
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
