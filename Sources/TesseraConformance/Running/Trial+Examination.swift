import Synchronization
import TesseraHost

extension Trial {
  /// Looks at the engine from inside a process of its own, with the sample and others.
  public func examine(
    _ examination: Examination, with others: [Sample] = []
  ) throws(HostError) -> ExaminationReport {
    let session = try carrier(of: sample)
    var sessions: [Session] = []
    for other in others { sessions.append(try carrier(of: other)) }
    guard let report = try session.examine(examination, with: sessions) else {
      throw HostError(.refused, "the engine runs in this process; run it in one of its own")
    }
    return report
  }

  /// The process of a layout of a plain sample from its start to its end, looked at once in a run.
  func processReport() throws(HostError) -> ExaminationReport {
    try subject.processReport.report { () throws(HostError) in try examine(.process) }
  }

  /// Throws where an examination found something wrong.
  func requireNoProblem(
    _ examination: Examination, with others: [Sample] = [], expected: String
  ) throws {
    let problem = try examine(examination, with: others).problem
    try require(problem == nil, expected: expected, found: problem ?? "")
  }

  /// Another sample, of other bounds and counts, for a layout beside this one.
  var companion: Sample {
    var other = Sample(counts: [4, 0, 9])
    other.parameters = sample.parameters
    other.bounds.width = 288
    other.bounds.height = 512
    other.scale = sample.scale == 1 ? 2 : 1
    return other
  }
}

extension CaseNeed {
  /// The engine runs in a process of its own, which can be looked into.
  static let process = CaseNeed(reason: "it runs in this process, not in one of its own") {
    $0.hasOwnProcess
  }
}

extension SampleSet {
  /// Random values for every parameter, and nothing else.
  static let everyParameter = SampleSet { sampling, level in
    (0..<max(3, level.sampleCount / 6)).map { _ in
      var sample = Sample()
      for parameter in sampling.engine.settableParameters {
        sample.parameters[parameter.name] = sampling.value(of: parameter)
      }
      return sample
    }
  }

  /// Two that are fixed, and some random ones.
  static let few = SampleSet { sampling, level in
    [Sample(), Sample(counts: [3, 0, 5])]
      + (0..<level.sampleCount / 6).map { _ in sampling.usual() }
  }
}

/// A report that several cases look at, made for the first of them.
final class SharedReport: Sendable {
  private let known = Mutex<Result<ExaminationReport, HostError>?>(nil)

  func report(
    _ make: () throws(HostError) -> ExaminationReport
  ) throws(HostError) -> ExaminationReport {
    let result = known.withLock { known in
      let result = known ?? Result { () throws(HostError) in try make() }
      known = result
      return result
    }
    return try result.get()
  }
}
