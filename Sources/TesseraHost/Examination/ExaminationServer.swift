import CTessera
import CTesseraSystem

/// Examines engines in a worker: answers one question and waits for its end.
final class ExaminationServer {
  let engines: ExaminedEngines
  private let loading: LoadingFacts
  private let input: SharedMemory
  private let channel: Channel

  init(
    records: [EngineRecord], loading: LoadingFacts, input: SharedMemory, channel: Channel
  ) throws(HostError) {
    engines = try ExaminedEngines(records, channel)
    self.loading = loading
    self.input = input
    self.channel = channel
  }

  /// Says that it is ready, and answers until the host ends this process.
  func run() -> Never {
    var answer = ByteWriter()
    answer.put(Answer.done.rawValue)
    while true {
      try? channel.put(answer)
      channel.pass()
      channel.awaitTurn()
      answer = ByteWriter()
      do throws(HostError) {
        var question = try channel.take()
        let report = try report(&question)
        answer.put(Answer.done.rawValue)
        answer.put(report)
      } catch {
        answer = ByteWriter()
        answer.put(Answer.failed.rawValue)
        answer.put(error)
      }
    }
  }

  private func report(_ question: inout ByteReader) throws(HostError) -> ExaminationReport {
    let examination = try question.examination()
    let chain = engines.records.map(\.description)
    var scenes: [ExaminedScene] = []
    for _ in 0..<(try question.count(ofAtLeast: 1)) {
      let data = try question.suppliedData(chain, in: input.base)
      scenes.append(ExaminedScene(data: data, surroundings: try question.given().surroundings))
    }
    var report = ExaminationReport()
    report.stages = loading.stages
    report.loadingSeconds = loading.loadingSeconds
    report.registrationSeconds = loading.registrationSeconds
    report.registrationProblem = loading.problem
    try examine(examination, scenes, &report)
    let last = try engines.records.map { record throws(HostError) in
      try DescriptionReader.read(record.pointer).description
    }
    report.descriptionProblem = LoadingObserver.difference(of: last, from: chain)
    return report
  }

  private func examine(
    _ examination: Examination, _ scenes: [ExaminedScene], _ report: inout ExaminationReport
  ) throws(HostError) {
    switch examination {
    case .process: try stages(scenes, &report)
    case .interleaved: report.images = try interleaved(scenes)
    case .threads(let count, let rounds):
      report.problem = try threads(scenes, min(max(count, 1), 16), rounds: rounds)
    case .preparedAgain: report.problem = try preparedAgain(scenes)
    case .unprepared(let asks): try unprepared(scenes, asks: asks)
    case .recreated(let count): try recreated(scenes, count, &report)
    case .reprepared(let count): try reprepared(scenes, count, &report)
    case .guarded(let side): report.problem = try guarded(scenes, side)
    case .readOnlyInput: report.problem = try writtenInput(scenes)
    case .refusedRows: report.problem = try refusedRows(scenes)
    case .kept: try kept(scenes, &report)
    case .unknownExtensions: report.problem = unknownExtension()
    }
  }

  /// Each layout from its making to its end, with the state of the process after each step.
  private func stages(
    _ scenes: [ExaminedScene], _ report: inout ExaminationReport
  ) throws(HostError) {
    let threads = loading.stages.last?.facts.threads ?? 1
    report.stages.append(try stage("the time before create", threads))
    for scene in scenes {
      do {
        let layout = try ExaminedLayout(scene, engines)
        // What a layout has while it lives is its own.
        report.stages.append(try stage("create", .max))
        try layout.prepare()
        report.stages.append(try stage("prepare", .max))
        report.images.append(try layout.image())
        layout.chain.destroy()
      }
      report.stages.append(try stage("destroy", threads))
    }
  }

  /// The state after a step, once no more than so many threads are left, or a moment later.
  private func stage(
    _ name: String, _ threads: Int
  ) throws(HostError) -> ExaminationReport.Stage {
    ExaminationReport.Stage(name: name, facts: try ProcessFacts.settled(threads: threads))
  }
}
