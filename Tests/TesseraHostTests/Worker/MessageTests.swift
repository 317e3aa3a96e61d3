import CTessera
import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraRuntime
@testable import TesseraWorker

/// Round trip of each protocol message, without a process.
struct MessageTests {
  private static let rect = Rect(x: -1.5, y: 0.25, width: 375, height: 1e9)

  /// Each type; `everyQuestionIsHere` counts them.
  nonisolated(unsafe) private static let questions: [any Question] = [
    PrepareQuestion(unlessValid: true), ElementsQuestion(rect: rect),
    ElementQuestion(
      run: tessera_run(
        category: 2, kind: 5, section: .max, reserved: 0, first_item: .max, count: 1)),
    AdjustQuestion(rect: rect),
    BatchQuestion(
      firstSection: 3,
      parts: [
        LayoutPart(sectionCount: 0, bounds: .zero),
        LayoutPart(sectionCount: 9, bounds: Size(width: 1.5, height: 1e9)),
      ],
      parameters: [
        PartParameter(
          place: SessionValues.Place(layer: 1, index: 4),
          values: [tessera_value(number: 1.5), tessera_value(number: -0.0)])
      ]),
    CallQuestion(
      function: "column\0Count é",
      arguments: [.bool(true), .integer(-3), .unsigned(.max), .number(.infinity)]),
    RestQuestion(proposed: Point(x: 1, y: -2), velocity: Point(x: 0.5, y: 1e300)),
    TargetQuestion(
      item: ItemPath(section: 1, item: 2), point: Point(x: 3, y: 4),
      nearest: ItemPath(section: .max, item: .min)),
    BeginUpdateQuestion(
      operations: [
        tessera_update(
          operation: TESSERA_OPERATION_MOVE_ITEM, from_section: 1, from_item: .max, to_section: 2,
          reserved: 0, to_item: 3), tessera_update(),
      ]), EndUpdateQuestion(),
    ShapeQuestion(appears: false),
    SizesQuestion(layer: 2, measured: 1, start: ItemPath(section: 65_536, item: .max)),
    RenewQuestion(creates: true),
  ]

  nonisolated(unsafe) private static let toWorker: [any ByteCodable] = [
    QuestionHead(type: 12, reportsProgress: true, hasData: true),
    QuestionHead(
      type: 3, traces: true, isLong: true, isOfAnswer: true, columns: .alpha,
      capacity: 10_000_000, runCount: 3),
    Result<[Value], HostError>.success([.number(1.5), .size(.zero)]),
  ]

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

  nonisolated(unsafe) private static let others = toWorker + toHost

  @Test func everyQuestionIsHere() {
    #expect(Self.questions.map { "\(type(of: $0))" } == questionTypes.map { "\($0)" })
  }

  @Test(arguments: 0..<questions.count)
  func aQuestionIsReadAsWritten(_ place: Int) throws { try roundTrip(Self.questions[place]) }

  @Test(arguments: 0..<others.count)
  func aMessageIsReadAsWritten(_ place: Int) throws { try roundTrip(Self.others[place]) }

  @Test func aMessageCutShortIsRejected() {
    for message in Self.questions as [any ByteCodable] + Self.others {
      let bytes = Self.bytes(message)
      for count in 0..<bytes.count { Self.expectRejection(message, Array(bytes.prefix(count))) }
    }
  }

  @Test func theCallContextIsReadAsWritten() throws {
    let viewport = Viewport(
      bounds: Size(width: 1, height: 2), offset: Point(x: 3, y: 4),
      contentInsets: Insets(top: 5, left: 6, bottom: 7, right: 8),
      safeAreaInsets: Insets(top: 9, left: 10, bottom: 11, right: 12),
      layoutMargins: Insets(top: 13, left: 14, bottom: 15, right: 16), scale: 1.25,
      direction: .rightToLeft)
    for width in [nil, 320.0] {
      var writer = ByteWriter()
      writer.put(
        CallContext(
          viewport: viewport,
          change: tessera_change(what: 7, first_section: 8, first_item: 9, last_count: 11),
          mirrorWidth: width, rowLimit: 10))
      var reader = ByteReader(writer.bytes)
      let read = try reader.read(CallContext.self)
      try reader.finish()
      #expect(read.viewport == viewport)
      #expect(read.change.what == 7)
      #expect(read.change.first_section == 8)
      #expect(read.change.first_item == 9)
      #expect(read.change.last_count == 11)
      #expect(read.mirrorWidth == width)
      #expect(read.rowLimit == 10)
    }
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

  private func roundTrip<Sent: ByteCodable>(_ message: Sent) throws {
    let bytes = Self.bytes(message)
    var reader = ByteReader(bytes)
    let read = try Sent.read(from: &reader)
    try reader.finish()
    #expect("\(read)" == "\(message)")
    #expect(Self.bytes(read) == bytes)
  }

  private static func expectRejection<Sent: ByteCodable>(_ message: Sent, _ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    #expect(throws: HostError.self, "\(Sent.self), \(bytes.count) bytes") {
      try Sent.read(from: &reader)
    }
  }

  private static func bytes(_ message: some ByteCodable) -> [UInt8] {
    var writer = ByteWriter()
    message.write(to: &writer)
    return writer.bytes
  }
}
