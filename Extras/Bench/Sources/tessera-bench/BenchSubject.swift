import CTesseraBench
import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

enum BenchPlace: String, CaseIterable {
  case machine
  case inProcess = "in process"
  case isolated
}

struct BenchSubject {
  typealias Place = (place: BenchPlace, engine: Engine, options: EngineOptions)

  let scenario: Scenario
  let engines: [Place]

  func input(items: Int, _ engine: Engine) throws(HostError) -> LayoutInput {
    var scenario = scenario
    scenario.content = .sections([Scenario.Section(items: items)])
    return try scenario.resolved(for: engine.chain).input
  }
}

/// One layout and its measured operations.
///
/// An operation repeats its work and returns the seconds of the interesting part.
final class BenchLayout {
  typealias Operation = (_ calls: Int) throws(HostError) -> Double

  let session: Session
  private let input, longer: LayoutInput
  /// Varying item values, each also with a change in the middle and at the start.
  private let columns: [(name: String, column: ValueColumn, changed: ValueColumn, new: ValueColumn)]
  private var content: Size
  private var randomState: UInt64 = 42
  /// Resident bytes that the index added.
  let indexBytes: Int

  init(_ subject: BenchSubject, _ engine: Engine, items: Int) throws(HostError) {
    input = try subject.input(items: items, engine)
    longer = try subject.input(items: items + 1, engine)
    columns = input.itemValues.sorted { $0.key < $1.key }.compactMap { name, column in
      guard let changed = column.changed(from: (column.count ?? 0) / 2),
        let new = column.changed(from: 1)
      else { return nil }
      return (name, column, changed, new)
    }
    session = try Session(engine)
    session.rowLimit = max(session.rowLimit, 4 * items)
    try input.apply(to: session)
    content = try session.contentSize()
    let before = residentMemory()
    _ = try session.elements(in: session.visibleRect)
    indexBytes = max(0, residentMemory() - before)
  }

  var operations: [(name: String, run: Operation)] {
    var all: [(String, Operation)] = [
      ("prepare", prepare), ("index", index), ("query", query), ("scroll", scroll),
      ("lookup", lookup), ("append", append), ("update", update),
    ]
    if !columns.isEmpty { all += [("values", values), ("change", change)] }
    return all
  }

  /// Mean number of elements in a viewport.
  func hits() throws(HostError) -> Double {
    var count = 0
    for _ in 0..<16 { count += try session.elements(in: randomViewport()).count }
    return Double(count) / 16
  }

  private func timed(_ work: () throws(HostError) -> Void) throws(HostError) -> Double {
    let start = tessera_bench_now()
    try work()
    return tessera_bench_now() - start
  }

  /// Changes the bounds by a point and invalidates everything, as some bounds change nothing.
  private func resize() {
    session.measure = session.measure
    let by = session.bounds.width == input.bounds.width ? 1.0 : 0
    session.bounds = Size(width: input.bounds.width + by, height: input.bounds.height + by)
  }

  private func prepare(_ calls: Int) throws(HostError) -> Double {
    try timed { () throws(HostError) in
      for _ in 0..<calls {
        resize()
        content = try session.contentSize()
      }
    }
  }

  private func index(_ calls: Int) throws(HostError) -> Double {
    var seconds = 0.0
    for _ in 0..<calls {
      resize()
      content = try session.contentSize()
      seconds += try timed { () throws(HostError) in
        _ = try session.elements(in: session.visibleRect)
      }
    }
    return seconds
  }

  private func randomNumber() -> Double {
    randomState = randomState &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(randomState >> 11) * 0x1p-53
  }

  private func randomViewport() -> Rect {
    let bounds = session.bounds
    return Rect(
      x: randomNumber() * max(0, content.width - bounds.width),
      y: randomNumber() * max(0, content.height - bounds.height), width: bounds.width,
      height: bounds.height)
  }

