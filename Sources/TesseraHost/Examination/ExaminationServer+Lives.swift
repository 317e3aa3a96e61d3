import CTessera
import CTesseraSystem
import Glibc
import Synchronization

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
