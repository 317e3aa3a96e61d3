import TesseraConformance
import TesseraHost

/// A run of the suite from the command line.
struct CheckWork {
  let engine: String
  let caseOptions: CaseOptions
  let engineOptions: EngineOptions

  /// The engine under test.
  ///
  /// A library that is one but cannot be loaded is a subject, whose report says why; a file that is
  /// none ends the command.
  func subject() throws -> CheckSubject {
    // An engine that is being examined may crash as often as there are cases.
    let host = try engineOptions.host(refusesCrashing: false)
    let options = engineOptions.repeated
    let subject = try engineOptions.watchdog.guarding(engineOptions.hanging("loading \(engine)")) {
      () throws(HostError) in try CheckSubject(engine, host: host, hostOptions: options)
    }
    if case .failure(let error) = subject.loading, !subject.isLibrary { throw error }
    return subject
  }

  /// Runs the suite, telling on the terminal how far it is.
  func run(_ subject: CheckSubject) throws -> ConformanceReport {
    var options = ConformanceSuite.Options()
    options.level = caseOptions.level
    options.filters = caseOptions.filter
    options.seed = caseOptions.seed
    options.jobs = caseOptions.jobs
    if let sample = caseOptions.sample {
      options.sample = try Sample(json: sample, for: subject.engine.chain)
    }
    let suite = try ConformanceSuite(subject, options)
    let progress = ProgressLine("checking \(subject.name)")
    defer { progress.erase() }
    return suite.run { progress.update(Double($0.done) / Double(max(1, $0.total))) }
  }
}
