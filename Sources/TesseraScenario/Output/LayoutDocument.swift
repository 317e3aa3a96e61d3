import Foundation

/// A layout as its JSON tells it, to be compared with another: an expected one may leave numbers
/// open with null.
public struct LayoutDocument: Equatable, Sendable {
  /// One element; nil stands for what is not known.
  public struct Entry: Equatable, Sendable {
    /// Which element it is.
    public var identity: ElementIdentity
    /// x, y, width and height in points of the content.
    public var frame: [Double?]
    /// The order of drawing.
    public var zIndex: Int
    /// Opacity.
    public var alpha: Double
    /// Whether it is not shown.
    public var isHidden: Bool
    /// A 3D transform, sixteen numbers row by row.
    public var transform: [Double]
    /// The engine's own attributes by name.
    public var attributes: [String: JSONValue]
  }

  /// The engine's id, where the document names it.
  public var engine: String?
  /// Width and height, where known.
  public var contentSize: [Double?]
  /// The elements in the document's order.
  public var elements: [Entry]

  /// The document of a layout that is at hand; the attributes are those of the elements.
  public init(
    engine: String? = nil, contentSize: Size, elements: some Sequence<Element>,
    attributes: [AttributeDescription] = []
  ) {
    self.engine = engine
    self.contentSize = [contentSize.width, contentSize.height]
    self.elements = elements.map { element in
      let frame = element.frame
      let named = zip(attributes.map(\.name), element.attributes.map { JSONValue($0) })
      return Entry(
        identity: element.identity, frame: [frame.x, frame.y, frame.width, frame.height],
        zIndex: element.zIndex, alpha: element.alpha, isHidden: element.isHidden,
        transform: element.transform.elements,
        attributes: Dictionary(named, uniquingKeysWith: { first, _ in first }))
    }
  }
}

extension JSONValue {
  /// The JSON of a value: a vector is a list, a choice its name.
  public init(_ value: Value) {
    switch value {
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .number(Double(integer))
    case .number(let number): self = .number(number)
    case .choice(let name): self = .string(name)
    case .point, .size, .rect, .insets: self = .array(value.numbers.map { .number($0) })
    }
  }
}