  private func query(_ calls: Int) throws(HostError) -> Double {
    let rects = (0..<calls).map { _ in randomViewport() }
    return try timed { () throws(HostError) in
      for rect in rects { _ = try session.elements(in: rect) }
    }
  }

  private func scroll(_ calls: Int) throws(HostError) -> Double {
    let bounds = session.bounds
    let isVertical = content.height - bounds.height >= content.width - bounds.width
    let far = isVertical ? content.height - bounds.height : content.width - bounds.width
    var place = randomNumber() * max(0, far)
    defer { session.offset = input.offset }
    return try timed { () throws(HostError) in
      for _ in 0..<calls {
        place = place + 20 > far ? 0 : place + 20
        session.offset = isVertical ? Point(x: 0, y: place) : Point(x: place, y: 0)
        _ = try session.elements(in: session.visibleRect)
      }
    }
  }

  private func lookup(_ calls: Int) throws(HostError) -> Double {
    let count = Double(input.itemCount)
    let items = (0..<calls).map { _ in min(input.itemCount - 1, Int(randomNumber() * count)) }
    return try timed { () throws(HostError) in
      for item in items { _ = try session.element(.cell(section: 0, item: item)) }
    }
  }

  private func viewport(at part: Double) -> Rect {
    let bounds = session.bounds
    return Rect(
      x: part * max(0, content.width - bounds.width),
      y: part * max(0, content.height - bounds.height), width: bounds.width, height: bounds.height)
  }

  private func append(_ calls: Int) throws(HostError) -> Double {
    func supply(_ input: LayoutInput) throws(HostError) {
      try session.setSections(input.counts)
      try input.applyValues(to: session)
    }
    let end = viewport(at: 1)
    var seconds = 0.0
    for _ in 0..<calls {
      _ = try session.elements(in: end)
      try supply(longer)
      seconds += try timed { () throws(HostError) in
        _ = try session.contentSize()
        _ = try session.elements(in: end)
      }
      try supply(input)
    }
    _ = try session.elements(in: end)
    return seconds
  }

  private func values(_ calls: Int) throws(HostError) -> Double {
    try timed { () throws(HostError) in
      for call in 0..<calls {
        for (name, column, _, new) in columns {
          try session.setItemValues(name, call % 2 == 0 ? new : column)
        }
      }
    }
  }

  private func change(_ calls: Int) throws(HostError) -> Double {
    let middle = viewport(at: 0.5)
    _ = try session.elements(in: middle)
    var seconds = 0.0
    for _ in 0..<calls {
      for isChanged in [true, false] {
        for (name, column, changed, _) in columns {
          try session.setItemValues(name, isChanged ? changed : column)
        }
        seconds += try timed { () throws(HostError) in
          _ = try session.contentSize()
          _ = try session.elements(in: middle)
        }
      }
    }
    return seconds / 2
  }

  private func update(_ calls: Int) throws(HostError) -> Double {
    let batch = try UpdateBatch.spread(over: input.itemCount)
    var seconds = 0.0
    for _ in 0..<calls {
      _ = try session.elements(in: session.visibleRect)
      seconds += try timed { () throws(HostError) in
        _ = try session.update(batch) { (session) throws(HostError) in
          try input.applyValues(to: session)
        }
      }
      session.offset = input.offset
    }
    return seconds
  }
}

extension Engine {
  /// First prepare of a new session.
  func timeFirst(_ input: LayoutInput, _ calls: Int) throws(HostError) -> Double {
    var seconds = 0.0
    for _ in 0..<calls {
      let session = try Session(self)
      try input.apply(to: session)
      let start = tessera_bench_now()
      _ = try session.contentSize()
      seconds += tessera_bench_now() - start
    }
    return seconds
  }

  /// Time to first answer of a new session with a kept worker.
  func timeAgain(_ input: LayoutInput, _ calls: Int) throws(HostError) -> Double {
    _ = try Session(self)
    let start = tessera_bench_now()
    for _ in 0..<calls {
      let session = try Session(self)
      try input.apply(to: session)
      _ = try session.contentSize()
    }
    return tessera_bench_now() - start
  }

