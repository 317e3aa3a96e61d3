import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

enum Interruption { case cancelled, refusedRows }

extension ExaminationServer {
  /// The call after a stopped one must give the same layout as a new object.
  func interrupted(_ scenes: [EngineInput], by way: Interruption) throws(HostError) -> String? {
    guard let scene = scenes.first else { return nil }
    let stopping = try StoppedLayout(scene, examined, way)
    try stopping.layout.prepare()
    let expected = try examined.prepared(scene).image()
    guard stopping.hasTime else { return nil }
    for call in [StoppedLayout.Call.prepare, .query, .strip, .adjust, .lookUp]
    where stopping.has(call) {
      if let problem = try stopping.problem(in: call, expected) { return problem }
    }
    if stopping.has(.adjust) {
      var scrolled = scene
      scrolled.viewport.offset.y += expected.contentSize.height / 2 + 37
      scrolled.viewport.offset.x += expected.contentSize.width / 2
      let other = try StoppedLayout(scrolled, examined, way)
      try other.layout.prepare()
      let rows = try examined.prepared(scrolled).image()
      if let problem = try other.problem(in: .adjust, rows) {
        return "\(problem) while it is scrolled"
      }
    }
    if way == .refusedRows, let problem = try refusedQueries(scene) { return problem }
    if let steps = stopping.steps, steps > 0 {
      let first = try StoppedLayout(scene, examined, way)
      if let problem = try first.problem(inFirstPrepareOf: expected, steps: steps) {
        return problem
      }
    }
    for other in scenes.dropFirst() where stopping.hasTime {
      let (old, new) = ((scene, expected), (other, try examined.prepared(other).image()))
      for (from, to) in [(old, new), (new, old)] {
        if let problem = try stopping.problem(changing: from, to: to) { return problem }
      }
    }
    return nil
  }

  /// Refuses the engines' internal queries.
  private func refusedQueries(_ scene: EngineInput) throws(HostError) -> String? {
    let layout = try examined.prepared(scene)
    let expected = try layout.image(withAnswers: true)
    layout.queryLimit = 1
    _ = layout.answers()
    layout.queryLimit = nil
    return expected.change(to: try layout.image(withAnswers: true)).map {
      "\($0), after refused queries"
    }
  }

  /// Stops at the first, middle and last step; skips slow layouts.
  func interruptedAgain(
    _ scenes: [EngineInput], by way: Interruption, _ rounds: Int
  ) throws(HostError) {
    for scene in scenes {
      let stopping = try StoppedLayout(scene, examined, way)
      let call = stopping.has(.query) ? StoppedLayout.Call.query : .prepare
      let places = StoppedLayout.places(try stopping.count(call))
      guard stopping.seconds * Double(rounds) < 2 else { return }
      guard !places.isEmpty else { continue }
      var round = 0
      func stop() throws(HostError) {
        _ = try stopping.stop(call, at: places[round % places.count])
        round += 1
      }
      // Freed chunks that the allocator keeps count as allocated; warm up.
      while round < rounds / 2 { try stop() }
      try growth(over: rounds, stop)
      return
    }
  }

  func progress(_ scene: EngineInput) throws(HostError) -> String? {
    let stopping = try StoppedLayout(scene, examined, .cancelled)
    for call in [StoppedLayout.Call.prepare, .query, .strip] where stopping.has(call) {
      _ = try stopping.count(call)
      if let found = stopping.watch.problem { return "\(call.name) reported \(found)" }
    }
    return nil
  }
}

/// Steps are progress calls or rows.
private final class StoppedLayout {
  enum Call {
    case prepare, query, adjust, lookUp
    /// Less than half of each line.
    case strip

    var name: String {
      switch self {
      case .prepare: "prepare"
      case .query, .strip: "elements_in_rect"
      case .adjust: "adjust"
      case .lookUp: "element"
      }
    }
  }

  let layout: ExaminedLayout
  /// Nil if prepares cannot be stopped.
  private(set) var steps: Int?
  let watch: CallLimit
  private let way: Interruption
  private let start = clock()

  init(_ scene: EngineInput, _ examined: ExaminedEngines, _ way: Interruption) throws(HostError) {
    self.way = way
    watch = CallLimit(capacity: examined.rowCapacity(scene))
    layout = try ExaminedLayout(scene, examined, watch)
    nonisolated(unsafe) let asked = watch
    layout.chain.progress = { _ in asked.shouldContinue() }
  }

  var seconds: Double { Double(clock() - start) / Double(CLOCKS_PER_SEC) }

  /// The whole examination has the timeout of one call.
  var hasTime: Bool { seconds < 0.5 }

  func has(_ call: Call) -> Bool {
    let traits = layout.chain.traits
    return switch call {
    case .prepare: way == .cancelled || !traits.isLazy
    case .query: traits.isLazy
    case .strip: way == .cancelled && traits.isLazy
    case .adjust: way == .refusedRows && traits.hasAdjust && !traits.isLazy
    case .lookUp: way == .refusedRows && traits.isLazy && layout.scene.itemCount > 0
    }
  }

