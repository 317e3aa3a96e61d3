#![deny(unsafe_code)]

#[path = "../../../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;

use tessera::*;

tessera::choices! {
    enum Outcome {
        Nothing = "nothing", Failure = "failure", Error = "error", Panic = "panic",
        Index = "index", Other = "other", Told = "told",
    }
}

struct Panicking {
    what: Parameter<Outcome>,
}

impl Layout for Panicking {
    const IDENTITY: Identity = Identity {
        id: "org.example.rust-panicking", name: "Panicking", version: "1.0.0",
        author: "The Tessera authors", license: "MIT", summary: "Fails as it is told to.",
    };

    fn new(declare: &mut Declare<Self>) -> Self {
        Panicking { what: declare.add(parameter("what", Outcome::Nothing, "What happens.")) }
    }
}

impl Preparing for Panicking {
    fn prepare(&mut self, input: &Input, output: &mut Output) -> Result<(), Failure> {
        output.set_content_size(Size::new(10.0, 10.0))?;
        let rows = output.add(Run::cells(0, 0..input.items(0).len()))?;
        rows.frames.fill(Rect::new(0.0, 0.0, 10.0, 10.0));
        match input.get(self.what) {
            Outcome::Nothing => (),
            Outcome::Failure => {
                return Err(Failure::invalid_value("what is failure; say nothing"));
            }
            Outcome::Error => {
                "shelf".parse::<i32>()?;
            }
            Outcome::Panic => panic!("the shelf gave way"),
            Outcome::Index => rows.frames[rows.frames.len()] = Rect::default(),
            Outcome::Other => std::panic::panic_any(42),
            Outcome::Told => input.host().warn("what is told; say nothing"),
        }
        Ok(())
    }
}

tessera::export!(Panicking);
