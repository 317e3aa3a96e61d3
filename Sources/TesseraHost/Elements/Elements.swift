import TesseraGeometry

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
  var attributeBytes: [ContiguousArray<UInt8>]

  init(
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
