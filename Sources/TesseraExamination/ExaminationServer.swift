import CTessera
import CTesseraSystem
import Glibc
import Synchronization
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Examines engines in a worker: answers one question and waits for its end.
final class ExaminationServer: WorkerServer {
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
  package func run() -> Never {
    var message = ByteWriter()
    Outcome().write(to: &message)
    while true {
      try? channel.put(message)
      channel.pass()
      channel.awaitTurn()
      message = ByteWriter()
      do throws(HostError) {
        var question = try channel.take()
        let report = try report(&question)
        Outcome().write(to: &message)
        message.put(report)
      } catch {
        Outcome(failure: error).write(to: &message)
      }
    }
  }

  private func report(_ question: inout ByteReader) throws(HostError) -> ExaminationReport {
    let examination = try question.examination()
    let chain = engines.records.map(\.description)
    var scenes: [ExaminedScene] = []
    for _ in 0..<(try question.count(ofAtLeast: 1)) {
      let data = try question.suppliedData(chain, in: input.base)
      scenes.append(
        ExaminedScene(data: data, surroundings: try question.callContext().surroundings))
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

// Layouts beside and after each other.
extension ExaminationServer {
  /// All at once, each step of all before the next.
  func interleaved(_ scenes: [ExaminedScene]) throws(HostError) -> [LayoutRows] {
    var layouts: [ExaminedLayout] = []
    for scene in scenes { layouts.append(try ExaminedLayout(scene, engines)) }
    for layout in layouts { try layout.prepare() }
    // The first is asked again when the others have been.
    if let first = layouts.first { _ = try first.answer() }
    for layout in layouts.reversed() { _ = try layout.answer() }
    var images: [LayoutRows] = []
    for layout in layouts {
      images.append(try layout.image())
      layout.chain.destroy()
    }
    return images
  }

  /// The first difference of a layout that was prepared again.
  func preparedAgain(_ scenes: [ExaminedScene]) throws(HostError) -> String? {
    for scene in scenes {
      let layout = try ExaminedLayout(scene, engines)
      try layout.prepare()
      let once = try layout.image()
      for (what, changed) in [
        ("again", TESSERA_CHANGED_ALL),
        (
          "again, told that bounds and parameters may differ",
          TESSERA_CHANGED_BOUNDS | TESSERA_CHANGED_PARAMETERS
        ),
      ] {
        try layout.prepare(changed: changed)
        if let difference = once.difference(from: try layout.image()) {
          return "\(difference.found) where the first prepare left \(difference.expected), "
            + "when it was prepared \(what)"
        }
      }
    }
    return nil
  }

  func unprepared(_ scenes: [ExaminedScene], asks: Bool) throws(HostError) {
    for scene in scenes {
      let layout = try ExaminedLayout(scene, engines)
      if asks {
        // Whatever it answers, or that it refuses, it comes back.
        _ = try? layout.answer()
        try? layout.askForItem()
        try? layout.askForRest()
      }
      layout.chain.destroy()
    }
  }

  func recreated(
    _ scenes: [ExaminedScene], _ count: Int, _ report: inout ExaminationReport
  ) throws(HostError) {
    for scene in scenes {
      try growth(over: count, &report) { () throws(HostError) in
        let layout = try ExaminedLayout(scene, engines)
        try layout.prepare()
        layout.chain.destroy()
      }
    }
  }

  func reprepared(
    _ scenes: [ExaminedScene], _ count: Int, _ report: inout ExaminationReport
  ) throws(HostError) {
    for scene in scenes {
      let layout = try ExaminedLayout(scene, engines)
      try growth(over: count, &report) { () throws(HostError) in
        try layout.prepare()
        _ = try layout.answer()
      }
    }
  }

  /// Does something often; what is there after the first tenth is there for good.
  private func growth(
    over count: Int, _ report: inout ExaminationReport, _ step: () throws(HostError) -> Void
  ) throws(HostError) {
    let settled = max(1, count / 10)
    var before = Self.bytes
    for number in 0..<count {
      if number == settled { before = Self.bytes }
      try step()
    }
    let after = Self.bytes
    report.heapBytes.append(after.heap - before.heap)
    if let before = before.own, let after = after.own { report.privateBytes.append(after - before) }
  }

  /// The bytes that malloc has given out, and those of the process's own; without these where no file
  /// can be opened any more to read them.
  private static var bytes: (heap: Int, own: Int?) {
    (Int(tessera_heap_bytes()), (try? ProcessFacts.now())?.privateBytes)
  }

  /// How much malloc has given out beside what there was before each layout was prepared.
  func kept(
    _ scenes: [ExaminedScene], _ report: inout ExaminationReport
  ) throws(HostError) {
    // What the process keeps for good is there after the first.
    if let first = scenes.first { try ExaminedLayout(first, engines).prepare() }
    for scene in scenes {
      let layout = try ExaminedLayout(scene, engines)
      let before = tessera_heap_bytes()
      try layout.prepare()
      report.heapBytes.append(Int(tessera_heap_bytes()) - Int(before))
    }
  }

  // ---------------------------------------------------------------- threads

  /// What threads have in common: where to start together, and what the first found wrong.
  private final class Meeting: Sendable {
    let arrived = Atomic<Int>(0)
    let problem = Mutex<String?>(nil)
    let size: Int

    init(size: Int) { self.size = size }

    func wait() {
      arrived.add(1, ordering: .sequentiallyConsistent)
      while arrived.load(ordering: .sequentiallyConsistent) < size { sched_yield() }
    }
  }

  /// One thread's work.
  private final class Work {
    let scene: ExaminedScene
    let expected: LayoutRows
    let engines: ExaminedEngines
    let rounds: Int
    let meeting: Meeting

    init(
      _ scene: ExaminedScene, _ expected: LayoutRows, _ engines: ExaminedEngines, _ rounds: Int,
      _ meeting: Meeting
    ) {
      (self.scene, self.expected, self.engines) = (scene, expected, engines)
      (self.rounds, self.meeting) = (rounds, meeting)
    }

    func run() {
      meeting.wait()
      do throws(HostError) {
        for _ in 0..<rounds {
          let layout = try ExaminedLayout(scene, engines)
          try layout.prepare()
          let image = try layout.image()
          layout.chain.destroy()
          guard let difference = expected.difference(from: image) else { continue }
          note("\(difference.found) where one thread alone had \(difference.expected)")
          return
        }
      } catch {
        note("the error \"\(error.message)\" where one thread alone had a layout")
      }
    }

    private func note(_ text: String) { meeting.problem.withLock { $0 = $0 ?? text } }
  }

  /// Without delegate functions: one host answers them, on one thread.
  ///
  /// - Returns: The first difference of a layout that was made beside those of other threads.
  func threads(
    _ scenes: [ExaminedScene], _ count: Int, rounds: Int
  ) throws(HostError) -> String? {
    let scenes = scenes.map(\.withoutDelegate)
    var expected: [LayoutRows] = []
    for scene in scenes {
      let layout = try ExaminedLayout(scene, engines)
      try layout.prepare()
      expected.append(try layout.image())
    }
    let meeting = Meeting(size: count)
    var threads: [pthread_t] = []
    for number in 0..<count {
      let place = number % scenes.count
      let work = Work(scenes[place], expected[place], engines, rounds, meeting)
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { context in
          Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
          return nil
        }, Unmanaged.passRetained(work).toOpaque())
      guard status == 0 else {
        throw HostError(.refused, "no thread can be started: \(systemMessage(status))")
      }
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
    return meeting.problem.withLock { $0 }
  }
}

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
        layer.observer = watch
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
