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
    let expected = try ExpectedLayout(scene, examined)
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
      if let problem = try other.problem(in: .adjust, ExpectedLayout(scrolled, examined)) {
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
      let changed = try ExpectedLayout(other, examined)
      for (from, to) in [(expected, changed), (changed, expected)] {
        if let problem = try stopping.problem(changing: from, to: to) { return problem }
      }
    }
    return nil
  }

  /// Refuses the engines' internal queries.
  private func refusedQueries(_ scene: EngineInput) throws(HostError) -> String? {
    let layout = try examined.prepared(scene)
    let (image, answers) = (try layout.image(), layout.answers())
    layout.queryLimit = 1
    _ = layout.answers()
    layout.queryLimit = nil
    if let change = image.change(to: try layout.image()) {
      return "\(change), after refused queries"
    }
    for (before, after) in zip(answers, layout.answers()) where before != after {
      return "\(after) after refused queries, and \(before) before them"
    }
    return nil
  }

  /// Stops at the first, middle and last step; skips slow layouts.
  func interruptedAgain(
    _ scenes: [EngineInput], by way: Interruption, _ rounds: Int, _ report: inout ExaminationReport
  ) throws(HostError) {
    for scene in scenes {
      let stopping = try StoppedLayout(scene, examined, way)
      let call = stopping.has(.query) ? StoppedLayout.Call.query : .prepare
      let steps = try stopping.count(call)
      guard stopping.seconds * Double(rounds) < 2 else { return }
      let places = StoppedLayout.places(steps)
      guard !places.isEmpty else { continue }
      var round = 0
      // Freed chunks that the allocator keeps count as allocated; warm up.
      while round < rounds / 2 {
        _ = try stopping.stop(call, at: places[round % places.count])
        round += 1
      }
      try growth(over: rounds, &report) { () throws(HostError) in
        _ = try stopping.stop(call, at: places[round % places.count])
        round += 1
      }
      return
    }
  }

  func progress(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      let stopping = try StoppedLayout(scene, examined, .cancelled)
      for call in [StoppedLayout.Call.prepare, .query, .strip] where stopping.has(call) {
        _ = try stopping.count(call)
        if let found = stopping.watch.problem { return "\(call.name) reported \(found)" }
      }
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
    layout = try ExaminedLayout(scene, examined, examiner: watch)
    nonisolated(unsafe) let asked = watch
    layout.chain.progress = { _ in asked.goesOn() }
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

  func count(_ call: Call) throws(HostError) -> Int {
    if call != .prepare, !isPrepared { try prepare() }
    watch.reset()
    let before = call == .adjust ? layout.chain.prepared.rowCount : 0
    let rows: Int
    switch call {
    case .prepare:
      try prepare()
      rows = layout.chain.prepared.rowCount
    case .query, .adjust: rows = try layout.answer().rowCount - before
    case .strip: rows = try layout.answer(across: 0.4).rowCount
    case .lookUp:
      try layout.lookUpFirstItem()
      rows = watch.rows.answer?.rowCount ?? 0
    }
    return way == .cancelled ? watch.calls : max(0, rows)
  }

  private var isPrepared = false

  private func prepare() throws(HostError) {
    try layout.prepare()
    isPrepared = true
  }

  static func places(_ count: Int) -> [Int] {
    count > 0 ? Set([0, count / 2, count - 1]).sorted() : []
  }

  /// Returns what went wrong, or nil.
  func stop(
    _ call: Call, at place: Int, changed: UInt32 = TESSERA_CHANGED_ALL
  ) throws(HostError) -> String? {
    watch.reset()
    let before = call == .adjust ? layout.chain.prepared.rowCount : 0
    switch way {
    case .cancelled: watch.last = place
    case .refusedRows: watch.allowance = before + place
    }
    defer {
      watch.last = .max
      watch.allowance = nil
    }
    do throws(HostError) {
      switch call {
      case .prepare: try layout.prepare(changed: changed)
      case .query, .adjust: _ = try layout.answer()
      case .strip: _ = try layout.answer(across: 0.4)
      case .lookUp: try layout.lookUpFirstItem()
      }
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

  private var again: String { way == .cancelled ? "and then was not stopped" : "and then got all" }

  func problem(in call: Call, _ expected: ExpectedLayout) throws(HostError) -> String? {
    let count = try count(call)
    if call == .prepare { steps = count }
    for place in Self.places(count) where hasTime {
      let what = text(call, place, of: count)
      if let found = try stop(call, at: place) { return "\(found) \(what)" }
      if call == .prepare { try layout.prepare() }
      if let change = try expected.change(to: layout) { return "\(change), \(what) \(again)" }
    }
    return nil
  }

  func problem(
    inFirstPrepareOf expected: ExpectedLayout, steps count: Int
  ) throws(HostError) -> String? {
    let what = "\(text(.prepare, count / 2, of: count)) the first time"
    if let found = try stop(.prepare, at: count / 2) { return "\(found) \(what)" }
    try layout.prepare()
    return try expected.change(to: layout).map { "\($0), \(what) \(again)" }
  }

  /// After a stopped change, the next prepare must give the same layout as a new object.
  func problem(changing old: ExpectedLayout, to new: ExpectedLayout) throws(HostError) -> String? {
    guard has(.prepare) else { return nil }
    layout.take(new.scene)
    let count = try count(.prepare)
    guard count > 0 else { return nil }
    for next in [new, old] {
      layout.take(old.scene)
      try layout.prepare()
      layout.take(new.scene)
      let what = "\(text(.prepare, count / 2, of: count)) after other data"
      if let found = try stop(.prepare, at: count / 2, changed: Self.changedData) {
        return "\(found) \(what)"
      }
      layout.take(next.scene)
      try layout.prepare()
      if let change = try next.change(to: layout) { return "\(change), \(what) \(again)" }
    }
    return nil
  }

  private static let changedData = TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES
}

/// Compares rows in memory, which is fast.
private final class ExpectedLayout {
  let scene: EngineInput
  private let examined: ExaminedEngines
  let contentSize: Size
  private let runs: ContiguousArray<Run>
  private let columns: [[UInt8]]

  init(_ scene: EngineInput, _ examined: ExaminedEngines) throws(HostError) {
    self.scene = scene
    self.examined = examined
    let fresh = try examined.prepared(scene)
    contentSize = fresh.contentSize
    let store = try fresh.answer()
    runs = store.runs
    columns = store.columns().map { _, base, stride in
      Array(UnsafeRawBufferPointer(start: base, count: store.rowCount * stride))
    }
  }

  /// "FOUND instead of EXPECTED"; nil if identical.
  func change(to layout: ExaminedLayout) throws(HostError) -> String? {
    let store = try layout.answer()
    guard layout.contentSize != contentSize || store.runs != runs || !equalsColumns(of: store)
    else { return nil }
    return try examined.prepared(scene).image().change(to: layout.image())
  }

  private func equalsColumns(of store: RowStore) -> Bool {
    zip(columns, store.columns()).allSatisfy { bytes, column in
      bytes.withUnsafeBytes { own in
        own.count == 0
          || own.count == store.rowCount * column.stride
            && memcmp(own.baseAddress!, column.base, own.count) == 0
      }
    }
  }
}

private final class CallLimit: CallExaminer {
  /// Rows per call; nil for the store's capacity.
  var allowance: Int?
  private(set) var calls = 0
  /// The index of the call that returns 0.
  var last = Int.max
  /// The first report outside 0...1 or lower than the previous one.
  private(set) var problem: String?
  private var highest = 0.0

  override func add(count: UInt64, _ add: () -> tessera_status) -> tessera_status {
    if let allowance, let store = isPreparing ? rows.prepared : rows.answer,
      count > UInt64(max(0, allowance - store.rowCount))
    {
      store.refuse()
      return TESSERA_ERROR_NO_SPACE
    }
    return add()
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

  func goesOn() -> Bool {
    calls += 1
    return !hasStopped
  }

  var hasStopped: Bool { calls > last }
}

extension ExaminationServer {
  /// The first answer that differs while other layouts exist.
  func publishedFunctions(_ scenes: [EngineInput]) throws(HostError) -> String? {
    var functions: [FunctionDescription] = []
    for declared in examined.engines.flatMap(\.description.publishedFunctions)
    where !functions.contains(where: { $0.name == declared.name }) { functions.append(declared) }
    var calls: [[(name: String, arguments: [Value])]] = []
    var alone: [[String]] = []
    for scene in scenes {
      var own: [(name: String, arguments: [Value])] = []
      for function in functions {
        own += try function.parsedSignature.validArguments(counts: scene.starts.counts).map {
          (function.name, $0)
        }
      }
      calls.append(own)
      let layout = try examined.prepared(scene)
      alone.append(own.map { layout.call($0.name, $0.arguments) })
      layout.destroy()
    }
    let layouts = try scenes.map { scene throws(HostError) in try ExaminedLayout(scene, examined) }
    for layout in layouts { try layout.prepare() }
    for place in 0..<(calls.map(\.count).max() ?? 0) {
      for (number, layout) in layouts.enumerated() where place < calls[number].count {
        let call = calls[number][place]
        let found = layout.call(call.name, call.arguments)
        guard found == alone[number][place] else {
          let text = callText(call.name, call.arguments)
          return "\(found) from \(text) beside another layout, and \(alone[number][place]) without"
        }
      }
    }
    return nil
  }
}

extension Signature {
  /// Arguments that refer to existing items, as far as types reveal.
  package func validArguments(counts: [Int]) -> [[Value]] {
    let total = counts.reduce(0, +)
    let integers: [[Int]]
    switch arguments.count(where: \.isWhole) {
    case 0: integers = Array(repeating: [], count: 7)
    case 1:
      // An index among all items, or a section.
      integers = Set([0, 1, 2, counts.count - 1, total / 2, total - 1]).filter { $0 >= 0 }.sorted()
        .map { [$0] }
    default:
      let places = counts.indices.filter { counts[$0] > 0 }.flatMap { section in
        Set([0, 1, counts[section] / 2, counts[section] - 1]).filter { $0 < counts[section] }
          .sorted().map { [section, $0] }
      }
      integers = places.count > 24 ? Array(places.prefix(16) + places.suffix(8)) : places
    }
    return Self.unique(integers.enumerated().compactMap { list(integers: $1, $0) })
  }

  /// One or all arguments at the limits of their types, or just outside the data.
  package func extremeArguments(counts: [Int]) -> [[Value]] {
    let total = counts.reduce(0, +)
    let outside = [
      counts.count - 1, counts.count, counts.count + 1, counts.max() ?? 0, (counts.max() ?? 0) + 1,
      total - 1, total, total + 1, -1, 1 << 31, 1 << 32, 1 << 53,
    ]
    let plain = list(integers: [0], 0) ?? []
    let lasting = list(integers: [max(0, counts.count - 1), max(0, (counts.last ?? 0) - 1)], 1)
    var lists: [[Value]] = []
    for base in [plain, lasting ?? plain] where base.count == arguments.count {
      for (place, type) in arguments.enumerated() {
        for value in Self.limits(of: type) + outside.compactMap({ Self.number(Double($0), type) }) {
          var changed = base
          changed[place] = value
          lists.append(changed)
        }
      }
    }
    for pick in 0..<6 {
      let all = arguments.compactMap { type -> Value? in
        let limits = Self.limits(of: type)
        return limits.isEmpty ? nil : limits[pick % limits.count]
      }
      if all.count == arguments.count { lists.append(all) }
    }
    return Self.unique(lists)
  }

  /// These integers first, then usual lengths.
  private func list(integers: [Int], _ turn: Int) -> [Value]? {
    let lengths = [0, 10.5, 333.25, 100, -20, 1000, 50]
    var left = integers[...]
    var result: [Value] = []
    for (place, type) in arguments.enumerated() {
      let value =
        type.isWhole
        ? Self.number(Double(left.popFirst() ?? 0), type)
        : Self.number(
          type == .bool ? Double(turn & 1) : lengths[(turn + place) % lengths.count], type)
      guard let value else { return nil }
      result.append(value)
    }
    return result
  }

  private static func limits(of type: ValueType) -> [Value] {
    if type.isWhole {
      let numbers: [Value] =
        type.component == .unsigned
        ? [.unsigned(0), .unsigned(type.unsignedMaximum), .unsigned(type.unsignedMaximum - 1)]
        : [
          .integer(0), .integer(type.signedRange.lowerBound), .integer(type.signedRange.upperBound),
        ]
      return numbers.compactMap { $0.converted(to: type) }
    }
    if type == .bool { return [.bool(false), .bool(true)] }
    let most = type == .f32 ? Double(Float.greatestFiniteMagnitude) : Double.greatestFiniteMagnitude
    return [0, -0.0, most, -most, 1e12, -1, .leastNonzeroMagnitude, 1e30].compactMap {
      number($0, type)
    }
  }

  private static func number(_ number: Double, _ type: ValueType) -> Value? {
    type.isVector || !type.isWhole
      ? Value(type: type, finite: Array(repeating: number, count: type.width))
      : Int64(exactly: number).flatMap { Value.integer($0).converted(to: type) }
  }

  private static func unique(_ lists: [[Value]]) -> [[Value]] {
    var known = Set<[Value]>()
    return lists.filter { known.insert($0).inserted }
  }
}
