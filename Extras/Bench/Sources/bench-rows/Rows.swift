import CTesseraBench
import Glibc
import TesseraHost

func run(_ arguments: [String]) throws {
  switch (arguments.first, arguments.count) {
  case ("rows", 2): try printRows(folder: arguments[1])
  case ("count", 3): try count(folder: arguments[1], updated: Int(arguments[2]) ?? 1_000)
  default: fail(64, "see Extras/Bench/Sources/bench-rows/main.swift")
  }
}

func fail(_ status: Int32, _ sentence: String) -> Never {
  let text = "bench-rows: \(sentence)\n"
  _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(status)
}

private func host(_ folder: String) -> Host {
  Host(
    searchPath: SearchPath(folders: [folder]), configuration: HostConfiguration(isolation: .none))
}

private func session(_ name: String, in folder: String, items: Int) throws -> Session {
  let session = try Session(host(folder).engine(name))
  session.rowLimit = max(session.rowLimit, 4 * items)
  try session.setSections([items])
  return session
}

/// Seconds.
private func median(_ runs: Int, _ work: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<runs {
    let start = tessera_bench_now()
    try work()
    times.append(tessera_bench_now() - start)
  }
  return times.sorted()[runs / 2]
}

private func resident() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  fgets(&line, Int32(line.count), file)
  let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  let words = String(decoding: text, as: UTF8.self).split(separator: " ")
  return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// Prints one figure per line: name, tab, number (times in nanoseconds).
private func printRows(folder: String) throws {
  func say(_ name: String, _ number: Double) {
    print("\(name)\t\(number)")
    fflush(nil)
  }
  let million = 1_000_000
  for name in ["grid", "flow"] {
    let layout = try session(name, in: folder, items: million)
    _ = try layout.elements(in: layout.visibleRect)
    let time = try median(5) { _ = try layout.elements() }
    say("enumerate \(name)", time / Double(million) * 1e9)
  }
  say("billion", try billion(folder) * 1e9)
  let items = 100_000
  let moments = try ["mosaic", "flow"].map { name in
    let layout = try session(name, in: folder, items: items)
    return try LayoutMoment(elements: layout.elements(), contentSize: layout.contentSize())
  }
  let transition = median(3) { _ = LayoutAnimation(from: moments[0], to: moments[1]) }
  say("transition", transition / Double(items) * 1e9)
  try sayVisible(folder, million, say)
  let names = (0..<items).map { "item-\($0 &* 2_654_435_761 % 1_000_003)-\($0)" }
  var few = names
  few.swapAt(10, 20_000)
  few.remove(at: 50_000)
  few.insert("new", at: 70_000)
  say(
    "diff few",
    try median(3) { _ = try UpdateBatch(from: [names], to: [few]) } / Double(items) * 1e9)
  var state: UInt64 = 7
  let shuffled = names.map { name in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33, name)
  }.sorted { $0.0 < $1.0 }.map(\.1)
  say(
    "diff few unique",
    try median(3) { _ = try UpdateBatch(from: [names], to: [few], areUnique: true) }
      / Double(items) * 1e9)
  say(
    "diff general",
    try median(3) { _ = try UpdateBatch(from: [names], to: [shuffled]) } / Double(items) * 1e9)
  let before = resident()
  do {
    let layout = try session("mosaic", in: folder, items: million)
    _ = try layout.elements(in: layout.visibleRect)
    try layout.close()
  }
  say("kept", Double(max(0, resident() - before)) / Double(million))
}

private func sayVisible(
  _ folder: String, _ items: Int, _ say: (String, Double) -> Void
) throws {
  let layouts = try ["mosaic", "flow"].map { try session($0, in: folder, items: items) }
  for layout in layouts { _ = try layout.elements(in: layout.visibleRect) }
  say(
    "transition visible",
    try median(9) {
      _ = try LayoutAnimation(fromVisible: layouts[0], to: layouts[1])
    } * 1e9)
  let step = items / 500
  let operations: [UpdateOperation] = (0..<500).flatMap { number in
    [
      .delete(ItemPath(section: 0, item: number * step)),
      .insert(ItemPath(section: 0, item: number * step + step / 2)),
    ]
  }
  let batch = try UpdateBatch(operations, before: [items], after: [items])
  say(
    "update visible",
    try median(5) {
      layouts[0].offset = .zero
      _ = try layouts[0].update(batch, tracks: .visible) { _ in }
    } * 1e9)
}

/// First viewport of a billion items in a lazy layout.
private func billion(_ folder: String) throws -> Double {
  let layout = try session("grid", in: folder, items: 1_000_000_000)
  return try median(5) {
    layout.bounds.width += 1
    _ = try layout.elements(in: layout.visibleRect)
  }
}
