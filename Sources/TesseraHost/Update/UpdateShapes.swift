import CTessera
import TesseraGeometry

/// Asks the engines of a session how elements appear and disappear.
struct UpdateShapes {
  typealias Ends = (from: Element, to: Element)
  typealias Call =
    @convention(c) (
      OpaquePointer?, UnsafePointer<tessera_input>, UnsafeMutablePointer<tessera_output>
    ) -> tessera_status

  let session: Session

  /// Where elements that appear come from.
  func initial(_ elements: [Ends]) throws(HostError) -> [Ends] {
    let shaped = try shape(
      elements.map(\.from), "updates.initial_attributes", \.initial_attributes)
    return zip(elements, shaped).map { ($1, $0.to) }
  }

  /// Where elements that disappear go; their sections are those of the old numbering.
  func final(_ elements: [Ends], countsBefore: [Int]) throws(HostError) -> [Ends] {
    let shaped = try shape(elements.map(\.to), "updates.final_attributes", \.final_attributes)
    return zip(elements, shaped).map { ($0.from, $1) }
  }

  private func shape(
    _ elements: [Element], _ name: String, _ call: KeyPath<tessera_updates, Call?>
  ) throws(HostError) -> [Element] {
    let chain = session.chain
    guard !elements.isEmpty, let layout = session.prepared,
      chain.layers.contains(where: { $0.updates?[keyPath: call] != nil })
    else { return elements }
    let store = try RowStore(
      numbering: chain.numbering, columns: .all, adjusted: true,
      capacity: max(1, elements.count))
    for element in elements { load(element, into: store) }
    chain.given = session.given(layout)
    chain.begin(.function, in: store)
    defer {
      chain.state.call = .none
      chain.state.store = chain.prepared
    }
    for layer in chain.layers.reversed() {
      guard let function = layer.updates?[keyPath: call] else { continue }
      let status = chain.traced("\(name)(\(elements.count) elements)") {
        chain.withInput(layer) { function(layer.instance, $0, layer.output.pointer) }
      } result: {
        "status \($0)"
      }
      try chain.check(status, name, in: store)
    }
    var gatherer = ElementGatherer(
      store: store, numbering: chain.numbering, columns: .all,
      mirrorWidth: session.mirrorWidth(layout))
    for run in store.runs {
      try session.gather(&gatherer, run, run.row..<run.row + run.count)
    }
    return Array(gatherer.elements)
  }

  /// Writes an element as one row, or as one more of the run before it.
  private func load(_ element: Element, into store: RowStore) {
    let chain = session.chain
    let kind = chain.numbering.kinds.firstIndex { $0.name == element.identity.kind } ?? 0
    let run = Run(
      category: element.identity.category, kind: UInt32(kind),
      section: UInt32(element.identity.section), firstItem: UInt64(element.identity.item),
      count: 1, row: 0)
    guard let added = store.append(run) else { return }
    let width = session.prepared.flatMap { session.mirrorWidth($0) }
    store.write(element, at: added.row, attributes: chain.numbering.attributes, mirroredIn: width)
  }
}
