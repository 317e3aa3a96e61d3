import CTessera
import CTesseraExamination
import CTesseraSystem
import Glibc
import Synchronization
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Runs examinations in a worker until the host ends it.
final class ExaminationServer {
  let examined: ExaminedEngines
  private let loading: ExaminationReport
  let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel

  init(
    engines: [LoadedEngine], loading: ExaminationReport, memory: SharedMemory, input: SharedMemory,
    channel: Channel
  ) throws(HostError) {
    examined = try ExaminedEngines(engines, memory, channel)
    self.loading = loading
    self.memory = memory
    self.input = input
    self.channel = channel
  }

  func run() -> Never {
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
        tessera_print_all()
        Outcome().write(to: &message)
        message.put(report)
      } catch { Outcome(failure: error).write(to: &message) }
    }
  }

  private func report(_ question: inout ByteReader) throws(HostError) -> ExaminationReport {
    let code = try question.read(UInt8.self)
    guard let examination = Examination(rawValue: code) else {
      throw ByteReader.broken("is an examination of kind \(code)")
    }
    let number = try question.read(Int.self)
    let chain = examined.engines.map(\.description)
    var scenes: [EngineInput] = []
    for _ in 0..<(try question.count(ofAtLeast: 1)) {
      var scene = try question.engineInput(chain, in: input.base)
      scene.viewport = try question.read(CallContext.self).viewport
      scenes.append(scene)
    }
    var report = try roomy(examination, number, scenes)
    let last = try examined.engines.map { engine throws(HostError) in
      try DescriptionReader.read(engine.pointer).description
    }
    report.descriptionProblem = LoadingObserver.difference(of: last, from: chain)
    return report
  }

  /// Retries with more rows while the engine runs out of them.
  private func roomy(
    _ examination: Examination, _ number: Int, _ scenes: [EngineInput]
  ) throws(HostError) -> ExaminationReport {
    examined.rowFactor = 1
    while true {
      var report = loading
      do throws(HostError) {
        try examine(examination, number, scenes, &report)
        return report
      } catch {
        // The address space holds no more rows.
        guard error.kind == .invalidInput, examined.rowFactor < 32 else { throw error }
        examined.rowFactor *= 2
      }
    }
  }

  private func examine(
    _ examination: Examination, _ number: Int, _ scenes: [EngineInput],
    _ report: inout ExaminationReport
  ) throws(HostError) {
    switch examination {
    case .process: try stages(scenes, &report)
    case .ending:
      try stages(scenes, &report)
      EngineCall.ending.note(in: memory)
      exit(0)
    case .turns: try inTurns(scenes, &report)
    case .threads: report.problem = try threads(scenes, rounds: number)
    case .preparedAgain: report.problem = try preparedAgain(scenes)
    case .unprepared: try unprepared(scenes)
    case .firstUse: report.problem = try firstUse(scenes, &report)
    case .asked: report.problem = try askedAgain(scenes)
    case .bare: report.problem = try bareHost(scenes)
    case .stack: try onStack(scenes, min(max(number, 1 << 18), 1 << 26))
    case .batches: report.problem = try batches(scenes, number < 0 ? nil : number)
    case .failingBase: report.problem = try failingBase(scenes)
    case .estimates: report.problem = try estimates(scenes)
    case .askedAgain:
      for scene in scenes {
        let layout = try examined.prepared(scene)
        try growth(over: number, &report) { () throws(HostError) in _ = layout.answers() }
      }
    case .changedAgain:
      let layout = try ExaminedLayout(scenes[0], examined)
      for other in scenes.dropFirst() {
        try growth(over: number, &report) { () throws(HostError) in
          do throws(HostError) { try layout.prepare(other) } catch  where error.kind == .refused {}
          try layout.prepare(scenes[0])
        }
      }
    case .changed: report.problem = try changed(scenes)
    case .keeping: report.problem = try keepsNothing(scenes)
    case .spread: report.problem = try spread(scenes)
    case .recreated: try recreated(scenes, number, &report)
    case .reprepared: try reprepared(scenes, number, &report)
    case .guardedStart: report.problem = try guarded(scenes, atEnd: false)
    case .guardedEnd: report.problem = try guarded(scenes, atEnd: true)
    case .readOnlyInput: report.problem = try writtenInput(scenes)
    case .cancelled: report.problem = try interrupted(scenes, by: .cancelled)
    case .refusedRows: report.problem = try interrupted(scenes, by: .refusedRows)
    case .cancelledAgain: try interruptedAgain(scenes, by: .cancelled, number, &report)
    case .refusedRowsAgain: try interruptedAgain(scenes, by: .refusedRows, number, &report)
    case .progress: report.problem = try progress(scenes)
    case .publishedFunctions: report.problem = try publishedFunctions(scenes)
    case .unknownElements: report.problem = try unknownElements(scenes)
    case .updatedAgain: try updatedAgain(scenes, number, &report)
    case .kept: try kept(scenes, &report)
    case .unknownExtensions: report.problem = unknownExtension()
    case .memory: report.problem = try checkedMemory(scenes)
    case .timedPrepares:
      report.processorSeconds = try scenes.map { scene throws(HostError) in
        let timer = CallTimer(capacity: examined.rowCapacity(scene))
        let layout = try ExaminedLayout(scene, examined, examiner: timer)
        return try median(of: 9) { () throws(HostError) in
          try layout.prepare()
          return timer.take()
        }
      }
    case .timedQueries:
      report.processorSeconds = try scenes.map { scene throws(HostError) in
        let timer = CallTimer(capacity: examined.rowCapacity(scene))
        let layout = try ExaminedLayout(scene, examined, examiner: timer)
        try layout.prepare()
        _ = timer.take()
        var step = 0.0
        return try median(of: 20) { () throws(HostError) in
          step += 1
          let count = try layout.countVisible(at: 0.4 + step / 100)
          return timer.take() / Double(max(1, count))
        }
      }
    case .simulated:
      tessera_simulate_machine(UInt32(truncatingIfNeeded: number))
      defer { tessera_simulate_machine(0) }
      var answers: [[String]] = []
      for scene in scenes {
        let layout = try examined.prepared(scene)
        defer { layout.destroy() }
        try layout.lookUpFirstItem()
        report.images.append(try layout.image())
        answers.append(layout.answers())
      }
      tessera_simulate_machine(0)
      for (scene, found) in zip(scenes, answers) {
        let layout = try examined.prepared(scene)
        defer { layout.destroy() }
        guard let (expected, other) = zip(layout.answers(), found).first(where: { $0 != $1 })
        else { continue }
        report.problem = "\(other) instead of \(expected)"
        return
      }
    }
  }

  /// The median in seconds: virtual machines also measure too little.
  private func median(
    of count: Int, _ measure: () throws(HostError) -> Double
  ) throws(HostError) -> Double {
    var found: [Double] = []
    for number in 0..<count where found.reduce(0, +) < (number < 3 ? 0.3 : 0.1) {
      found.append(try measure())
    }
    return found.sorted()[found.count / 2]
  }

  private func stages(
    _ scenes: [EngineInput], _ report: inout ExaminationReport
  ) throws(HostError) {
    let threads = loading.stages.last?.threads ?? 1
    report.stages.append(try stage("the time before create", threads))
    for scene in scenes {
      do {
        let layout = try ExaminedLayout(scene, examined)
        // A layout may have threads until it is destroyed.
        report.stages.append(try stage("create", .max))
        try layout.prepare()
        report.stages.append(try stage("prepare", .max))
        report.images.append(try layout.image())
        layout.destroy()
      }
      report.stages.append(try stage("destroy", threads))
    }
  }

  private func stage(_ name: String, _ threads: Int) throws(HostError) -> ProcessFacts {
    try ProcessFacts.settled(after: name, threads: threads)
  }
}

