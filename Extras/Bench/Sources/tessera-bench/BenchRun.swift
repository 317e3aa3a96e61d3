import CTesseraBench
import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

/// All measures of some engines, taken in turns.
struct BenchRun {
  let subjects: [BenchSubject]
  let counts: [Int]
  let names: [String]
  let runs: Int
  /// Called with the progress, 0...1.
  let progress: (Double) -> Void

  /// Seconds for the samples of a measure, unless there are fewer than three.
  private static let budget = 3.0
  /// Longest time in seconds of a measure.
  private static let patience = 30.0

  /// - Throws: `.refused` if there is too little memory; the errors of engines.
  func reports() throws -> [BenchReport] {
    let most = counts.last ?? 0
    // Frames of the machine's work, of each layout, and of update answers.
    let needed = most * 32 * (3 + 2 * subjects.reduce(0) { $0 + $1.engines.count })
    let free = availableMemory()
    guard free == 0 || needed < free else {
      throw HostError(
        .workerNotStarted,
        "\(most) items need about \(needed >> 20) MiB of memory, of which \(free >> 20) MiB are free; "
          + "give fewer with --items")
    }
    var reports = subjects.map { BenchReport($0, runs: runs) }
    var costs: [String: (items: Int, seconds: Double, bytes: Int)] = [:]
    for (step, items) in ([0, BenchReport.startItems] + counts).enumerated() {
      try measure(items, of: counts.contains(items) && step > 1, &reports, &costs) {
        progress((Double(step) + $0) / Double(counts.count + 2))
      }
    }
    return reports
  }

  private func measure(
    _ items: Int, of wanted: Bool, _ reports: inout [BenchReport],
    _ costs: inout [String: (items: Int, seconds: Double, bytes: Int)],
    _ progress: (Double) -> Void
  ) throws {
    let machine = wanted ? BenchMachine(items: items) : nil
    var samplers = machine?.operations.map { BenchSampler($0.name, .machine, nil, $0.run) } ?? []
    for sampler in samplers { _ = try sampler.calibrate(nil) }
    for (index, subject) in subjects.enumerated() {
      for place in subject.engines {
        let own = try makeSamplers(subject, place, items, wanted, index, &reports[index])
        for sampler in own {
          guard names.contains(sampler.name) else { continue }
          let key = "\(index) \(place.place) \(sampler.name)"
          if let last = costs[key],
            let reason = reason(against: items, last, patience: Self.patience)
          {
            reports[index].leftOut.append(
              (sampler.name, place.place, items, reason))
            continue
          }
          let cost = try sampler.calibrate(place.options)
          costs[key] = (items, cost.seconds, cost.bytes)
          samplers.append(sampler)
        }
      }
    }
    for run in 0..<runs {
      for sampler in samplers where sampler.samples.count < 3 || sampler.spent < Self.budget {
        try sampler.sample()
      }
      progress(Double(run + 1) / Double(runs))
    }
    for sampler in samplers {
      for index in reports.indices where sampler.subject == nil || sampler.subject == index {
        reports[index].measures.append(
          .init(
            name: sampler.name, place: sampler.place, items: items,
            samples: sampler.samples.sorted()))
      }
    }
  }

  private func makeSamplers(
    _ subject: BenchSubject, _ place: BenchSubject.Place, _ items: Int, _ wanted: Bool,
    _ index: Int, _ report: inout BenchReport
  ) throws -> [BenchSampler] {
    func sampler(_ name: String, _ session: Session?, _ run: @escaping BenchLayout.Operation)
      -> BenchSampler
    {
      BenchSampler(name, place.place, index, session: session, run)
    }
    let engine = place.engine
    let input = try subject.input(items: items, engine)
    let keeping = try engine.ofHostThatKeepsWorkers
    guard wanted else {
      guard items == 0 else {
        let batch = try engine.batch(of: input)
        return [
          sampler("start", nil) { (calls) throws(HostError) in try engine.timeStart(input, calls) },
          sampler("again", nil) { (calls) throws(HostError) in try keeping.timeAgain(input, calls)
          },
          sampler("batch", batch.session, batch.run),
        ]
      }
      let layout = try BenchLayout(subject, engine, items: 0)
      return [sampler("empty", layout.session, layout.operations[0].run)]
    }
    let options = place.options
    let (layout, hits) = try options.watchdog.guarding(
      options.hanging(engine.description.id)
    ) { () throws(HostError) in
      let layout = try BenchLayout(subject, engine, items: items)
      return (layout, try layout.hits())
    }
    let rows = layout.session.preparedRows
    if !report.sizes.contains(where: { $0.items == items }) || place.place == .inProcess {
      report.sizes.removeAll { $0.items == items }
      report.sizes.append(
        .init(
          items: items, rows: rows.count,
          bytesPerItem: Double(rows.count * rows.bytesPerRow) / Double(items),
          // A small index may reuse resident memory.
          indexBytesPerItem: place.place == .inProcess && layout.indexBytes > 0
            ? Double(layout.indexBytes) / Double(items) : nil,
          hitsPerQuery: hits))
    }
    return layout.operations.map { sampler($0.name, layout.session, $0.run) }
      + [
        sampler("first", nil) { (calls) throws(HostError) in
          try keeping.timeFirst(input, calls)
        }
      ]
  }
}

