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
  /// Of the loading, with what the running examination finds.
  var report: ExaminationReport
  private let loading: ExaminationReport
  let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel

  init(
    engines: [LoadedEngine], loading: ExaminationReport, memory: SharedMemory, input: SharedMemory,
    channel: Channel
  ) throws(HostError) {
    examined = try ExaminedEngines(engines, memory, channel)
    (self.loading, report) = (loading, loading)
    (self.memory, self.input, self.channel) = (memory, input, channel)
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
        try answer(&question)
        tessera_print_all()
        Outcome().write(to: &message)
        message.put(report)
      } catch { Outcome(failure: error).write(to: &message) }
    }
  }

  private func answer(_ question: inout ByteReader) throws(HostError) {
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
    // Retries with more rows while the engine runs out of them.
    examined.rowFactor = 1
    while true {
      report = loading
      do throws(HostError) {
        try examine(examination, number, scenes)
        break
      } catch {
        // The address space holds no more rows.
        guard error.kind == .invalidInput, examined.rowFactor < 32 else { throw error }
        examined.rowFactor *= 2
      }
    }
    let last = try examined.engines.map { engine throws(HostError) in
      try DescriptionReader.read(engine.pointer).description
    }
    report.descriptionProblem = LoadingObserver.difference(of: last, from: chain)
  }

  private func examine(
    _ examination: Examination, _ number: Int, _ scenes: [EngineInput]
  ) throws(HostError) {
    switch examination {
    case .process: try stages(scenes)
    case .ending:
      try stages(scenes)
      EngineCall.ending.note(in: memory)
      exit(0)
    case .turns: try inTurns(scenes)
    case .threads: try threads(scenes, rounds: number)
    case .firstUse: try firstUse(scenes[0].withoutDelegate)
    case .stack: try onStack(scenes, min(max(number, 1 << 18), 1 << 26))
    case .unprepared: try each(scenes, unprepared)
    case .preparedAgain: try each(scenes, preparedAgain)
    case .asked: try each(scenes, askedAgain)
    case .bare: try each(scenes, bareHost)
    case .failingBase: try each(scenes, failingBase)
    case .spread: try each(scenes, spread)
    case .readOnlyInput: try each(scenes, writtenInput)
    case .progress: try each(scenes, progress)
    case .unknownElements:
      try each(scenes) { scene throws(HostError) in try examined.prepared(scene).unknownElement() }
    case .batches: report.problem = try batches(scenes, number < 0 ? nil : number)
    case .estimates: report.problem = try estimates(scenes)
    case .changed: report.problem = try changed(scenes)
    case .keeping: report.problem = try keepsNothing(scenes)
    case .guardedStart: try guarded(scenes, atEnd: false)
    case .guardedEnd: try guarded(scenes, atEnd: true)
    case .cancelled: report.problem = try interrupted(scenes, by: .cancelled)
    case .refusedRows: report.problem = try interrupted(scenes, by: .refusedRows)
    case .publishedFunctions: report.problem = try publishedFunctions(scenes)
    case .unknownExtensions: report.problem = unknownExtension()
    case .memory: report.problem = try checkedMemory(scenes)
    case .recreated:
      for scene in scenes {
        try growth(over: number) { () throws(HostError) in try examined.prepared(scene).destroy() }
      }
    case .reprepared:
      for scene in scenes {
        let layout = try ExaminedLayout(scene, examined)
        try growth(over: number) { () throws(HostError) in
          try layout.prepare()
          _ = try layout.answer()
        }
      }
    case .updatedAgain:
      for scene in scenes {
        let layout = try examined.prepared(scene)
        try growth(over: number) { () throws(HostError) in try layout.update() }
      }
    case .askedAgain:
      for scene in scenes {
        let layout = try examined.prepared(scene)
        try growth(over: number) { () throws(HostError) in _ = layout.answers() }
      }
    case .changedAgain:
      let layout = try ExaminedLayout(scenes[0], examined)
      for other in scenes.dropFirst() {
        try growth(over: number) { () throws(HostError) in
          do throws(HostError) { try layout.prepare(other) } catch  where error.kind == .refused {}
          try layout.prepare(scenes[0])
        }
      }
    case .cancelledAgain: try interruptedAgain(scenes, by: .cancelled, number)
    case .refusedRowsAgain: try interruptedAgain(scenes, by: .refusedRows, number)
    case .kept:
      // The first prepare with items fills process-wide caches.
      if let first = scenes.first(where: { $0.itemCount > 0 }) { _ = try examined.prepared(first) }
      for scene in scenes {
        let layout = try ExaminedLayout(scene, examined)
        let before = tessera_heap_bytes()
        try layout.prepare()
        report.heapBytes.append(Int(tessera_heap_bytes()) - Int(before))
      }
    case .timedPrepares:
      for scene in scenes {
        let timer = CallTimer(capacity: examined.rowCapacity(scene))
        let layout = try ExaminedLayout(scene, examined, timer)
        try median(of: 9) { () throws(HostError) in
          try layout.prepare()
          return timer.take()
        }
      }
    case .timedQueries:
      for scene in scenes {
        let timer = CallTimer(capacity: examined.rowCapacity(scene))
        let layout = try examined.prepared(scene, timer)
        _ = timer.take()
        var step = 0.0
        try median(of: 20) { () throws(HostError) in
          step += 1
          let count = try layout.countVisible(at: 0.4 + step / 100)
          return timer.take() / Double(max(1, count))
        }
      }
    case .simulated:
      tessera_simulate_machine(UInt32(truncatingIfNeeded: number))
      defer { tessera_simulate_machine(0) }
      for scene in scenes {
        let layout = try examined.prepared(scene)
        defer { layout.destroy() }
        try layout.lookUpFirstItem()
        report.images.append(try layout.image(withAnswers: true))
      }
    }
  }

  /// Reports the first problem.
  func each(
    _ scenes: [EngineInput], _ problem: (EngineInput) throws(HostError) -> String?
  ) throws(HostError) {
    for scene in scenes where report.problem == nil { report.problem = try problem(scene) }
  }

  /// Reports the median in seconds: virtual machines also measure too little.
  private func median(
    of count: Int, _ measure: () throws(HostError) -> Double
  ) throws(HostError) {
    var found: [Double] = []
    for number in 0..<count where found.reduce(0, +) < (number < 3 ? 0.3 : 0.1) {
      found.append(try measure())
    }
    report.processorSeconds.append(found.sorted()[found.count / 2])
  }

  /// Reports how much memory grows; the first tenth of the rounds is warm-up.
  ///
  /// Counts every part like the part with the least growth: the allocator keeps a freed block now
  /// and then, but a leak grows everywhere. Arrays double rarely, hence also halves.
  func growth(over count: Int, _ step: () throws(HostError) -> Void) throws(HostError) {
    let settled = max(1, count / 10)
    let (parts, kept) = (6, 16 << 10)
    // No private memory if an engine used up all descriptors.
    func bytes() -> (heap: Int, own: Int?) {
      (Int(tessera_heap_bytes()), (try? ProcessFacts.now(after: ""))?.privateBytes)
    }
    var ends: [(heap: Int, own: Int?)] = []
    for number in 0..<count {
      if number == settled { tessera_fill_heap_cache() }
      if settled + (count - settled) * ends.count / parts <= number { ends.append(bytes()) }
      try step()
    }
    ends.append(bytes())
    func grown(_ bytes: [Int]) -> Int {
      let steps = zip(bytes, bytes.dropFirst()).map { $1 - $0 }
      let middle = bytes[bytes.count / 2]
      let halves = 2 * min(middle - bytes[0], bytes[bytes.count - 1] - middle)
      return max(steps.count * (steps.min() ?? 0), halves > kept ? halves : 0)
    }
    report.heapBytes.append(grown(ends.map(\.heap)))
    let own = ends.compactMap(\.own)
    if own.count == ends.count { report.privateBytes.append(grown(own)) }
  }
}

