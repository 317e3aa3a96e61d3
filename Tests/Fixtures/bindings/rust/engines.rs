//! Seven engines in one library.

#![deny(unsafe_code)]

#[path = "../../../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;

mod alternating;
mod bands;
mod lifted;
mod list;
mod shelf;
mod ticks;

tessera::export!(
    shelf::Shelf, lifted::Lifted, alternating::Alternating, ticks::Ticks, list::List,
    bands::Bands, bands::Halved
);
