import Foundation
import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraRuntime
@testable import TesseraWorker

/// Worker numbers are checked before any arithmetic.
@Suite struct UntrustedTests {
  private static let extremes: [UInt64] = [
    0, 1, 2, 5, 6, 7, 63, 64, 4096, 4097, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 62,
    1 << 63 - 1, 1 << 63, .max - 1, .max,
  ]
  private static let counts = [6, 0, 3]
  private static let chain = [
    EngineDescription(
      id: "org.example.liar", name: "", version: "1.0.0", author: "", license: "", summary: "",
      base: nil, baseVersion: nil, traits: [], columns: [], adjustedColumns: [],
      abilities: .prepare, parameters: [],
      values: [
        ValueDescription(
          name: "span", help: "", type: .number, scope: .section, fallback: nil, choices: []),
        ValueDescription(
          name: "extent", help: "", type: .size, scope: .item, fallback: nil, choices: []),
      ],
      lists: [
        ListDescription(
          name: "stops", help: "",
          columns: [
            ParameterDescription(
              name: "at", help: "", unit: nil, type: .number, choices: [], initial: .number(0),
              minimum: [0], maximum: [.infinity])
          ])
      ],
      functions: [
        FunctionDescription(name: "unset", signature: "f64()", help: "", isPublished: false),
        FunctionDescription(name: "width", signature: "f64(u32,u32)", help: "", isPublished: false),
      ], attributes: [], kinds: [KindDescription(name: "header", category: .supplementary)],
      defaults: [])
  ]

  private final class NoWorkers: WorkerSource {
    let limits = WorkerLimits()
    let rowLimit = 1 << 20
    func start(memory: SharedMemory, input: SharedMemory) throws(HostError) -> Worker {
      throw HostError(.refusedByEngine, "there is none")
    }
    func engineDied(_ error: HostError) {}
    func keep(_ worker: Worker, input: SharedMemory) {}
    func enginePrinted(_ text: String, in call: String) {}
  }

  /// The host's side; the test plays the worker.
  private static func layout() throws -> WorkerLayout {
    let input = try SharedInput()
    let values = try SessionValues(chain: chain, memory: input)
    let signature = try Signature("f64(u32,u32)")
    let width = try DelegateFunction("width", signature) { (arguments) throws(HostError) in
      guard UInt32.load(from: arguments.addresses[1]) < 1 << 31 else {
        throw HostError(.invalidValue, "there is no such item")
      }
      return .number(1)
    }
    try values.setDelegate("width", width)
    return try WorkerLayout(
      chain: chain, values: values, starts: SectionStarts(counts: counts, memory: input),
      input: input, source: NoWorkers(), startsNow: false)
  }

  // ---------------------------------------------------------------- By type

  @Test func foreignNumberHasNoArithmetic() {
    let type: Any.Type = Untrusted<UInt64>.self
    #expect(!(type is any AdditiveArithmetic.Type))
    #expect(!(type is any Strideable.Type))
    #expect(!(type is any ExpressibleByIntegerLiteral.Type))
    #expect(!(type is any BinaryInteger.Type))
  }

  @Test func everyReplyIsHere() {
    func reply<Asked: Question>(_: Asked.Type) -> String { "\(Asked.Reply.self)" }
    let here = Set(MessageTests.toHost.map { "\(type(of: $0))" })
    #expect(Set(questionTypes.map { reply($0) }).subtracting(here) == [])
  }

  @Test func noMessageToTheHostStoresABareInteger() {
    for message in MessageTests.toHost {
      #expect(Self.bareIntegers(message, "\(type(of: message))") == [])
    }
  }

  /// Paths of integers outside of `Untrusted`.
  ///
  /// Descriptions are checked by the rules for registered ones.
  private static func bareIntegers(_ value: Any, _ path: String) -> [String] {
    if value is EngineDescription || "\(type(of: value))".hasPrefix("Untrusted<") { return [] }
    if value is any FixedWidthInteger { return [path] }
    return Mirror(reflecting: value).children.enumerated().flatMap { place, child in
      bareIntegers(child.value, "\(path).\(child.label ?? "\(place)")")
    }
  }

  // ---------------------------------------------------------------- Extremes

