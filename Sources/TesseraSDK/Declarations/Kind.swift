import CTessera

/// A kind of supplementary or decoration element that the layout places.
///
/// ```swift
/// let header = Kind(.supplementary)
/// ```
public final class Kind {
  /// What elements of a kind can be; cells have none.
  public enum Category: Sendable {
    /// An element that belongs to the data, such as a header.
    case supplementary
    /// An element that belongs to the layout, such as a separator.
    case decoration
  }

  /// What elements of this kind are.
  public let category: Category
  let name: String?
  /// The kind's number for this engine, known once the layout is bound to its engine.
  var number: UInt32 = 0

  /// A kind under the name of the property that holds it, or under `name`.
  public init(_ category: Category, named name: String? = nil) {
    self.category = category
    self.name = name
  }
}

extension Kind: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    number = UInt32(declarations.kinds.count)
    declarations.kinds.append((self.name ?? name, self))
  }
}

extension Kind.Category {
  var contractCategory: tessera_category {
    switch self {
    case .supplementary: TESSERA_SUPPLEMENTARY
    case .decoration: TESSERA_DECORATION
    }
  }
}
