import TesseraGeometry
import TesseraHost

@Sendable func declarationsAreUsed(_ trial: Trial) throws {
  // The verdict must not depend on other cases.
  let used = CoverageRecorder()
  defer { trial.coverage.record(used) }
  let own = Trial(
    subject: trial.subject, sample: trial.sample, level: trial.level, random: trial.random,
    coverage: used, deadline: trial.deadline)
  let engine = try trial.engine
  let inherited = Set(
    engine.chain.dropFirst().flatMap { $0.kinds.map(\.name) + $0.attributes.map(\.name) }
  ).subtracting(engine.description.kinds.map(\.name) + engine.description.attributes.map(\.name))
  func unused() -> [(name: String, declarations: [String])] {
    let names = CoverageRecorder.sought.map(\.rawValue)
    return used.coverage(of: engine).filter { names.contains($0.name) }
      .map { ($0.name, $0.unused.filter { !inherited.contains($0) }) }
      .filter { !$0.1.isEmpty }
  }
  var sampling = try trial.sampling()
  let session = try trial.freshSession(for: LayoutInput())
  let counts = [3, 0, 5]
  var plain = [LayoutInput(), LayoutInput(counts: counts)]
  for list in engine.settableLists {
    for records in sampling.lists[list.name] ?? [] {
      plain.append(LayoutInput(counts: counts))
      plain[plain.count - 1].lists[list.name] = records
    }
  }
  for round in 0..<60 where !unused().isEmpty && trial.hasTime {
    var sample = plain.dropFirst(round).first ?? sampling.usual()
    if sample.itemCount == 0 { sample.counts = [4, 1] }
    // Every third sample sets everything, since a use may need several settings together.
    if round % 3 == 2 { sampling.fillAll(&sample) }
    try own.use(session, with: sample)
  }
  let left = unused()
  guard !left.isEmpty else { return }
  throw Violation(
    expected: "a use of every declaration",
    found: "no use of "
      + left.map { "\($0.name) \($0.declarations.joined(separator: ", "))" }.joined(separator: "; "),
    isWarning: true)
}

extension Trial {
  fileprivate func use(_ session: Session, with sample: LayoutInput) throws(HostError) {
    let calls = CallLog()
    var measured = false
    for observation in Observation.all where observation.applies(to: session.engine) {
      do throws(HostError) { try change(session, to: sample) } catch {
        guard error.kind == .invalidInput else { throw error }
        return
      }
      session.trace = { calls.append($0) }
      let seen = try observe(session, observation)
      if observation == .measured, seen.refusals.isEmpty { measured = true }
    }
    do throws(HostError) {
      try change(session, to: sample)
      // Only the bounds change: the host calls still_valid.
      _ = try session.contentSize()
      session.bounds.height += 1
      _ = try session.elements(in: session.visibleRect)
      if let section = sample.counts.firstIndex(where: { $0 > 0 }) {
        _ = try session.element(.cell(section: section, item: 0))
      }
    } catch { guard error.isRefusal || error.kind == .invalidInput else { throw error } }
    session.trace = nil
    coverage.record(calls: calls.all, measured: measured)
  }
}
