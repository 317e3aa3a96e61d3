import CTessera
import TesseraCatalog
import TesseraGeometry

/// Copies rows out of a store and checks the values that the engine wrote.
package struct ElementGatherer {
  package let store: RowStore
  package let numbering: Numbering
  /// The width of the content if the host mirrors the layout for right-to-left; else nil.
  package let mirrorWidth: Double?
  package private(set) var elements: Elements

  package init(store: RowStore, numbering: Numbering, columns: BuiltInColumns, mirrorWidth: Double?)
  {
    self.store = store
    self.numbering = numbering
    self.mirrorWidth = mirrorWidth
    elements = Elements(
      columns: columns, attributes: numbering.attributes, kinds: numbering.kinds)
  }

  /// Copies some rows of a run.
  ///
  /// Another process may write to the rows at the same time, so the checks read the copy.
  ///
  /// - Throws: `.brokenContract`, naming the element and the invalid value.
  package mutating func append(_ run: Run, rows: Range<Int>) throws(HostError) {
    let start = elements.rows.count
    for row in rows {
      elements.rows.append(
        Elements.Row(
          category: run.category, kind: run.kind, section: run.section,
          item: run.firstItem + UInt64(row - run.row)))
    }
    elements.frames.append(contentsOf: Self.part(store.frames, rows))
    for place in start..<elements.rows.count {
      let frame = elements.frames[place]
      guard frame.isValid else {
        throw broken(
          place, "the frame \(Value.rect(frame))", "finite numbers and a size of 0 or more")
      }
      if let mirrorWidth { elements.frames[place].x = mirrorWidth - frame.x - frame.width }
    }
    try appendBuiltIn(start, rows)
    try appendAttributes(start, rows)
  }

  private static func part<Item>(
    _ column: UnsafeMutablePointer<Item>, _ rows: Range<Int>
  ) -> UnsafeBufferPointer<Item> {
    UnsafeBufferPointer(start: column + rows.lowerBound, count: rows.count)
  }

  private mutating func appendBuiltIn(_ start: Int, _ rows: Range<Int>) throws(HostError) {
    let places = start..<elements.rows.count
    if let transforms = store.transforms {
      elements.transforms.append(contentsOf: Self.part(transforms, rows))
      for place in places {
        let transform = elements.transforms[place]
        guard transform.isFinite else {
          throw broken(place, "a transform that is not finite", "finite numbers")
        }
        if mirrorWidth != nil { elements.transforms[place] = transform.mirrored }
      }
    }
    if let alphas = store.alphas {
      elements.alphas.append(contentsOf: Self.part(alphas, rows))
      for place in places where !(elements.alphas[place] >= 0 && elements.alphas[place] <= 1) {
        throw broken(place, "the alpha \(elements.alphas[place].shortText)", "0 to 1")
      }
    }
    if let zIndexes = store.zIndexes {
      elements.zIndexes.append(contentsOf: Self.part(zIndexes, rows))
    }
    if let hidden = store.hidden {
      elements.hidden.append(contentsOf: Self.part(hidden, rows))
      for place in places where elements.hidden[place] > 1 {
        throw broken(place, "the hidden value \(elements.hidden[place])", "0 or 1")
      }
    }
  }

  private mutating func appendAttributes(_ start: Int, _ rows: Range<Int>) throws(HostError) {
    for (number, column) in store.attributes.enumerated() {
      guard let memory = column.memory else { continue }
      let attribute = numbering.attributes[number]
      elements.attributeBytes[number].append(
        contentsOf: UnsafeRawBufferPointer(
          start: memory.base + rows.lowerBound * column.stride,
          count: rows.count * column.stride))
      let choices = attribute.choices.count
      let invalid = elements.attributeBytes[number].withUnsafeBytes { bytes in
        (start..<elements.rows.count).first {
          !attribute.type.isValid(
            bytes.baseAddress! + $0 * column.stride, choiceCount: choices)
        }
      }
      if let invalid {
        let found = elements.attributeBytes[number].withUnsafeBytes { bytes in
          let address = bytes.baseAddress! + invalid * column.stride
          return attribute.type == .choice
            ? "the choice \(address.load(as: Int32.self))"
            : "\(Value.load(attribute.type, from: address))"
        }
        throw broken(
          invalid, "an invalid value for \(attribute.name), \(found)",
          attribute.type == .choice
            ? "0 to \(choices - 1), an index into its choices"
            : "a finite \(attribute.type.name)")
      }
      if mirrorWidth != nil { mirror(attribute.type, number, start) }
    }
  }

  /// Mirrors the points, rects and insets of an attribute with their elements.
  private mutating func mirror(_ type: ValueType, _ number: Int, _ start: Int) {
    guard type.isMirrored else { return }
    for place in start..<elements.rows.count {
      let width = elements.frames[place].width
      elements.attributeBytes[number].withUnsafeMutableBytes { bytes in
        type.mirror(bytes.baseAddress! + place * type.stride, in: width)
      }
    }
  }

  private func broken(_ place: Int, _ found: String, _ expected: String) -> HostError {
    let row = elements.rows[place]
    let kind = row.category == .cell ? "cell" : numbering.kinds[Int(row.kind)].name
    return HostError(
      .brokenContract,
      "it gave \(kind) \(row.item) of section \(row.section) \(found); expected "
        + expected)
  }
}

extension RowStore {
  /// Writes an element to the existing columns of a row.
  ///
  /// - Parameter width: The width of the content in which the element is mirrored, to mirror it
  ///   back; nil if it is not.
  package func write(
    _ element: Element, at row: Int, attributes declared: [AttributeDescription],
    mirroredIn width: Double?
  ) {
    frames[row] = width.map { element.frame.mirrored(in: $0) } ?? element.frame
    transforms?[row] = width == nil ? element.transform : element.transform.mirrored
    alphas?[row] = element.alpha
    zIndexes?[row] = Int32(clamping: element.zIndex)
    hidden?[row] = element.isHidden ? 1 : 0
    for (number, value) in element.attributes.enumerated() {
      let seen = width == nil ? value : value.mirrored(in: element.frame.width)
      guard let memory = attributes[number].memory,
        let raw = seen.raw(as: declared[number].type, choices: declared[number].choices)
      else { continue }
      let stride = attributes[number].stride
      withUnsafeBytes(of: raw) { bytes in
        (memory.base + row * stride).copyMemory(from: bytes.baseAddress!, byteCount: stride)
      }
    }
  }
}

extension Rect {
  /// A rect that is larger than any content.
  package static let everything = Rect(x: -1e13, y: -1e13, width: 2e13, height: 2e13)

  /// The rect mirrored horizontally in content of a width.
  package func mirrored(in width: Double) -> Rect {
    Rect(x: width - x - self.width, y: y, width: self.width, height: height)
  }
}

extension Value {
  /// The value of an attribute of an element that is mirrored.
  ///
  /// - Parameter width: The width of the element's frame.
  package func mirrored(in width: Double) -> Value {
    guard type.isMirrored else { return self }
    var numbers = numbers
    numbers.withUnsafeMutableBytes { type.mirror($0.baseAddress!, in: width) }
    return Value(type: type, numbers: numbers) ?? self
  }
}
