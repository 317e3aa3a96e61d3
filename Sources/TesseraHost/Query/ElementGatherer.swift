import TesseraGeometry

/// Copies rows out of a store and checks what the engine wrote.
struct ElementGatherer {
  let store: RowStore
  let numbering: Numbering
  /// The content's width where the layout is mirrored for right-to-left.
  let mirrorWidth: Double?
  private(set) var elements: Elements

  init(store: RowStore, numbering: Numbering, columns: BuiltInColumns, mirrorWidth: Double?) {
    self.store = store
    self.numbering = numbering
    self.mirrorWidth = mirrorWidth
    elements = Elements(
      columns: columns, attributes: numbering.attributes, kinds: numbering.kinds)
  }

  /// Copies some rows of a run.
  ///
  /// - Throws: `.brokenContract` with the element and what is wrong with it.
  mutating func append(_ run: Run, rows: Range<Int>) throws(HostError) {
    for row in rows {
      let item = run.firstItem + UInt64(row - run.row)
      elements.rows.append(
        Elements.Row(category: run.category, kind: run.kind, section: run.section, item: item))
      var frame = store.frames[row]
      guard frame.isSound else {
        throw broken(
          run, item, "the frame \(Value.rect(frame))", "finite numbers and a size of 0 or more")
      }
      if let mirrorWidth { frame.x = mirrorWidth - frame.x - frame.width }
      elements.frames.append(frame)
    }
    try appendBuiltIn(run, rows)
    try appendAttributes(run, rows)
  }

  private mutating func appendBuiltIn(_ run: Run, _ rows: Range<Int>) throws(HostError) {
    for row in rows {
      let item = run.firstItem + UInt64(row - run.row)
      if let transforms = store.transforms {
        let transform = transforms[row]
        guard transform.isFinite else {
          throw broken(run, item, "a transform that is not finite", "finite numbers")
        }
        elements.transforms.append(mirrorWidth == nil ? transform : transform.mirrored)
      }
      if let alphas = store.alphas {
        let alpha = alphas[row]
        guard alpha >= 0, alpha <= 1 else {
          throw broken(run, item, "the alpha \(alpha.shortText)", "0 to 1")
        }
        elements.alphas.append(alpha)
      }
      if let zIndexes = store.zIndexes { elements.zIndexes.append(zIndexes[row]) }
      if let hidden = store.hidden {
        let isHidden = hidden[row]
        guard isHidden <= 1 else {
          throw broken(run, item, "the hidden value \(isHidden)", "0 or 1")
        }
        elements.hidden.append(isHidden)
      }
    }
  }

  private mutating func appendAttributes(_ run: Run, _ rows: Range<Int>) throws(HostError) {
    for (number, column) in store.attributes.enumerated() {
      guard let memory = column.memory else { continue }
      let attribute = numbering.attributes[number]
      for row in rows {
        let value = memory.base + row * column.stride
        guard attribute.type.isSound(value, choiceCount: attribute.choices.count) else {
          throw broken(
            run, run.firstItem + UInt64(row - run.row),
            "a value for \(attribute.name) that is none",
            "a finite \(attribute.type.name)")
        }
      }
      elements.attributeBytes[number].append(
        contentsOf: UnsafeRawBufferPointer(
          start: memory.base + rows.lowerBound * column.stride,
          count: rows.count * column.stride))
    }
  }

  private func broken(
    _ run: Run, _ item: UInt64, _ found: String, _ expected: String
  ) -> HostError {
    let kind = run.category == .cell ? "cell" : numbering.kinds[Int(run.kind)].name
    return HostError(
      .brokenContract,
      "it gave \(kind) \(item) of section \(run.section) \(found); the contract wants \(expected)")
  }
}

extension ValueType {
  /// Whether memory, aligned for the type, holds a value of it that is finite.
  fileprivate func isSound(_ memory: UnsafeRawPointer, choiceCount: Int) -> Bool {
    switch self {
    case .bool: return memory.load(as: UInt8.self) <= 1
    case .integer: return true
    case .choice:
      let index = memory.load(as: Int32.self)
      return index >= 0 && Int(index) < choiceCount
    case .number, .point, .size, .rect, .insets:
      // The difference of a double from itself is 0 exactly if it is finite.
      var sum = 0.0
      for offset in Swift.stride(from: 0, to: stride, by: 8) {
        let number = memory.load(fromByteOffset: offset, as: Double.self)
        sum += number - number
      }
      return sum == 0
    }
  }
}