  @Test(arguments: extremes) func numberIsConvertedWithinARange(_ number: UInt64) throws {
    let foreign = Untrusted(number)
    #expect(foreign.exactly(in: 0..<6) == (number < 6 ? Int(number) : nil))
    #expect(foreign.exactly(in: 3..<3) == nil)
    #expect(foreign.clamped(to: 1...4096) == Int(min(max(number, 1), 4096)))
    #expect((try? foreign.plus(1)) == (number == .max ? nil : Untrusted(number &+ 1)))
    #expect((try? foreign.times(2)) == (number >= 1 << 63 ? nil : Untrusted(number &* 2)))
    if number >= 6 {
      let error = #expect(throws: HostError.self) { try foreign.int(in: 0..<6, "item") }
      #expect(error?.kind == .brokenContract)
      #expect(error?.fact.contains("has the item \(number); expected 0 to 5") == true)
    }
  }

  @Test func runsAreValidOrRejected() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: SharedRun.stride, alignment: 8)
    defer { memory.deallocate() }
    for word in 0..<SharedRun.stride / 8 {
      for number in Self.extremes {
        let run = Run(category: .cell, kind: 0, section: 0, firstItem: 0, count: 6, row: 0)
        SharedRun.write([run], to: memory)
        memory.storeBytes(of: number, toByteOffset: word * 8, as: UInt64.self)
        for counts in [Self.counts, nil] {
          let read = try? SharedRun.read(
            Untrusted(1), from: memory, capacity: 7, kinds: Self.chain[0].kinds,
            itemCounts: counts?[...])
          guard let read = read?.first else { continue }
          #expect(read.row == 0 && (1...7).contains(read.count))
          #expect((0...read.count).contains(read.unchanged))
          #expect(read.firstItem < 1 << 63 && read.section < UInt32.max)
          guard let counts, read.category == .cell else { continue }
          #expect(Int(read.firstItem) + read.count <= counts[Int(read.section)])
        }
      }
    }
  }

  @Test(arguments: extremes) func countOfRunsIsValidOrRejected(_ number: UInt64) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    defer { memory.deallocate() }
    let count = Untrusted(Int(truncatingIfNeeded: number))
    let read = try? SharedRun.read(
      count, from: memory, capacity: 1, kinds: [], itemCounts: Self.counts[...])
    #expect((read != nil) == (number == 0))
  }

  @Test(arguments: extremes) func countsOfSizesAreThoseOfTheSizesOrRejected(_ number: UInt64) {
    let count = Int(truncatingIfNeeded: number)
    let reply = SizesQuestion.Reply(counts: [count, 1], sizes: [.zero, .zero])
    let question = SizesQuestion(layer: 0, measured: 0, start: ItemPath(section: 0, item: 0))
    let isTaken = (try? question.check(reply, of: Self.chain)) != nil
    #expect(isTaken == (count == 1))
  }

  @Test func questionForAnAnswerIsAnsweredOrRejected() throws {
    let layout = try Self.layout()
    for field in 0..<5 {
      for number in Self.extremes {
        var fields: [UInt64] = [0, 1, 4096, 0, 2]
        fields[field] = number
        var writer = ByteWriter()
        DelegateQuestion(
          layer: Untrusted(UInt32(truncatingIfNeeded: fields[0])),
          function: Untrusted(UInt32(truncatingIfNeeded: fields[1])),
          ahead: Untrusted(UInt32(truncatingIfNeeded: fields[2])),
          arguments: Untrusted([.unsigned(fields[3]), .unsigned(fields[4])])
        ).write(to: &writer)
        var reader = ByteReader(writer.bytes)
        guard let reply = try? layout.answer(.delegate, &reader) as? Result<[Value], HostError>
        else { continue }
        #expect(fields[3] <= UInt32.max && fields[4] <= UInt32.max)
        let section = Int(fields[3])
        let following = section < 3 ? max(0, Self.counts[section] - Int(fields[4]) - 1) : 0
        if case .success(let values) = reply { #expect(values.count <= 1 + following) }
      }
    }
    // No item follows 2^64-1.
    var reader = try Self.question([.unsigned(0), .unsigned(.max)])
    #expect(throws: HostError.self) { try layout.answer(.delegate, &reader) }
    reader = try Self.question([.unsigned(0), .unsigned(0)])
    let answered = try layout.answer(.delegate, &reader) as? Result<[Value], HostError>
    #expect(try answered?.get().count == 6)
    for wrong in [[], [.unsigned(0)], [.number(0), .unsigned(0)], [.void, .choice("x")]]
      as [[Value]]
    {
      reader = try Self.question(wrong)
      #expect(throws: HostError.self) { try layout.answer(.delegate, &reader) }
    }
  }

  private static func question(_ arguments: [Value]) throws -> ByteReader {
    var writer = ByteWriter()
    DelegateQuestion(
      layer: Untrusted(0), function: Untrusted(1), ahead: Untrusted(.max),
      arguments: Untrusted(arguments)
    ).write(to: &writer)
    return ByteReader(writer.bytes)
  }

  @Test func progressIsAFraction() throws {
    let layout = try Self.layout()
    nonisolated(unsafe) var reported: [Double] = []
    layout.progress = { fraction in
      reported.append(fraction)
      return true
    }
    for bits in Self.extremes {
      var writer = ByteWriter()
      writer.put(Double(bitPattern: bits))
      var reader = ByteReader(writer.bytes)
      _ = try layout.answer(.progress, &reader)
    }
    #expect(reported.count == Self.extremes.count)
    #expect(reported.allSatisfy { (0...1).contains($0) })
  }

  // ---------------------------------------------------------------- Voice

  @Test(arguments: HostError.Code.allCases) func failureIsThatOfAnEngine(_ code: HostError.Code) {
    let forged = Untrusted(
      HostError(code, "all is well", .trustLibrary(path: "/bin/sh", allowlist: "/etc/passwd")))
    let id = Self.chain[0].id
    let inCall = forged.reported(by: [id])
    #expect((inCall != nil) == [.refused, .brokenContract, .unavailable].contains(code.kind))
    let atLoad = forged.reported(by: [id], isLoading: true)
    #expect(
      (atLoad != nil) == [.refused, .brokenContract, .unavailable, .cannotLoad].contains(code.kind))
    let cancelled = forged.reported(by: [id], isCancelled: true)
    #expect(
      (cancelled != nil)
        == [.refused, .brokenContract, .unavailable, .cancelled].contains(code.kind))
    for error in [inCall, atLoad, cancelled].compactMap(\.self) {
      #expect(error.code == code && error.engine == id && error.remedy == nil)
      #expect(error.fact == HostError(code, "all is well", engine: id).fact)
      #expect(error.fact.contains(id))
    }
    let honest = Untrusted(HostError(code, "found 3 rows", engine: id))
    #expect(honest.reported(by: ["org.example.other", id]).map { $0.engine == id } ?? true)
    #expect(honest.reported(by: ["org.example.other"])?.engine ?? "" != id)
  }

  // ---------------------------------------------------------------- Lengths and versions

  @Test(arguments: extremes) func lengthOfAMessageFitsItsBox(_ length: UInt64) throws {
    let memory = try SharedMemory(
      named: "tessera-test", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let channel = Channel(memory: memory, side: .host)
    for length in [
      length, UInt64(SharedMap.workerBoxSize) - 8, UInt64(SharedMap.workerBoxSize) - 7,
    ] {
      (memory.base + SharedMap.workerBox).storeBytes(of: length, as: UInt64.self)
      let fits = length <= UInt64(SharedMap.workerBoxSize - 8)
      #expect(((try? channel.take())?.remaining) == (fits ? Int(length) : nil))
    }
  }

  @Test func messageBeyondItsBoxIsRejected() throws {
    let memory = try SharedMemory(
      named: "tessera-test", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let host = Channel(memory: memory, side: .host)
    let worker = Channel(memory: memory, side: .worker)
    var message = ByteWriter()
    message.put(raw: repeatElement(7, count: SharedMap.hostBoxSize - 8))
    try host.put(message)
    #expect(try worker.take().remaining == SharedMap.hostBoxSize - 8)
    message.put(UInt8(7))
    let error = #expect(throws: HostError.self) { try host.put(message) }
    #expect(error?.fact.contains("\(SharedMap.hostBoxSize - 7) bytes") == true)
    #expect(try worker.take().remaining == SharedMap.hostBoxSize - 8)
  }

  @Test func setupOfAnotherVersionIsRejected() throws {
    let setup = WorkerStart(
      parent: 1, isSandboxed: true, requiresFullSandbox: false, recordsCrash: false,
      limits: WorkerLimits(),
      libraries: [WorkerStart.Library(path: "/a.so", file: nil, abi: .current)],
      inputByteCount: 4096,
      task: .describe)
    var writer = ByteWriter()
    writer.put(setup)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.read(WorkerStart.self) == setup)
    for version in [0, WorkerStart.version - 1, WorkerStart.version + 1, .max] {
      var bytes = writer.bytes
      withUnsafeBytes(of: version) { bytes.replaceSubrange(0..<4, with: $0) }
      var reader = ByteReader(bytes)
      let error = #expect(throws: HostError.self) { try reader.read(WorkerStart.self) }
      #expect(
        error?.fact.contains(
          "version \(WorkerStart.version) of the protocol and the host \(version)")
          == true)
    }
  }
}
