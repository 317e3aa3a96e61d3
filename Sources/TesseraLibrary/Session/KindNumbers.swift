import TesseraHost

/// Numbers the kinds that a session answers with, by name: a kind keeps its number whatever the engine
/// is replaced by.
struct KindNumbers {
  /// The names in the order of their numbers.
  private(set) var names: [String] = []
  private var numbered: [KindDescription] = []
  private var numbers: [UInt32] = []

  /// The number of a kind, which it gets if it has none.
  mutating func number(of name: String) -> UInt32 {
    if let known = names.firstIndex(of: name) { return UInt32(known) }
    names.append(name)
    return UInt32(names.count - 1)
  }

  /// The number of each of a layout's kinds.
  ///
  /// - Complexity: O(1) where they are those of the layout before.
  mutating func numbers(of kinds: [KindDescription]) -> [UInt32] {
    if kinds != numbered {
      numbers = kinds.map { number(of: $0.name) }
      numbered = kinds
    }
    return numbers
  }
}