private final class CallTimer: CallWatch {
  private var depth = 0
  private var seconds = 0.0

  /// Processor seconds since the last call.
  func take() -> Double {
    defer { seconds = 0 }
    return seconds
  }

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let start = depth == 0 ? ProcessFacts.processorSeconds : 0
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { seconds += ProcessFacts.processorSeconds - start }
    }
    return body(input)
  }
}

extension ExaminationServer {
  private func stages(_ scenes: [EngineInput]) throws(HostError) {
    let threads = loading.stages.last?.threads ?? 1
    func note(_ name: String, _ threads: Int) throws(HostError) {
      report.stages.append(try ProcessFacts.settled(after: name, threads: threads))
    }
    try note("the time before create", threads)
    for scene in scenes {
      do {
        let layout = try ExaminedLayout(scene, examined)
        // A layout may have threads until it is destroyed.
        try note("create", .max)
        try layout.prepare()
        try note("prepare", .max)
        _ = try layout.answer()
        layout.destroy()
      }
      try note("destroy", threads)
    }
  }

  /// Lays out first and second inputs, each step for all layouts before the next.
  private func inTurns(_ scenes: [EngineInput]) throws(HostError) {
    let count = scenes.count / 2
    let layouts = try scenes.prefix(count).map { scene throws(HostError) in
      try ExaminedLayout(scene, examined)
    }
    /// Makes each call for all layouts before the next.
    func look() throws(HostError) {
      var answers: [[String]] = layouts.map { _ in [] }
      for call in ExaminedLayout.calls.indices {
        for (number, layout) in layouts.enumerated() {
          answers[number] += layout.answers(toCall: call)
        }
      }
      for (layout, answers) in zip(layouts, answers) {
        var image = try layout.image()
        image.answers = answers
        report.images.append(image)
      }
    }
    for layout in layouts { try layout.prepare() }
    if let first = layouts.first { _ = try first.answer() }
    for layout in layouts.reversed() { _ = try layout.answer() }
    for layout in layouts { report.images.append(try layout.image()) }
    try look()
    for (layout, scene) in zip(layouts, scenes.dropFirst(count)) {
      try layout.prepare(scene)
      for other in layouts { _ = try other.answer() }
    }
    try look()
    for layout in layouts { layout.destroy() }
  }

