//! Prints struct layouts of the Rust contract as C assertions.

#[path = "../../../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;

fn main() {
    for (name, size, fields) in tessera::contract::LAYOUTS {
        println!("_Static_assert(sizeof({name}) == {size}, \"{name}\");");
        for (field, offset, size) in *fields {
            // Names that are Rust keywords end with _ there.
            let field = field.trim_end_matches('_');
            println!("_Static_assert(offsetof({name}, {field}) == {offset}, \"{name}.{field}\");");
            println!("_Static_assert(sizeof((({name} *)0)->{field}) == {size}, \"{name}.{field}\");");
        }
    }
}
