import TesseraCatalog
import TesseraGeometry

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

/// Elements that a layout answered with, sorted by section, category (cell, decoration,
/// supplementary), kind and item.
///
/// A copy: it stays as it is whatever becomes of the session. It is kept as columns; an element is
/// made when it is asked for.
public struct Elements: RandomAccessCollection, Sendable {
  package struct Row {
    package var category: ElementCategory
    package var kind: UInt32
    package var section: UInt32
    package var item: UInt64

    package init(category: ElementCategory, kind: UInt32, section: UInt32, item: UInt64) {
      self.category = category
      self.kind = kind
      self.section = section
      self.item = item
    }
  }

  /// The built-in columns that exist beside the frame.
  public let columns: BuiltInColumns
  /// The attributes that the engine and its bases declare.
  public let attributes: [AttributeDescription]
  package let kinds: [KindDescription]
  package internal(set) var rows: ContiguousArray<Row> = []
  package internal(set) var frames: ContiguousArray<Rect> = []
  package internal(set) var transforms: ContiguousArray<Transform> = []
  package internal(set) var alphas: ContiguousArray<Double> = []
  package internal(set) var zIndexes: ContiguousArray<Int32> = []
  package internal(set) var hidden: ContiguousArray<UInt8> = []
  /// Each attribute's values, one after the other.
  package var attributeBytes: [ContiguousArray<UInt8>]

  package init(
    columns: BuiltInColumns, attributes: [AttributeDescription], kinds: [KindDescription]
  ) {
    self.columns = columns
    self.attributes = attributes
    self.kinds = kinds
    attributeBytes = Array(repeating: [], count: attributes.count)
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many elements there are.
  public var endIndex: Int { rows.count }

  /// The element at a place in the order.
  public subscript(position: Int) -> Element {
    Element(
      identity: identity(at: position), frame: frames[position],
      transform: transforms.isEmpty ? .identity : transforms[position],
      alpha: alphas.isEmpty ? 1 : alphas[position],
      zIndex: zIndexes.isEmpty ? 0 : Int(zIndexes[position]),
      isHidden: hidden.isEmpty ? false : hidden[position] == 1,
      attributes: attributes.indices.map { attribute($0, at: position) })
  }

  /// Where an element goes.
  public func frame(at position: Int) -> Rect { frames[position] }

  /// Which element is at a place in the order.
  public func identity(at position: Int) -> ElementIdentity {
    let row = rows[position]
    return ElementIdentity(
      category: row.category, kind: row.category == .cell ? nil : kinds[Int(row.kind)].name,
      section: Int(row.section), item: Int(row.item))
  }

  /// A value of one of `attributes`.
  public func attribute(_ number: Int, at position: Int) -> Value {
    let attribute = attributes[number]
    let value = attributeBytes[number].withUnsafeBytes { bytes in
      (bytes.isEmpty ? nil : bytes.baseAddress).flatMap {
        Value(
          at: $0 + position * attribute.type.stride, type: attribute.type,
          choices: attribute.choices)
      }
    }
    return value ?? attribute.initial
  }
}