extension ExaminationServer {
  /// Lays out first and second inputs, each step for all layouts before the next.
  func inTurns(_ scenes: [EngineInput], _ report: inout ExaminationReport) throws(HostError) {
    let count = scenes.count / 2
    var layouts: [ExaminedLayout] = []
    for scene in scenes.prefix(count) { layouts.append(try ExaminedLayout(scene, examined)) }
    for layout in layouts { try layout.prepare() }
    if let first = layouts.first { _ = try first.answer() }
    for layout in layouts.reversed() { _ = try layout.answer() }
    for layout in layouts { report.images.append(try layout.image()) }
    for (layout, answers) in zip(layouts, Self.answers(of: layouts)) {
      report.answers.append(answers)
      report.images.append(try layout.image())
    }
    for (layout, scene) in zip(layouts, scenes.dropFirst(count)) {
      try layout.prepare(scene)
      for other in layouts { _ = try other.answer() }
    }
    for (layout, answers) in zip(layouts, Self.answers(of: layouts)) {
      report.answers.append(answers)
      report.images.append(try layout.image())
    }
    for layout in layouts { layout.destroy() }
  }

  /// Makes each call for all layouts before the next.
  private static func answers(of layouts: [ExaminedLayout]) -> [[String]] {
    var answers: [[String]] = layouts.map { _ in [] }
    for call in ExaminedLayout.calls {
      for (number, layout) in layouts.enumerated() {
        answers[number] += call.answers(layout).map { "\(call.name): \($0)" }
      }
    }
    return answers
  }

