import TesseraExamination
import TesseraHost

extension Session {
  /// Uses a new process, so the layout doesn't change; nil without isolation.
  ///
  /// A malicious engine could forge the report.
  func examine(
    _ examination: Examination, _ number: Int = 0, with others: [Session] = []
  ) throws(HostError) -> ExaminationReport? {
    guard let memory = sharedInput else { return nil }
    try viewport.check()
    var message = ByteWriter()
    message.put(examination.rawValue)
    message.put(number)
    message.put(count: 1 + others.count)
    // The worker reads this memory until it answers.
    var kept: [(SessionValues, SectionStarts)] = [(values, input.starts)]
    message.put(values, starts: input.starts, in: memory)
    message.put(CallContext(viewport: viewport))
    for other in others {
      let copy = try other.scene(in: memory)
      kept.append(copy)
      message.put(copy.0, starts: copy.1, in: memory)
      message.put(CallContext(viewport: other.viewport))
    }
    defer { withExtendedLifetime(kept) {} }
    return try ask(examination, message, memory)
  }

  private func scene(in memory: SharedInput) throws(HostError) -> (SessionValues, SectionStarts) {
    let copy = try SessionValues(chain: engine.chain, memory: memory)
    for (name, value) in values.settingsByName { try copy.setParameter(name, to: value) }
    for (layer, lists) in values.lists.enumerated() {
      for (list, declared) in zip(lists, engine.chain[layer].lists) {
        if let list { _ = copy.adopt(try list.copied(to: memory), declared) }
      }
    }
    for (layer, columns) in values.columns.enumerated() {
      for (index, column) in columns.enumerated() {
        guard let column else { continue }
        let declared = engine.chain[layer].values[index]
        let count = declared.scope == .item ? input.starts.total : itemCounts.count
        _ = copy.adopt(try column.copied(count: count, to: memory), declared)
      }
    }
    return (copy, try SectionStarts(counts: itemCounts, memory: memory))
  }

  private func ask(
    _ examination: Examination, _ message: ByteWriter, _ input: SharedInput
  ) throws(HostError) -> ExaminationReport {
    let id = engine.description.id
    let memory = try SharedMemory(
      named: "tessera-examination", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let worker = try engine.runtime.worker(
      memory: memory, input: input.memory, libraries: engine.libraries.libraries,
      task: .examine(engine.libraries.members))
    // Lets threads run in parallel.
    worker.isPinned = examination != .threads && examination != .firstUse
    _ = try worker.loaded(id).get()
    var report = ExaminationReport()
    do throws(HostError) {
      var (outcome, reader) = try worker.ask(message, nil, of: id) {
        (kind, question) throws(HostError) in
        guard kind == .delegate else { throw ByteReader.broken("is not an engine's question") }
        return try values.reply(to: try .read(from: &question))
      }
      if let failure = outcome.failure {
        throw failure.reported(by: [], isLoading: true)
          ?? HostError(.invalidAnswer, failure.sentence)
      }
      report = try reader.read()
    } catch {
      if [.memory, .guardedStart, .guardedEnd].contains(examination),
        let misuse = ExaminationReport.Misuse(ofDeath: error, in: memory)
      {
        report.misuse = misuse
        return report
      }
      guard examination == .ending, worker.stage == .ending,
        case .exit(status: 0)? = worker.exitReason
      else { throw error }
    }
    report.printedBytes = worker.printedBytes
    report.printed = worker.takeOutput()
    if let printed = report.printed {
      engine.runtime.note(printed: printed, by: id, in: worker.stage.name)
    }
    return report
  }
}
