import CTessera
import TesseraCatalog
import TesseraGeometry

/// Sections that are laid out separately.
package struct LayoutPart: Equatable, PlainCodable {
  package let sectionCount: Int
  package let bounds: Size

  package init(sectionCount: Int, bounds: Size) {
    self.sectionCount = sectionCount
    self.bounds = bounds
  }
}

/// A parameter with a value per part.
package struct PartParameter: ByteCodable {
  package let place: SessionValues.Place
  package let values: [tessera_value]

  package init(place: SessionValues.Place, values: [tessera_value]) {
    self.place = place
    self.values = values
  }

  package subscript(parts: Range<Int>) -> PartParameter {
    PartParameter(place: place, values: Array(values[parts]))
  }

  package func write(to writer: inout ByteWriter) {
    for number in [place.layer, place.index, values.count] { writer.put(number) }
    values.withUnsafeBytes { writer.put(raw: $0) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> PartParameter {
    let place = SessionValues.Place(layer: try reader.read(), index: try reader.read())
    let count = try reader.read(Int.self)
    guard count >= 0, count <= BatchQuestion.limit else {
      throw ByteReader.broken("has \(count) values of a parameter")
    }
    let bytes = try reader.raw(count: count * MemoryLayout<tessera_value>.stride)
    var values = Array(repeating: tessera_value(), count: count)
    values.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
    return PartParameter(place: place, values: values)
  }
}

/// Sections are numbered from 0.
package typealias PreparedPart = (contentSize: Size, store: RowStore)

extension LayoutChain {
  package func prepareEach(
    _ parts: [LayoutPart], _ context: CallContext,
    receive: (Int, Result<PreparedPart, HostError>) -> Bool
  ) {
    var number = 0
    prepareEach(parts, from: 0, context) { result in
      defer { number += 1 }
      return receive(number, result)
    }
  }

  // `finish` gets each part's rows, or its error, and returns whether to go on. Rows are valid
  // until it returns, or to the end if it keeps them. Stops when kept rows leave too little room.
  package func prepareEach(
    _ parts: [LayoutPart], from first: Int, _ context: CallContext,
    finish: (Result<PreparedPart, HostError>) -> Bool
  ) {
    let whole = state.sectionStarts
    let most = parts.reduce(0) { max($0, $1.sectionCount) }
    let starts = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: most + 1)
    defer { starts.deallocate() }
    var context = context
    context.change = tessera_change(
      what: TESSERA_CHANGED_ALL, first_section: 0, first_item: 0, last_count: 0)
    var (section, reported) = (first, [String]())
    for (number, part) in parts.enumerated() {
      let item = whole[section]
      for number in 0...part.sectionCount { starts[number] = whole[section + number] - item }
      state.sectionStarts = UnsafeBufferPointer(
        start: starts.baseAddress, count: part.sectionCount + 1)
      values.use((number, section, Int(item)))
      context.viewport.bounds = part.bounds
      let result = Result { () throws(HostError) in try layOutPart(context) }
      let isInRoom = !prepared.lacksKeptRoom && answers?.lacksKeptRoom != true
      let shouldContinue = isInRoom && finish(result)
      section += part.sectionCount
      if reported.count < 100, layers.contains(where: { !$0.host.warnings.isEmpty }) {
        reported += warnings
      }
      guard shouldContinue else { break }
    }
    state.sectionStarts = whole
    values.use(nil)
    index.forget()
    prepared.releaseRows()
    answers?.releaseRows()
    for layer in layers { layer.host.clear() }
    partWarnings = reported
  }

  /// Queries a lazy layout for everything, and adjusts.
  private func layOutPart(_ context: CallContext) throws(HostError) -> PreparedPart {
    let size = try place(context)
    guard traits.isLazy || isAdjusted else { return (size, prepared) }
    var context = context
    if traits.isMirrored, context.viewport.direction == .rightToLeft {
      context.mirrorWidth = size.width
    }
    let store = try answerStore(limit: prepared.capacity)
    try answer(everythingOf: size, context, in: store)
    return (size, store)
  }

  private func answer(
    everythingOf size: Size, _ context: CallContext, in store: RowStore
  ) throws(HostError) {
    if traits.isLazy {
      try perform(.elements, context, in: store, "everything") {
        query(from: 0, .everything(of: size))
      }
      try store.forEachMissingCell(state.sectionStarts) { cell throws(HostError) in
        _ = try ElementQuestion(run: cell.contract).answer(by: self, store, context)
      }
    } else {
      for place in prepared.runs.count == 1 ? [0] : try index.order().places {
        let run = prepared.runs[place]
        guard store.append(run, rows: run.row..<run.row + run.count, of: prepared) != nil else {
          store.refuse()
          throw .noRoom(traits.id, capacity: store.capacity, .askForPart)
        }
      }
    }
    guard isAdjusted else { return }
    _ = try AdjustQuestion(rect: .everything).answer(by: self, store, context)
  }

}

extension RowStore {
  /// Cells without width or height intersect no rect, and must be looked up.
  package func forEachMissingCell<Failure: Error>(
    _ starts: UnsafeBufferPointer<UInt64>, _ body: (Run) throws(Failure) -> Void
  ) throws(Failure) {
    let found = runs.filter { $0.category == .cell }
      .sorted { ($0.section, $0.firstItem) < ($1.section, $1.firstItem) }
    guard found.reduce(0, { $0 + UInt64($1.count) }) < starts.last ?? 0 else { return }
    var place = 0
    for section in 0..<max(1, starts.count) - 1 {
      let count = starts[section + 1] - starts[section]
      var next: UInt64 = 0
      while true {
        let run = place < found.count && Int(found[place].section) == section ? found[place] : nil
        for item in next..<max(next, run?.firstItem ?? count) {
          try body(
            Run(
              category: .cell, kind: 0, section: UInt32(section), firstItem: item, count: 1, row: 0)
          )
        }
        guard let run else { break }
        next = run.firstItem + UInt64(run.count)
        place += 1
      }
    }
  }

  package func append(all other: RowStore) -> Bool {
    other.runs.allSatisfy { append($0, rows: $0.row..<$0.row + $0.count, of: other) != nil }
  }
}

extension Run {
  /// If the engine numbers the kind as the chain does.
  package var contract: tessera_run {
    tessera_run(
      category: category.rawValue, kind: kind, section: section, reserved: 0,
      first_item: firstItem, count: UInt64(count))
  }
}

extension tessera_rect {
  /// A rect around all elements, unless they are far outside the content.
  static func everything(of content: Size) -> tessera_rect {
    let far = max(1e13, min(2 * max(content.width, content.height), .greatestFiniteMagnitude / 4))
    return tessera_rect(x: -far, y: -far, width: 2 * far, height: 2 * far)
  }
}
