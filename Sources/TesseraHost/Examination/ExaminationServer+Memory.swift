import CTessera
import Glibc

// Where engines write, and what they do where they may not.
extension ExaminationServer {
  /// The first write beside rows; a crash where it meets a page.
  func guarded(
    _ scenes: [ExaminedScene], _ side: Examination.Side
  ) throws(HostError) -> String? {
    for scene in scenes {
      let roomy = try ExaminedLayout(
        scene, engines, memory: ProcessRows.guarded(at: side, capacity: scene.rowCapacity))
      let first = try stray(of: roomy, side, limit: nil)
      if let written = first.written { return written }
      // As many rows as it takes: the last run ends where nobody can write.
      let exact = try ExaminedLayout(
        scene, engines, memory: ProcessRows.guarded(at: side, capacity: first.prepared))
      let second = try stray(of: exact, side, limit: first.answered)
      if let written = second.written { return written }
    }
    return nil
  }

  /// What a layout wrote where it may not, and how many rows its stores took.
  private func stray(
    of layout: ExaminedLayout, _ side: Examination.Side, limit: Int?
  ) throws(HostError) -> (written: String?, prepared: Int, answered: Int) {
    try layout.prepare()
    let prepared = layout.chain.prepared
    if let written = prepared.strayWrite(at: side) {
      return ("prepare wrote \(written)", prepared.usedRows, 0)
    }
    let answer = try layout.answer(limit: limit)
    let call = layout.chain.traits.isLazy ? "elements_in_rect" : "adjust"
    return (
      answer.strayWrite(at: side).map { "\(call) wrote \($0)" }, prepared.usedRows, answer.usedRows
    )
  }

  /// What an engine wrote to first of what it is given; nil where it did not.
  func writtenInput(_ scenes: [ExaminedScene]) throws(HostError) -> String? {
    for scene in scenes {
      let layout = try ExaminedLayout(scene, engines)
      let watches = layout.chain.layers.map { layer in
        let watch = InputWatch()
        layer.inputWatch = watch
        return (layer.record.description.id, watch)
      }
      try layout.prepare()
      _ = try layout.answer()
      try layout.askForItem()
      for (id, watch) in watches {
        if let written = watch.written { return "\(id) wrote to \(written)" }
      }
    }
    return nil
  }

  /// What went wrong when rows were refused; each call must end with TESSERA_NO_SPACE, and the next
  /// one that has room must come to what a new layout comes to.
  func refusedRows(_ scenes: [ExaminedScene]) throws(HostError) -> String? {
    for scene in scenes {
      let whole = try ExaminedLayout(scene, engines)
      try whole.prepare()
      let expected = try whole.image()
      let isLazy = whole.chain.traits.isLazy
      let store = isLazy ? try whole.answer() : whole.chain.prepared
      let count = store.rowCount
      guard count > 0 else { continue }
      for allowance in Set([0, count / 2, count - 1]).sorted() {
        let what = "when it was refused rows after \(allowance) of \(count)"
        store.allowance = allowance
        do throws(HostError) {
          if isLazy { _ = try whole.answer() } else { try whole.prepare() }
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
