import TesseraGeometry

/// Elements that a layout answered with, sorted by section, category (cell, decoration,
/// supplementary), kind and item.
///
/// A copy: it stays as it is whatever becomes of the session. It is kept as columns; an element is
/// made when it is asked for.
public struct Elements: RandomAccessCollection, Sendable {
  struct Row {
    var category: ElementCategory
    var kind: UInt32
    var section: UInt32
    var item: UInt64
  }

  /// The built-in columns that exist beside the frame.
  public let columns: BuiltInColumns
  /// The attributes that the engine and its bases declare.
  public let attributes: [AttributeDescription]
  let kinds: [KindDescription]
  var rows: ContiguousArray<Row> = []
  var frames: ContiguousArray<Rect> = []
  var transforms: ContiguousArray<Transform> = []
  var alphas: ContiguousArray<Double> = []
  var zIndexes: ContiguousArray<Int32> = []
  var hidden: ContiguousArray<UInt8> = []
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
