import CTessera
import TesseraCatalog
import TesseraGeometry

/// A part of a session's data that is laid out by itself: some sections, and the bounds for them.
package struct LayoutPart: Equatable, PlainCodable {
  package let sectionCount: Int
  package let bounds: Size

  package init(sectionCount: Int, bounds: Size) {
    self.sectionCount = sectionCount
    self.bounds = bounds
  }
}

/// The rows of a part, whose sections are numbered from 0.
package struct PreparedPart {
  package let contentSize: Size
  package let runs: ContiguousArray<Run>
  /// The store with the rows of the runs.
  package let store: RowStore

  package init(contentSize: Size, runs: ContiguousArray<Run>, store: RowStore) {
    self.contentSize = contentSize
    self.runs = runs
    self.store = store
  }
}

extension LayoutChain {
  package func prepareEach(
    _ parts: [LayoutPart], _ context: CallContext,
    receive: (Int, Result<PreparedPart, HostError>) -> Void
  ) {
    var number = 0
    prepareEach(parts, from: 0, context) { result in
      receive(
        number,
        result.map { PreparedPart(contentSize: $0, runs: prepared.runs, store: prepared) })
      number += 1
      return true
    }
  }

  /// Prepares parts of the data one after the other.
  ///
  /// - Parameters:
  ///   - first: The first section of the first part.
  ///   - finish: Called after each part with its content size or its error, while the prepared rows
  ///     are those of the part; returns whether to go on.
  package func prepareEach(
    _ parts: [LayoutPart], from first: Int, _ context: CallContext,
    finish: (Result<Size, HostError>) -> Bool
  ) {
    let whole = state.sectionStarts
    let most = parts.reduce(0) { max($0, $1.sectionCount) }
    let starts = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: most + 1)
    defer { starts.deallocate() }
    var context = context
    context.change = tessera_change(what: TESSERA_CHANGED_ALL, first_section: 0, first_item: 0)
    var (section, reported) = (first, [String]())
    for part in parts {
      let item = whole[section]
      for number in 0...part.sectionCount { starts[number] = whole[section + number] - item }
      state.sectionStarts = UnsafeBufferPointer(
        start: starts.baseAddress, count: part.sectionCount + 1)
      values.origin = (section, Int(item))
      context.viewport.bounds = part.bounds
      let goesOn = finish(Result { () throws(HostError) in try prepare(context) })
      section += part.sectionCount
      if reported.count < 100, layers.contains(where: { !$0.host.warnings.isEmpty }) {
        reported += warnings
      }
      guard goesOn else { break }
    }
    state.sectionStarts = whole
    values.origin = (0, 0)
    index.forget()
    prepared.clear()
    for layer in layers { layer.host.clear() }
    partWarnings = reported
  }
}