/// Why a measure is skipped for more items, by its last cost; otherwise nil.
private func reason(
  against more: Int, _ last: (items: Int, seconds: Double, bytes: Int), patience: Double
) -> String? {
  guard last.items > 0 else { return nil }
  let growth = Double(more) / Double(last.items)
  if last.seconds * growth > patience {
    return "it would take about \((last.seconds * growth).rounded().shortText) s"
  }
  let (free, needed) = (availableMemory(), Double(last.bytes) * growth)
  guard last.bytes > 64 << 20, free > 0, needed > 0.7 * Double(free) else { return nil }
  return "it would need about \(Int(needed) >> 20) MiB of memory"
}

private final class BenchSampler {
  let name: String
  let place: BenchPlace
  let subject: Int?
  private let session: Session?
  private let run: BenchLayout.Operation
  private var calls = 1
  /// Seconds per repetition.
  private(set) var samples: [Double] = []
  /// Seconds spent.
  private(set) var spent = 0.0

  /// Shortest sample in seconds, for the clock's resolution.
  private static let shortest = 0.002

  init(
    _ name: String, _ place: BenchPlace, _ subject: Int?, session: Session? = nil,
    _ run: @escaping BenchLayout.Operation
  ) {
    (self.name, self.place, self.subject) = (name, place, subject)
    (self.session, self.run) = (session, run)
  }

  /// Takes the cost of one call, under the time limit, to find the repetitions per sample.
  func calibrate(_ options: EngineOptions?) throws -> (seconds: Double, bytes: Int) {
    let before = residentMemory()
    forgetPeakMemory()
    let watchdog = options?.watchdog ?? Watchdog(seconds: nil)
    let start = tessera_bench_now()
    try watchdog.guarding(options?.hanging("the engine") ?? "") { () throws(HostError) in
      if watchdog.seconds != nil { session?.trace = { _ in watchdog.rearm() } }
      _ = try run(1)
      session?.trace = nil
    }
    let once = tessera_bench_now() - start
    let bytes = max(0, peakMemory() - before)
    var last = once
    while last < Self.shortest, calls < 4_096 {
      calls *= 2
      let start = tessera_bench_now()
      _ = try run(calls)
      last = tessera_bench_now() - start
    }
    return (once, bytes)
  }

  func sample() throws {
    let start = tessera_bench_now()
    // Warms the caches.
    if spent < Self.shortest * 1_000 { _ = try run(1) }
    samples.append(max(0, try run(calls)) / Double(calls))
    spent += tessera_bench_now() - start
  }
}

private final class BenchMachine {
  private let items: Int
  private let frames, copies: UnsafeMutablePointer<tessera_bench_frame>
  private let hits: UnsafeMutablePointer<UInt32>

  private var byteCount: Int { items * MemoryLayout<tessera_bench_frame>.stride }

  init(items: Int) {
    func memory(_ byteCount: Int) -> UnsafeMutableRawPointer {
      .allocate(byteCount: byteCount, alignment: 4_096)
    }
    self.items = items
    let byteCount = items * MemoryLayout<tessera_bench_frame>.stride
    frames = memory(byteCount).bindMemory(to: tessera_bench_frame.self, capacity: items)
    copies = memory(byteCount).bindMemory(to: tessera_bench_frame.self, capacity: items)
    hits = memory(4 * items).bindMemory(to: UInt32.self, capacity: items)
    tessera_bench_fill(hits, 4 * items)
    tessera_bench_store(frames, items, Self.width)
    tessera_bench_copy(copies, frames, byteCount)
  }

  deinit {
    UnsafeMutableRawPointer(frames).deallocate()
    UnsafeMutableRawPointer(copies).deallocate()
    UnsafeMutableRawPointer(hits).deallocate()
  }

  private static let width = 375.0

  var operations: [(name: String, run: BenchLayout.Operation)] {
    let (items, byteCount) = (items, byteCount)
    func timed(_ work: @escaping () -> Void) -> BenchLayout.Operation {
      { (calls) throws(HostError) in
        let start = tessera_bench_now()
        for _ in 0..<calls { work() }
        return tessera_bench_now() - start
      }
    }
    let middle = tessera_bench_frame(x: 0, y: Double(items) * 30 / 12 / 2, width: 375, height: 667)
    return [
      ("memset", timed { [self] in tessera_bench_fill(copies, byteCount) }),
      ("loop", timed { [self] in tessera_bench_store(frames, items, Self.width) }),
      ("stream", timed { [self] in tessera_bench_stream(frames, items, Self.width) }),
      ("copy", timed { [self] in tessera_bench_copy(copies, frames, byteCount) }),
      ("filter", timed { [self] in _ = tessera_bench_filter(frames, items, middle, hits) }),
      ("touch", timed { _ = tessera_bench_touch(byteCount) }),
      (
        "round trip",
        { (calls) throws(HostError) in tessera_bench_round_trip(1_000) * Double(calls) }
      ),
    ]
  }
}
