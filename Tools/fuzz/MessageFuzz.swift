// Feeds the inputs of libFuzzer to the host's readers of what a worker sends: replies, errors, questions,
// runs and reports of examinations.

import CTessera
@testable import TesseraCatalog
@testable import TesseraExamination
@testable import TesseraGeometry
@testable import TesseraRuntime
@testable import TesseraWorker

/// A worker that never starts; the input plays it.
private final class NoWorkers: WorkerSource {
  let limits = WorkerLimits()
  let rowLimit = 1 << 20
  func start(memory: SharedMemory, input: SharedMemory) throws(HostError) -> Worker {
    throw HostError(.workerNotStarted, "there is none")
  }
  func engineDied(_ error: HostError) {}
  func keep(_ worker: Worker, input: SharedMemory) {}
  func enginePrinted(_ text: String, in call: String) {}
}

private let chain = [
  EngineDescription(
    id: "org.example.liar", name: "", version: "1.0.0", author: "", license: "", summary: "",
    base: nil, baseVersion: nil, traits: [], columns: [], adjustedColumns: [],
    abilities: .prepare, parameters: [],
    values: [
      ValueDescription(
        name: "extent", help: "", type: .size, scope: .item, fallback: nil, choices: [])
    ],
    functions: [
      FunctionDescription(name: "width", signature: "f64(u32,u32)", help: "", isPublished: false),
      FunctionDescription(name: "both", signature: "u8(f32,rect)", help: "", isPublished: false),
    ], attributes: [], kinds: [KindDescription(name: "header", category: .supplementary)],
    defaults: [])
]
private let counts = [6, 0, 3]

nonisolated(unsafe) private let layout: WorkerLayout = {
  do {
    let input = try SharedInput()
    let values = try SessionValues(chain: chain, memory: input)
    for function in chain[0].functions {
      let answer: (CallArguments) throws(HostError) -> Value = { (_) throws(HostError) in
        function.name == "width" ? .number(1) : .unsigned(2)
      }
      try values.setDelegate(
        function.name,
        DelegateFunction(function.name, Signature(function.signature), answer: answer))
    }
    return try WorkerLayout(
      chain: chain, values: values, starts: SectionStarts(counts: counts, memory: input),
      input: input, source: NoWorkers(), startsNow: false)
  } catch { fatalError("\(error)") }
}()

/// The first byte selects the message.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let first = bytes.first else { return 0 }
  try? use(first % 12, Array(bytes.dropFirst()))
  return 0
}

private func use(_ kind: UInt8, _ bytes: [UInt8]) throws {
  var reader = ByteReader(bytes)
  switch kind {
  case 0: _ = try layout.answer(.delegate, &reader)
  case 1: _ = try layout.answer(.progress, &reader)
  case 2, 3:
    let outcome: Outcome = try reader.read()
    guard let failure = outcome.failure else { return }
    let error = failure.reported(by: [chain[0].id], isLoading: kind == 3)
    precondition(error.map { $0.remedy == nil && $0.fact.contains(chain[0].id) } != false)
  case 4:
    let question = SizesQuestion(layer: 0, measured: 0, start: ItemPath(section: 0, item: 0))
    try question.check(reader.read(), of: chain)
  case 5:
    let reply: TargetQuestion.Reply = try reader.read()
    guard let section = reply.section.exactly(in: counts.indices) else { return }
    _ = reply.item.exactly(in: 0..<counts[section] + 1)
  case 6: _ = try reader.read(Untrusted<Value>?.self)?.converted(to: .u32, "attack returned")
  case 7: _ = try reader.read([Size].self)
  case 8: _ = try reader.read([EngineDescription].self)
  case 9:
    let report: ExaminationReport = try reader.read()
    let sizes = report.heapBytes + report.privateBytes
    _ = (sizes.max() ?? 0) - (sizes.min() ?? 0)
  default: try readRuns(bytes, itemCounts: kind == 10 ? counts : nil)
  }
}

/// Reads runs from shared memory; the first byte is their count.
private func readRuns(_ bytes: [UInt8], itemCounts: [Int]?) throws {
  guard let count = bytes.first else { return }
  let memory = UnsafeMutableRawPointer.allocate(byteCount: 256 * SharedRun.stride, alignment: 8)
  defer { memory.deallocate() }
  memory.initializeMemory(as: UInt8.self, repeating: 0, count: 256 * SharedRun.stride)
  for (place, byte) in bytes.dropFirst().prefix(256 * SharedRun.stride).enumerated() {
    memory.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
  }
  let runs = try SharedRun.read(
    Untrusted(Int(Int8(bitPattern: count))), from: memory, capacity: 100, kinds: chain[0].kinds,
    itemCounts: itemCounts.map { $0[...] })
  precondition(runs.reduce(0) { $0 + $1.count } <= 100)
  for run in runs where run.category == .cell {
    guard let itemCounts else { continue }
    precondition(Int(run.firstItem) + run.count <= itemCounts[Int(run.section)])
  }
}
