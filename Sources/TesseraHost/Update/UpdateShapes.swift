import CTessera
import TesseraGeometry

/// Asks the engines of a session how elements appear and disappear.
struct UpdateShapes {
  typealias Ends = (from: Element, to: Element)
  let session: Session

  /// Where elements that appear come from.
  func initial(_ elements: [Ends]) throws(HostError) -> [Ends] {
    let shaped = try shape(elements.map(\.from), as: .initial)
    return zip(elements, shaped).map { ($1, $0.to) }
  }

  /// Where elements that disappear go; their sections are those of the old numbering.
  func final(_ elements: [Ends], countsBefore: [Int]) throws(HostError) -> [Ends] {
    let shaped = try shape(elements.map(\.to), as: .final)
    return zip(elements, shaped).map { ($0.from, $1) }
  }

  private func shape(
    _ elements: [Element], as ends: UpdateEnds
  ) throws(HostError) -> [Element] {
    let runner = session.runner
    guard !elements.isEmpty, let layout = session.prepared, runner.traits.hasUpdates else {
      return elements
    }
    let store = try runner.shapeStore(limit: max(1, elements.count))
    for element in elements { load(element, into: store) }
    guard store.rowCount == elements.count else { throw session.tooMany(elements.count) }
    try runner.shape(store, as: ends, session.given(layout))
    var gatherer = ElementGatherer(
      store: store, numbering: runner.numbering, columns: .all,
      mirrorWidth: session.mirrorWidth(layout))
    for run in store.runs {
      try session.gather(&gatherer, run, run.row..<run.row + run.count)
    }
    return Array(gatherer.elements)
  }

  /// Writes an element as one row, or as one more of the run before it.
  private func load(_ element: Element, into store: RowStore) {
    let runner = session.runner
    let kind = runner.numbering.kinds.firstIndex { $0.name == element.identity.kind } ?? 0
    let run = Run(
      category: element.identity.category, kind: UInt32(kind),
      section: UInt32(element.identity.section), firstItem: UInt64(element.identity.item),
      count: 1, row: 0)
    guard let added = store.append(run) else { return }
    let width = session.prepared.flatMap { session.mirrorWidth($0) }
    store.write(element, at: added.row, attributes: runner.numbering.attributes, mirroredIn: width)
  }
}
