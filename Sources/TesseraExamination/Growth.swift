import CTesseraExamination
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

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

  /// The first tenth of the rounds is warm-up.
  ///
  /// Counts every part like the part with the least growth: the allocator keeps a freed block now
  /// and then, but a leak grows everywhere. Arrays double rarely, hence also halves.
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

  /// malloc's bytes and private memory; nil if an engine used up all descriptors.
  private static var bytes: (heap: Int, own: Int?) {
    (Int(tessera_heap_bytes()), (try? ProcessFacts.now(after: ""))?.privateBytes)
  }

  func kept(_ scenes: [EngineInput], _ report: inout ExaminationReport) throws(HostError) {
    // The first prepare with items fills process-wide caches.
    if let first = scenes.first(where: { $0.itemCount > 0 }) { _ = try examined.prepared(first) }
    for scene in scenes {
      let layout = try ExaminedLayout(scene, examined)
      let before = tessera_heap_bytes()
      try layout.prepare()
      report.heapBytes.append(Int(tessera_heap_bytes()) - Int(before))
    }
  }
}
