import TesseraHost

/// What a layout or an animation is of: one engine, or two on the way from one to the other.
struct Subject {
  /// For people.
  let name: String
  /// For programs.
  let id: String

  init(_ engine: Engine) {
    name = engine.description.name
    id = engine.description.id
  }

  init(from first: Engine, to second: Engine) {
    name = "\(first.description.name) → \(second.description.name)"
    id = "\(first.description.id) → \(second.description.id)"
  }
}
