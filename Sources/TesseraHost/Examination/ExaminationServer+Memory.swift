import CTessera
import Glibc

// Where engines write, and what they do where they may not.
extension ExaminationServer {
  /// The first write beside rows, or to what is only to be read; a crash where it meets a page.
  func guarded(
    _ scenes: [ExaminedScene], _ side: GuardedRows.Side
  ) throws(HostError) -> String? {
    for scene in scenes {
      let roomy = try ExaminedLayout(
        scene, engines, memory: GuardedRows(side: side, capacity: scene.rowCapacity))
      let (written, counts) = try written(by: roomy, limit: nil)
      if let written { return written }
      // As many rows as it takes: the last run ends where nobody can write.
      let exact = try ExaminedLayout(
        scene, engines, memory: GuardedRows(side: side, capacity: counts.prepared))
      if let written = try self.written(by: exact, limit: counts.answered).problem {
        return written
      }
    }
    return nil
  }

  /// What a layout wrote where it may not, and how many rows its stores took.
  private func written(
    by layout: ExaminedLayout, limit: Int?
  ) throws(HostError) -> (problem: String?, counts: (prepared: Int, answered: Int)) {
    let watches = layout.chain.layers.map { layer in
      let watch = InputWatch()
      layer.inputWatch = watch
      return watch
    }
    func problem(_ store: RowStore, _ call: String) -> String? {
      if let written = watches.compactMap(\.written).first { return "\(call) wrote to \(written)" }
      return store.strayWrite.map { "\(call) wrote \($0)" }
    }
    try layout.prepare()
    let prepared = layout.chain.prepared
    let counts = (prepared: prepared.usedRows, answered: 0)
    if let problem = problem(prepared, "prepare") { return (problem, counts) }
    let answer = try layout.answer(limit: limit)
    let call = layout.chain.traits.isLazy ? "elements_in_rect" : "adjust"
    return (problem(answer, call), (counts.prepared, answer.usedRows))
  }

  /// What went wrong when rows were refused; each call must end with TESSERA_NO_SPACE, and the next
  /// one that has room must come to what a new layout comes to.
  func refusedRows(_ scenes: [ExaminedScene]) throws(HostError) -> String? {
    for scene in scenes {
      let whole = try ExaminedLayout(scene, engines)
      try whole.prepare()
      let expected = try whole.image()
      let store = whole.chain.prepared
      let isLazy = whole.chain.traits.isLazy
      let count = isLazy ? expected.rows.count : store.rowCount
      guard count > 0 else { continue }
      for allowance in Set([0, count / 2, count - 1]).sorted() {
        let what = "when it was refused rows after \(allowance) of \(count)"
        do throws(HostError) {
          if isLazy {
            _ = try whole.answer(limit: allowance)
          } else {
            store.allowance = allowance
            try whole.prepare()
          }
          return "an answer \(what)"
        } catch {
          guard error.kind == .invalidInput else { return "\(error.message), \(what)" }
        }
        store.allowance = store.capacity
        if !isLazy { try whole.prepare() }
        if let difference = expected.difference(from: try whole.image()) {
          return "\(difference.found) for \(difference.expected), \(what) and then got all"
        }
      }
    }
    return nil
  }

  /// The first extension that nobody knows and an engine has.
  func unknownExtension() -> String? {
    let known = [
      TESSERA_UPDATES, TESSERA_SIZING, TESSERA_REORDERING, TESSERA_SNAPPING, TESSERA_QUERY,
    ]
    let strange =
      ["", "/", "/1", "org.example.nobody/1", "tessera.", "tessera.nobody/1"]
      + known.flatMap { ["\($0)0", "\($0) ", "\($0)/", " \($0)", String($0.dropLast(2))] }
    for record in engines.records {
      guard let ask = record.table.extension else { continue }
      for id in strange where ask(record.pointer, id) != nil {
        return "\(record.description.id) has a table for \"\(id)\""
      }
    }
    return nil
  }
}

extension RowStore {
  /// The rows up to the end of the last run.
  fileprivate var usedRows: Int { runs.last.map { $0.row + $0.count } ?? 0 }
}