  private static func layOut(
    _ scene: EngineInput, _ expected: LayoutRows, _ examined: ExaminedEngines, _ rounds: Int
  ) -> String? {
    do throws(HostError) {
      // On a busy machine, all rounds may exceed the timeout.
      let start = monotonicSeconds()
      for round in 0..<rounds where round == 0 || monotonicSeconds() - start < 3 {
        let layout = try examined.prepared(scene)
        defer { layout.destroy() }
        if let change = expected.change(to: try layout.image(withAnswers: true)) {
          return "\(change) on a single thread"
        }
      }
      return nil
    } catch { return "the error \"\(error.message)\" instead of a layout on a single thread" }
  }

  /// Without delegate functions, which the host answers on one thread only.
  private func threads(_ scenes: [EngineInput], rounds: Int) throws(HostError) {
    let scenes = scenes.map(\.withoutDelegate)
    let expected = try scenes.map { scene throws(HostError) in
      try examined.prepared(scene).image(withAnswers: true)
    }
    let problem = Mutex<String?>(nil)
    try together(4) { [examined] number in
      let place = number % scenes.count
      let found = Self.layOut(scenes[place], expected[place], examined, rounds)
      problem.withLock { $0 = $0 ?? found }
    }
    report.problem = problem.withLock { $0 }
  }

  /// Lays out on several threads first of all.
  private func firstUse(_ scene: EngineInput) throws(HostError) {
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
    report.problem = problem.withLock { $0 }
  }

  /// Makes every call on a stack of this size; may crash.
  private func onStack(_ scenes: [EngineInput], _ bytes: Int) throws(HostError) {
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

  private func unknownExtension() -> String? {
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
