//! Prints what lies where in the contract's structs, as assertions in C.

#[path = "../../../../Sources/Bindings/Rust/tessera.rs"]
mod tessera;

fn main() {
    for (name, size, fields) in tessera::contract::LAYOUTS {
        println!("_Static_assert(sizeof({name}) == {size}, \"{name}\");");
        for (field, offset, size) in *fields {
            // Names that are keywords of Rust end with a _ there.
            let field = field.trim_end_matches('_');
            println!("_Static_assert(offsetof({name}, {field}) == {offset}, \"{name}.{field}\");");
            println!("_Static_assert(sizeof((({name} *)0)->{field}) == {size}, \"{name}.{field}\");");
        }
    }
}
