import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraRuntime
@testable import TesseraWorker

/// Messages to the host, without a process.
struct MessageTests {
  private static let rect = Rect(x: -1.5, y: 0.25, width: 375, height: 1e9)

  nonisolated(unsafe) static let toHost: [any ByteCodable] =
    [
      Outcome(trace: ["one", ""], warnings: ["two\nlines"]),
      [DescriptionBytesTests.full, DescriptionBytesTests.full],
      PrepareQuestion.Reply.prepared(Size(width: 375, height: 0), isAdjusted: false),
      Untrusted(Int.max), true, Done(),
      Point(x: -0.0, y: .leastNonzeroMagnitude),
      TargetQuestion.Reply(section: Untrusted(4), item: Untrusted(1 << 40)),
      Untrusted<Value>?.some(Untrusted(.rect(rect))),
      SizesQuestion.Reply(
        counts: [1, 2, 0, 0],
        sizes: [.zero, Size(width: 44, height: 20), Size(width: 7, height: 0)]),
      [Size.zero, Size(width: 1, height: 2)],
      DelegateQuestion(
        layer: Untrusted(2), function: Untrusted(9), ahead: Untrusted(4096),
        arguments: Untrusted([.unsigned(0), .point(.zero)])),
      0.75,
    ]
    + HostError.Code.allCases.flatMap { code -> [any ByteCodable] in
      let error = HostError(code, "found 2; expected 3", engine: "org.example.full")
      return [Outcome(failure: error), Result<[Value], HostError>.failure(error)]
    }

  @Test func aMessageCutShortIsRejected() {
    func check<Sent: ByteCodable>(_ message: Sent) {
      var writer = ByteWriter()
      message.write(to: &writer)
      for count in 0..<writer.bytes.count {
        var reader = ByteReader(Array(writer.bytes.prefix(count)))
        #expect(throws: HostError.self, "\(Sent.self), \(count) bytes") {
          try Sent.read(from: &reader)
        }
      }
    }
    for message in Self.toHost { check(message) }
  }

  @Test func partsAreReadAsWrittenOrRejected() throws {
    let numbering = try ChainNumbers(chain: [])
    let (prepared, answers) = (
      try RowStore(numbering: numbering, columns: [], adjusted: false, capacity: 100),
      try RowStore(numbering: numbering, columns: [], adjusted: true, capacity: 100)
    )
    let runs: ContiguousArray<Run> = [
      Run(category: .cell, kind: 0, section: 0, firstItem: 2, count: 3, row: 0),
      Run(category: .cell, kind: 0, section: 1, firstItem: 0, count: 1, row: 3),
    ]
    let error = HostError(.refusedByEngine, "there is no room")
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 400, alignment: 8)
    defer { memory.deallocate() }
    var writing = SharedParts(memory)
    let fits = [
      writing.write(Size(width: 3, height: 4), runs, areAnswers: true), writing.write(error),
      writing.write(.zero, [], areAnswers: false),
      writing.write(.zero, ContiguousArray(repeating: runs[0], count: 4), areAnswers: false),
    ]
    #expect(fits == [true, true, true, false])

    func read() throws -> [Result<
      (size: Size, runs: [Run], areAnswers: Bool), Untrusted<HostError>
    >] {
      var reading = SharedParts(memory)
      return try (0..<3).map { _ in
        try reading.read(prepared, answers, kinds: [], itemCounts: [9, 1])
          .map { ($0.contentSize, Array($0.store.runs), $0.store === answers) }
      }
    }
    let entries = try read()
    guard case .success(let first) = entries[0], case .failure(let failure) = entries[1],
      case .success(let last) = entries[2]
    else {
      Issue.record("\(entries)")
      return
    }
    #expect(first.size == Size(width: 3, height: 4) && first.runs == Array(runs))
    #expect(first.areAnswers && !last.areAnswers)
    #expect(failure == Untrusted(error))
    #expect(last.runs.isEmpty)

    for word in 0..<memory.count / 8 {
      let right = memory.load(fromByteOffset: word * 8, as: UInt64.self)
      for wrong in [.max, 1 << 63, right &+ 1, right &- 1] {
        memory.storeBytes(of: wrong, toByteOffset: word * 8, as: UInt64.self)
        guard let entries = try? read() else { continue }
        for case .success(let part) in entries {
          #expect(part.runs.allSatisfy { $0.row + $0.count <= prepared.capacity && $0.section < 2 })
        }
      }
      memory.storeBytes(of: right, toByteOffset: word * 8, as: UInt64.self)
    }
  }
}