  private static func layOut(
    _ scene: EngineInput, _ expected: (image: LayoutRows, answers: [String]),
    _ examined: ExaminedEngines, _ rounds: Int, report: (String) -> Void
  ) {
    do throws(HostError) {
      // On a busy machine, all rounds may exceed the timeout.
      let start = monotonicSeconds()
      for round in 0..<rounds where round == 0 || monotonicSeconds() - start < 3 {
        let layout = try examined.prepared(scene)
        let (image, answers) = (try layout.image(), layout.answers())
        layout.destroy()
        if let change = expected.image.change(to: image) {
          return report("\(change) on a single thread")
        }
        for (before, after) in zip(expected.answers, answers) where before != after {
          return report("\(after) instead of \(before) on a single thread")
        }
      }
    } catch { report("the error \"\(error.message)\" instead of a layout on a single thread") }
  }

  /// Without delegate functions, which the host answers on one thread only.
  func threads(_ scenes: [EngineInput], rounds: Int) throws(HostError) -> String? {
    let scenes = scenes.map(\.withoutDelegate)
    var expected: [(image: LayoutRows, answers: [String])] = []
    for scene in scenes {
      let layout = try examined.prepared(scene)
      expected.append((try layout.image(), layout.answers()))
    }
    let problem = Mutex<String?>(nil)
    try together(4) { [examined, expected] number in
      let place = number % scenes.count
      Self.layOut(scenes[place], expected[place], examined, rounds) { text in
        problem.withLock { $0 = $0 ?? text }
      }
    }
    return problem.withLock { $0 }
  }

  /// Lays out on several threads first of all; returns an error, if any.
  func firstUse(
    _ scenes: [EngineInput], _ report: inout ExaminationReport
  ) throws(HostError) -> String? {
    let scene = scenes[0].withoutDelegate
    let images = Mutex<[LayoutRows]>([])
    let problem = Mutex<String?>(nil)
    try together(4) { [examined] _ in
      do throws(HostError) {
        let layout = try examined.prepared(scene)
        let image = try layout.image()
        layout.destroy()
        images.withLock { $0.append(image) }
      } catch {
        problem.withLock { $0 = $0 ?? "the error \"\(error.message)\" instead of a layout" }
      }
    }
    report.images = images.withLock { $0 }
    return problem.withLock { $0 }
  }

  /// Makes every call on a stack of this size; may crash.
  func onStack(_ scenes: [EngineInput], _ bytes: Int) throws(HostError) {
    try together(1, stack: bytes) { [examined] _ in
      for scene in scenes.map(\.withoutDelegate) {
        guard let layout = try? ExaminedLayout(scene, examined) else { continue }
        // Many sections test prepare's stack use; queries would take too long.
        let isAsked = scene.starts.counts.count < 10_000
        if (try? layout.prepare()) != nil, isAsked { _ = layout.answers() }
        layout.destroy()
      }
    }
  }

  private func together(
    _ count: Int, stack: Int = 8 << 20, _ body: @escaping (Int) -> Void
  ) throws(HostError) {
    let arrived = Mutex(0)
    var threads: [pthread_t] = []
    nonisolated(unsafe) let body = body
    for number in 0..<count {
      let thread = startThread(stack: stack) {
        arrived.withLock { $0 += 1 }
        while arrived.withLock({ $0 }) < count { sched_yield() }
        body(number)
      }
      guard let thread else { throw HostError(.notExamined, "no thread can be started") }
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
  }
}

extension ExaminationServer {
  /// The first write outside the rows; the guard page crashes the process.
  func guarded(_ scenes: [EngineInput], atEnd: Bool) throws(HostError) -> String? {
    _ = try beginChecks()
    tessera_checked_choose(atEnd ? 1 : 0, 0)
    for scene in scenes {
      let spaced = SpacedRows(capacity: examined.rowCapacity(scene))
      let roomy = try ExaminedLayout(scene, examined, examiner: spaced)
      let first = try stray(of: roomy, atEnd: atEnd, limit: nil)
      if let written = first.written { return written }
      var written: String?
      var known = spaced.rows.answer
      _ = roomy.answers { call in
        // Other calls write no rows, and may have queried the layout.
        defer { known = spaced.rows.answer }
        guard ["adjust", "elements_in_rect", "element", "updates"].contains(call),
          spaced.rows.answer !== known
        else { return }
        let found = spaced.rows.answer?.strayWrite(atEnd: atEnd, roomy.chain.numbering)
        if let found, written == nil { written = "\(call) wrote \(found)" }
      }
      if let written { return written }
      // With exactly enough rows, the last run ends at the guard page.
      let exact = try ExaminedLayout(
        scene, examined, examiner: SpacedRows(capacity: first.prepared))
      let second = try stray(of: exact, atEnd: atEnd, limit: first.answered)
      if let written = second.written { return written }
    }
    return nil
  }