  private func make(_ call: Call, changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    switch call {
    case .prepare: try layout.prepare(changed: changed)
    case .query, .adjust: _ = try layout.answer()
    case .strip: _ = try layout.answer(across: 0.4)
    case .lookUp: try layout.lookUpFirstItem()
    }
  }

  /// Rows that a call does not add itself.
  private func given(to call: Call) -> Int {
    call == .adjust ? layout.chain.prepared.rowCount : 0
  }

  func count(_ call: Call) throws(HostError) -> Int {
    if call != .prepare { try layout.prepare() }
    watch.reset()
    try make(call)
    guard way == .refusedRows else { return watch.calls }
    let rows = call == .prepare ? layout.chain.prepared : layout.chain.answers
    return max(0, (rows?.rowCount ?? 0) - given(to: call))
  }

  static func places(_ count: Int) -> [Int] {
    count > 0 ? Set([0, count / 2, count - 1]).sorted() : []
  }

  /// Returns what went wrong, or nil.
  func stop(
    _ call: Call, at place: Int, changed: UInt32 = TESSERA_CHANGED_ALL
  ) throws(HostError) -> String? {
    watch.reset()
    switch way {
    case .cancelled: watch.last = place
    case .refusedRows: watch.allowance = given(to: call) + place
    }
    defer {
      watch.last = .max
      watch.allowance = nil
    }
    do throws(HostError) {
      try make(call, changed: changed)
      // An incremental engine may need fewer steps than counted.
      return way == .cancelled && !watch.hasStopped ? nil : "a result"
    } catch {
      let isExpected = way == .cancelled ? error.kind == .cancelled : error.kind == .invalidInput
      return isExpected ? nil : "\(error.message),"
    }
  }

  /// "when it was refused rows after 3 of 9".
  private func text(_ call: Call, _ place: Int, of count: Int) -> String {
    switch way {
    case .cancelled: "when progress call \(place + 1) of \(count) in \(call.name) returned 0"
    case .refusedRows: "when it was refused rows after \(place) of \(count)"
    }
  }

  /// How the layout differs, once it was stopped as described and asked again.
  private func change(_ expected: LayoutRows, _ what: String) throws(HostError) -> String? {
    let again = way == .cancelled ? "and then was not stopped" : "and then got all"
    return expected.change(to: try layout.image()).map { "\($0), \(what) \(again)" }
  }

  func problem(in call: Call, _ expected: LayoutRows) throws(HostError) -> String? {
    let count = try count(call)
    if call == .prepare { steps = count }
    for place in Self.places(count) where hasTime {
      let what = text(call, place, of: count)
      if let found = try stop(call, at: place) { return "\(found) \(what)" }
      if call == .prepare { try layout.prepare() }
      if let change = try change(expected, what) { return change }
    }
    return nil
  }

  func problem(
    inFirstPrepareOf expected: LayoutRows, steps count: Int
  ) throws(HostError) -> String? {
    let what = "\(text(.prepare, count / 2, of: count)) the first time"
    if let found = try stop(.prepare, at: count / 2) { return "\(found) \(what)" }
    try layout.prepare()
    return try change(expected, what)
  }

  /// After a stopped change, the next prepare must give the same layout as a new object.
  func problem(
    changing old: (scene: EngineInput, rows: LayoutRows),
    to new: (scene: EngineInput, rows: LayoutRows)
  ) throws(HostError) -> String? {
    guard has(.prepare) else { return nil }
    layout.take(new.scene)
    let count = try count(.prepare)
    guard count > 0 else { return nil }
    let data = TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES
    for next in [new, old] {
      layout.take(old.scene)
      try layout.prepare()
      layout.take(new.scene)
      let what = "\(text(.prepare, count / 2, of: count)) after other data"
      if let found = try stop(.prepare, at: count / 2, changed: data) { return "\(found) \(what)" }
      layout.take(next.scene)
      try layout.prepare()
      if let change = try change(next.rows, what) { return change }
    }
    return nil
  }
}

private final class CallLimit: CallWatch {
  /// Rows per call; nil for the store's capacity.
  var allowance: Int?
  private(set) var calls = 0
  /// The index of the call that returns 0.
  var last = Int.max
  /// The first report outside 0...1 or lower than the previous one.
  private(set) var problem: String?
  private var highest = 0.0

  override func add(
    _ count: UInt64, to store: RowStore, _ add: () -> tessera_status
  ) -> tessera_status {
    guard let allowance, count > UInt64(max(0, allowance - store.rowCount)) else { return add() }
    store.refuse()
    return TESSERA_ERROR_NO_SPACE
  }

  func reset() {
    (calls, highest) = (0, 0)
    problem = nil
  }

  override func observe(_ fraction: Double, ofEngineAt place: Int) {
    if !(fraction >= 0 && fraction <= 1) { problem = problem ?? "\(fraction)" }
    // A base reports its part, perhaps several times.
    guard place == 0 else { return }
    if fraction < highest { problem = problem ?? "\(fraction) after \(highest)" }
    highest = max(highest, fraction)
  }

  func shouldContinue() -> Bool {
    calls += 1
    return !hasStopped
  }

  var hasStopped: Bool { calls > last }
}