  /// Time to first answer of a new session.
  func timeStart(_ input: LayoutInput, _ calls: Int) throws(HostError) -> Double {
    var seconds = 0.0
    for _ in 0..<calls {
      let start = tessera_bench_now()
      let session = try Session(self)
      try input.apply(to: session)
      _ = try session.contentSize()
      seconds += tessera_bench_now() - start
      try session.close()
    }
    return seconds
  }

  /// Many equal one-section layouts in one call: their session, and the time per layout.
  func batch(
    of input: LayoutInput
  ) throws(HostError) -> (session: Session, run: BenchLayout.Operation) {
    let (session, count) = (try Session(self), 64)
    try input.apply(to: session)
    try session.setSections(Array(repeating: input.itemCount, count: count))
    for (name, column) in input.itemValues {
      try session.setItemValues(name, column.repeated(count))
    }
    return (
      session,
      { (calls) throws(HostError) in
        let start = tessera_bench_now()
        for _ in 0..<calls {
          let batch = try session.batch()
          if let error = batch.errors.values.first { throw error }
        }
        return (tessera_bench_now() - start) / Double(count)
      }
    )
  }

  var ofHostThatKeepsWorkers: Engine {
    get throws(HostError) {
      var configuration = host.configuration
      configuration.keptWorkers = 1
      return try Host(searchPath: host.searchPath, configuration: configuration)
        .engine("\(library)#\(description.id)")
    }
  }
}

extension UpdateBatch {
  /// Up to 1,000 changes, spread evenly: half deletions, half insertions.
  fileprivate static func spread(over items: Int) throws(HostError) -> UpdateBatch {
    let pairs = max(1, min(500, items / 4))
    let step = items / pairs
    var operations: [UpdateOperation] = []
    for pair in 0..<pairs {
      operations.append(.delete(ItemPath(section: 0, item: pair * step)))
      operations.append(.insert(ItemPath(section: 0, item: pair * step + step / 2)))
    }
    return try UpdateBatch(operations, before: [items], after: [items])
  }
}

extension ValueColumn {
  fileprivate func repeated(_ times: Int) -> ValueColumn {
    switch self {
    case .constant: self
    case .choices(let names): .choices((0..<times).flatMap { _ in names })
    case .values(let values):
      .values(
        ValueArray(
          type: values.type, count: values.count * times,
          bytes: values.withBytes { bytes in (0..<times).flatMap { _ in Array(bytes) } }))
    }
  }

  /// Swaps the first two different neighbours from `first` on; nil if all values are equal.
  fileprivate func changed(from first: Int) -> ValueColumn? {
    guard let count, count > 1 else { return nil }
    let end = min(count, first + 1_000)
    guard let place = (max(1, first)..<end).first(where: { self[$0] != self[$0 - 1] }) else {
      return nil
    }
    switch self {
    case .constant: return nil
    case .choices(var names):
      names.swapAt(place - 1, place)
      return .choices(names)
    case .values(let values):
      let stride = values.type.stride
      var bytes = values.withBytes { Array($0) }
      for byte in 0..<stride { bytes.swapAt((place - 1) * stride + byte, place * stride + byte) }
      return .values(ValueArray(type: values.type, count: count, bytes: bytes))
    }
  }
}

func residentMemory() -> Int { memory("/proc/self/status", "VmRSS:") }
/// Peak resident bytes since `forgetPeakMemory`.
func peakMemory() -> Int { memory("/proc/self/status", "VmHWM:") }
func availableMemory() -> Int { memory("/proc/meminfo", "MemAvailable:") }

func forgetPeakMemory() {
  guard let file = fopen("/proc/self/clear_refs", "w") else { return }
  fputs("5", file)
  fclose(file)
}

/// Kibibytes in a line of a file, as bytes; 0 if missing.
private func memory(_ path: String, _ key: String) -> Int {
  guard let file = fopen(path, "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(key) else { continue }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }
  return 0
}