  private func stray(
    of layout: ExaminedLayout, atEnd: Bool, limit: Int?
  ) throws(HostError) -> (written: String?, prepared: Int, answered: Int) {
    try layout.prepare()
    let prepared = layout.chain.prepared
    if let written = prepared.strayWrite(atEnd: atEnd, layout.chain.numbering) {
      return ("prepare wrote \(written)", prepared.usedRows, 0)
    }
    let answer = try layout.answer(limit: limit)
    let call = layout.chain.traits.isLazy ? "elements_in_rect" : "adjust"
    let written = answer.strayWrite(atEnd: atEnd, layout.chain.numbering)
    return (written.map { "\(call) wrote \($0)" }, prepared.usedRows, answer.usedRows)
  }

  func writtenInput(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      let comparison = InputComparison(capacity: examined.rowCapacity(scene))
      let layout = try examined.prepared(scene, comparison)
      _ = try layout.answer()
      _ = layout.answers()
      if let written = comparison.written { return written }
    }
    return nil
  }

  func unknownExtension() -> String? {
    let known = [
      TESSERA_EXT_UPDATES, TESSERA_EXT_SIZING, TESSERA_EXT_REORDERING, TESSERA_EXT_SNAPPING,
      TESSERA_EXT_QUERY,
    ]
    let unknown =
      ["", "/", "/1", "org.example.nobody/1", "tessera.", "tessera.nobody/1"]
      + known.flatMap { ["\($0)0", "\($0) ", "\($0)/", " \($0)", String($0.dropLast(2))] }
    EngineCall.extensions.note(in: memory)
    for engine in examined.engines {
      guard let ask = engine.table.extension else { continue }
      for id in unknown where ask(engine.pointer, id) != nil {
        return "\(engine.description.id) returns a table for \"\(id)\""
      }
    }
    return nil
  }
}

/// Leaves unused rows after each run, and a guard page at one end.
private final class SpacedRows: CallExaminer {
  init(capacity: Int) { super.init(.checked(capacity: capacity)) }

  override func add(count: UInt64, _ add: () -> tessera_status) -> tessera_status {
    guard let store = isPreparing ? rows.prepared : rows.answer else { return add() }
    let first = store.rowCount
    let status = add()
    if store.rowCount > first { runWasAdded(to: store) }
    return status
  }

  override func runWasAdded(to store: RowStore) { store.leaveSpace() }
}

private final class InputComparison: CallExaminer {
  /// Such as "org.example.a wrote to its parameters".
  private(set) var written: String?

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let copy = input.pointee
    let before = parts(of: copy, at: input, engine)
    let result = body(input)
    for (old, new) in zip(before, parts(of: copy, at: input, engine)) where old.bytes != new.bytes {
      written = written ?? "\(engine.id) wrote to \(old.name)"
    }
    return result
  }

  /// The writable parts of an input; starts and values are in read-only pages.
  private func parts(
    of input: tessera_input, at place: UnsafePointer<tessera_input>, _ engine: EngineDescription
  ) -> [(name: String, bytes: [UInt8])] {
    func bytes<Item>(_ start: UnsafePointer<Item>, _ count: Int) -> [UInt8] {
      Array(UnsafeRawBufferPointer(UnsafeBufferPointer(start: start, count: count)))
    }
    return [
      ("its parameters", bytes(input.parameters, engine.parameters.count)),
      ("the pointers to its values", bytes(input.values, engine.values.count)),
      ("its lists", bytes(input.lists, engine.lists.count)),
      ("its delegate functions", bytes(input.functions, engine.delegateFunctions.count)),
      ("its input", bytes(place, 1)),
    ]
  }
}

extension RowStore {
  fileprivate var usedRows: Int { runs.last.map { $0.row + $0.count } ?? 0 }
}
