import CTesseraExamination
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// How much memory engines use: what grows when something is repeated, and what a layout keeps.
extension ExaminationServer {
  func recreated(
    _ scenes: [EngineInput], _ count: Int, _ report: inout ExaminationReport
  ) throws(HostError) {
    for scene in scenes {
      try growth(over: count, &report) { () throws(HostError) in
        try examined.prepared(scene).destroy()
      }
    }
  }

  func reprepared(
    _ scenes: [EngineInput], _ count: Int, _ report: inout ExaminationReport
  ) throws(HostError) {
    for scene in scenes {
      let layout = try ExaminedLayout(scene, examined)
      try growth(over: count, &report) { () throws(HostError) in
        try layout.prepare()
        _ = try layout.answer()
      }
    }
  }

  func updatedAgain(
    _ scenes: [EngineInput], _ count: Int, _ report: inout ExaminationReport
  ) throws(HostError) {
    for scene in scenes {
      let layout = try examined.prepared(scene)
      try growth(over: count, &report) { () throws(HostError) in try layout.update() }
    }
  }

  /// Repeats a step and records how much memory grew after the first tenth of the rounds, when
  /// everything that is allocated once has been allocated.
  ///
  /// The other rounds are in parts, and as much counts for each part as in the one with the least growth:
  /// the allocator keeps a freed block for later now and then, what is never freed grows all the time. An
  /// array that doubles grows seldom, but by more than the allocator keeps: for it, the parts are halves.
  func growth(
    over count: Int, _ report: inout ExaminationReport, _ step: () throws(HostError) -> Void
  ) throws(HostError) {
    let settled = max(1, count / 10)
    let (parts, kept) = (6, 16 << 10)
    var ends: [(heap: Int, own: Int?)] = []
    for number in 0..<count {
      if number == settled { tessera_fill_heap_cache() }
      if settled + (count - settled) * ends.count / parts <= number { ends.append(Self.bytes) }
      try step()
    }
    ends.append(Self.bytes)
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

  /// The bytes that malloc has allocated, and the process's private memory; the latter is nil if an
  /// engine has used up all descriptors, so that it cannot be read.
  private static var bytes: (heap: Int, own: Int?) {
    (Int(tessera_heap_bytes()), (try? ProcessFacts.now(after: ""))?.privateBytes)
  }

  /// How many bytes each layout allocates in its prepare.
  func kept(_ scenes: [EngineInput], _ report: inout ExaminationReport) throws(HostError) {
    // The first prepare of items allocates what the process keeps.
    if let first = scenes.first(where: { $0.itemCount > 0 }) { _ = try examined.prepared(first) }
    for scene in scenes {
      let layout = try ExaminedLayout(scene, examined)
      let before = tessera_heap_bytes()
      try layout.prepare()
      report.heapBytes.append(Int(tessera_heap_bytes()) - Int(before))
    }
  }
}
