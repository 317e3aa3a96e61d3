import TesseraGeometry

/// What sort of element a row is.
public enum ElementCategory: Int32, CaseIterable, Comparable, Sendable {
  /// An item of the data.
  case cell = 0
  /// A header, footer or other view that goes with a section.
  case supplementary = 1
  /// An ornament that the data do not know of.
  case decoration = 2

  /// "cell", "supplementary" or "decoration".
  public var name: String {
    switch self {
    case .cell: "cell"
    case .supplementary: "supplementary"
    case .decoration: "decoration"
    }
  }

  /// The order of listings: cells, decorations, supplementary elements.
  public static func < (left: ElementCategory, right: ElementCategory) -> Bool {
    left.name < right.name
  }
}

/// Which element of a layout something is.
public struct ElementIdentity: Equatable, Hashable, Sendable {
  /// What sort of element it is.
  public var category: ElementCategory
  /// The kind's name; nil for cells.
  public var kind: String?
  /// The section, from 0.
  public var section: Int
  /// The place in the section, from 0.
  public var item: Int

  /// An element by category, kind and place.
  public init(category: ElementCategory, kind: String? = nil, section: Int, item: Int) {
    self.category = category
    self.kind = kind
    self.section = section
    self.item = item
  }

  /// The cell at a place.
  public static func cell(section: Int, item: Int) -> ElementIdentity {
    ElementIdentity(category: .cell, section: section, item: item)
  }
}

extension ElementIdentity: CustomStringConvertible {
  /// The element's name in every text: "cell 3 of section 0", "header 0 of section 2".
  public var description: String { "\(kind ?? category.name) \(item) of section \(section)" }
}

/// One element of a layout: who it is and where it goes.
public struct Element: Equatable, Sendable {
  /// Which element it is.
  public var identity: ElementIdentity
  /// Where it goes, in points of the content.
  public var frame: Rect
  /// A 3D transform about the frame's centre.
  public var transform: Transform
  /// Opacity, 0...1.
  public var alpha: Double
  /// The order of drawing: higher lies in front.
  public var zIndex: Int
  /// Whether it is not shown.
  public var isHidden: Bool
  /// The engine's own attributes, in the order of `Elements.attributes`.
  public var attributes: [Value]

  /// An element with the values that hold where an engine says nothing else.
  public init(
    identity: ElementIdentity, frame: Rect, transform: Transform = .identity, alpha: Double = 1,
    zIndex: Int = 0, isHidden: Bool = false, attributes: [Value] = []
  ) {
    self.identity = identity
    self.frame = frame
    self.transform = transform
    self.alpha = alpha
    self.zIndex = zIndex
    self.isHidden = isHidden
    self.attributes = attributes
  }
}
