import TesseraCatalog
import TesseraGeometry

/// An element's index path: category, kind, section and item.
public struct ElementIdentity: Equatable, Hashable, Sendable {
  /// Cell, supplementary or decoration.
  public var category: ElementCategory
  /// The kind's name; nil for cells.
  public var kind: String?
  /// The section, from 0.
  public var section: Int
  /// The item, from 0 in its category, kind and section.
  public var item: Int

  /// Creates an index path.
  public init(category: ElementCategory, kind: String? = nil, section: Int, item: Int) {
    self.category = category
    self.kind = kind
    self.section = section
    self.item = item
  }

  /// The index path of a cell.
  public static func cell(section: Int, item: Int) -> ElementIdentity {
    ElementIdentity(category: .cell, section: section, item: item)
  }
}

extension ElementIdentity: CustomStringConvertible {
  /// As in messages: "cell 3 of section 0", "header 0 of section 2".
  public var description: String { "\(kind ?? category.name) \(item) of section \(section)" }
}

/// An element of a layout.
public struct Element: Equatable, Sendable {
  /// The index path.
  public var identity: ElementIdentity
  /// The frame, in points of the content.
  public var frame: Rect
  /// A 3D transform around the frame's centre.
  public var transform: Transform
  /// The opacity, 0...1.
  public var alpha: Double
  /// The drawing order; higher is in front.
  public var zIndex: Int
  /// Whether the element is hidden.
  public var isHidden: Bool
  /// The engine's attributes, in the order of `Elements.attributes`.
  public var attributes: [Value]

  /// Creates an element, by default with the values of an engine's new row.
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

/// A query's result, sorted by section, category (cell, decoration, supplementary), kind, item.
///
/// A copy, unaffected by later changes. Elements are created on access from columns, whose memory
/// the session reuses once no `Elements` refers to it.
public struct Elements: RandomAccessCollection, Sendable {
  package let memory: ElementColumns

  package init(_ memory: ElementColumns) { self.memory = memory }

  /// The built-in columns besides the frame.
  public var columns: BuiltInColumns { memory.columns }
  /// The attributes of the engine and its bases.
  public var attributes: [AttributeDescription] { memory.declared }
  /// The supplementary and decoration kinds of the engine and its bases.
  public var kinds: [KindDescription] { memory.kinds }

  /// Stores elements, which must be in listing order, as columns.
  ///
  /// A missing or mistyped value becomes the attribute's initial value.
  public init(_ elements: [Element], attributes: [AttributeDescription]) {
    var kinds: [KindDescription] = []
    for identity in elements.map(\.identity) where identity.category != .cell {
      let kind = KindDescription(name: identity.kind ?? "", category: identity.category)
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    memory = ElementColumns(kinds: kinds, attributes: attributes)
    memory.provide(elements.count)
    for element in elements {
      memory.append(element, kind: kinds.number(of: element.identity) ?? 0)
    }
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { memory.count }

  /// The element at a position.
  ///
  /// - Complexity: O(log *r*) for *r* runs of consecutive items.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "there is no element at this position")
    return Element(
      identity: identity(at: position), frame: memory.frames[position],
      transform: memory.transforms?[position] ?? .identity,
      alpha: memory.alphas?[position] ?? 1,
      zIndex: memory.zIndexes.map { Int($0[position]) } ?? 0,
      isHidden: memory.hidden?[position] == 1,
      attributes: memory.declared.indices.map { attribute($0, at: position) })
  }

  /// The frame at a position.
  public func frame(at position: Int) -> Rect {
    precondition(indices.contains(position), "there is no element at this position")
    return memory.frames[position]
  }

  /// The index path at a position.
  ///
  /// - Complexity: O(log *r*) for elements of *r* runs of consecutive items.
  public func identity(at position: Int) -> ElementIdentity {
    precondition(indices.contains(position), "there is no element at this position")
    let run = memory.runs[memory.runs.lastIndex(atOrBefore: position, from: 0)]
    return ElementIdentity(
      category: run.category, kind: run.category == .cell ? nil : kinds[Int(run.kind)].name,
      section: Int(run.section), item: run.item(atRow: position))
  }

  /// An attribute's value at a position, by its index in `attributes`.
  public func attribute(_ number: Int, at position: Int) -> Value {
    let attribute = memory.declared[number]
    let value = memory.attribute(number).flatMap {
      Value(
        at: $0 + position * attribute.type.stride, type: attribute.type, choices: attribute.choices)
    }
    return value ?? attribute.initial
  }
}

// Columns without a copy; a span is valid until the closure returns.
extension Elements {
  /// Calls a closure with all frames.
  public func withFrames<Result, Failure>(
    _ body: (Span<Rect>) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(span(memory.frames).span) }

  /// Calls a closure with all transforms; empty if all are the identity.
  public func withTransforms<Result, Failure>(
    _ body: (Span<Transform>) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(span(memory.transforms).span) }

  /// Calls a closure with all alphas; empty if all are 1.
  public func withAlphas<Result, Failure>(
    _ body: (Span<Double>) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(span(memory.alphas).span) }

  /// Calls a closure with all z indexes; empty if all are 0.
  public func withZIndexes<Result, Failure>(
    _ body: (Span<Int32>) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(span(memory.zIndexes).span) }

  /// Calls a closure with 1 for each hidden element, else 0; empty if all are visible.
  public func withHidden<Result, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(span(memory.hidden).span) }

  private func span<Item>(_ column: UnsafeMutablePointer<Item>?) -> UnsafeBufferPointer<Item> {
    UnsafeBufferPointer(start: column, count: column == nil ? 0 : count)
  }
}
