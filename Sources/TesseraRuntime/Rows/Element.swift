import CTessera
import TesseraCatalog
import TesseraGeometry

/// The index path of an element: its category, kind, section and item.
public struct ElementIdentity: Equatable, Hashable, Sendable {
  /// Whether the element is a cell, a supplementary or a decoration.
  public var category: ElementCategory
  /// The kind's name; nil for cells.
  public var kind: String?
  /// The section, from 0.
  public var section: Int
  /// The item, from 0: the number of the element among those of its category, kind and section.
  public var item: Int

  /// Creates the index path of an element.
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
  /// The index path as messages write it: "cell 3 of section 0", "header 0 of section 2".
  public var description: String { "\(kind ?? category.name) \(item) of section \(section)" }
}

/// One element of a layout: its index path, its frame and its attributes.
public struct Element: Equatable, Sendable {
  /// The element's index path.
  public var identity: ElementIdentity
  /// The frame, in points of the content.
  public var frame: Rect
  /// A 3D transform around the centre of the frame.
  public var transform: Transform
  /// The opacity, 0...1.
  public var alpha: Double
  /// The drawing order: elements with a higher value are in front.
  public var zIndex: Int
  /// Whether the element is hidden.
  public var isHidden: Bool
  /// The engine's own attributes, in the order of `Elements.attributes`.
  public var attributes: [Value]

  /// Creates an element; values that are left out have the defaults of an engine's new rows.
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

/// The elements that a query returned, sorted by section, category (cell, decoration,
/// supplementary), kind and item.
///
/// A copy that later changes of the session do not affect. It stores columns and creates an
/// `Element` when you access it.
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

  /// The built-in columns that exist besides the frame.
  public let columns: BuiltInColumns
  /// The attributes that the engine and its base engines declare.
  public let attributes: [AttributeDescription]
  package let kinds: [KindDescription]
  package internal(set) var rows: ContiguousArray<Row> = []
  package internal(set) var frames: ContiguousArray<Rect> = []
  package internal(set) var transforms: ContiguousArray<Transform> = []
  package internal(set) var alphas: ContiguousArray<Double> = []
  package internal(set) var zIndexes: ContiguousArray<Int32> = []
  package internal(set) var hidden: ContiguousArray<UInt8> = []
  /// The bytes of each attribute's column.
  package var attributeBytes: [ContiguousArray<UInt8>]

  package init(
    columns: BuiltInColumns, attributes: [AttributeDescription], kinds: [KindDescription]
  ) {
    self.columns = columns
    self.attributes = attributes
    self.kinds = kinds
    attributeBytes = Array(repeating: [], count: attributes.count)
  }

  /// Stores elements, which must be in listing order, as columns.
  ///
  /// A value that an element lacks, or that does not have its attribute's type, is the attribute's
  /// initial one.
  package init(_ elements: [Element], attributes: [AttributeDescription]) {
    var kinds: [KindDescription] = []
    for identity in elements.map(\.identity) where identity.category != .cell {
      let kind = KindDescription(name: identity.kind ?? "", category: identity.category)
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    self.init(columns: .all, attributes: attributes, kinds: kinds)
    for element in elements {
      let identity = element.identity
      let kind = kinds.firstIndex {
        $0.name == identity.kind && $0.category == identity.category
      }
      rows.append(
        Row(
          category: identity.category, kind: UInt32(kind ?? 0), section: UInt32(identity.section),
          item: UInt64(identity.item)))
      frames.append(element.frame)
      transforms.append(element.transform)
      alphas.append(element.alpha)
      zIndexes.append(Int32(clamping: element.zIndex))
      hidden.append(element.isHidden ? 1 : 0)
      for (number, attribute) in attributes.enumerated() {
        let given = number < element.attributes.count ? element.attributes[number] : nil
        let raw = [given, attribute.initial].lazy.compactMap {
          $0?.raw(as: attribute.type, choices: attribute.choices)
        }.first
        withUnsafeBytes(of: raw ?? tessera_value()) {
          attributeBytes[number].append(contentsOf: $0.prefix(attribute.type.stride))
        }
      }
    }
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { rows.count }

  /// The element at a position.
  public subscript(position: Int) -> Element {
    Element(
      identity: identity(at: position), frame: frames[position],
      transform: transforms.isEmpty ? .identity : transforms[position],
      alpha: alphas.isEmpty ? 1 : alphas[position],
      zIndex: zIndexes.isEmpty ? 0 : Int(zIndexes[position]),
      isHidden: hidden.isEmpty ? false : hidden[position] == 1,
      attributes: attributes.indices.map { attribute($0, at: position) })
  }

  /// The frame of the element at a position.
  public func frame(at position: Int) -> Rect { frames[position] }

  /// The index path of the element at a position.
  public func identity(at position: Int) -> ElementIdentity {
    let row = rows[position]
    return ElementIdentity(
      category: row.category, kind: row.category == .cell ? nil : kinds[Int(row.kind)].name,
      section: Int(row.section), item: Int(row.item))
  }

  /// The value of an attribute, by its index in `attributes`, of the element at a position.
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
