import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TesseraHost

/// Each layout of a batch equals a separate session's.
@Suite struct BatchTests {
  /// Eager; with values and delegates; lazy; adjusting; with decorations.
  static let engines = [
    "mosaic", "flow", "aspect-flow", "grid", "cover-flow", "table", "compositional", "stagger",
    "justified", "waterfall", "treemap", "timetable", "column-flow", "even-flow",
  ]
  static let counts = [[3], [0], [100, 7], [40], [1, 1, 1]]
  static let bounds = [320.0, 375, 1000, 0.5, 500].map { Size(width: $0, height: 300) }

  @Test(arguments: engines, [Isolation.none, .sandbox])
  func eachLayoutEqualsThatOfASession(_ engine: String, _ isolation: Isolation) throws {
    let batched = try Session(Soak.host(isolation).engine(engine))
    batched.direction = .rightToLeft
    try batched.setSections(Self.counts.flatMap { $0 })
    let hasSizes = engine == "flow"
    let sizes = (0..<batched.itemCounts.reduce(0, +)).map { (number: Int) -> Size in
      let (width, height) = (20 + number * 7 % 31, 10 + number * 3 % 17)
      return Size(width: Double(width), height: Double(height))
    }
    if hasSizes { try batched.setItemValues("size", .sizes(sizes)) }
    let batch = try batched.batch(sectionCounts: Self.counts.map(\.count), bounds: Self.bounds)
    #expect(batch.errors.isEmpty)
    var (section, item) = (0, 0)
    for (layout, counts) in Self.counts.enumerated() {
      let single = try Session(Soak.host(.none).engine(engine))
      single.direction = .rightToLeft
      single.bounds = Self.bounds[layout]
      try single.setSections(counts)
      let items = counts.reduce(0, +)
      if hasSizes { try single.setItemValues("size", .sizes(Array(sizes[item..<item + items]))) }
      let expected = try single.elements().map { element in
        var element = element
        element.identity.section += section
        return element
      }
      #expect(batch.contentSizes[layout] == (try single.contentSize()), "layout \(layout)")
      #expect(batch.ranges[layout].map { batch.elements[$0] } == expected, "layout \(layout)")
      section += counts.count
      item += items
    }
    #expect(try batched.elements().filter { $0.identity.category == .cell }.count == item)
  }

  /// A session in a worker, whose engine fails for some item counts.
  private func session(
    _ counts: [Int], _ change: (inout HostConfiguration) -> Void = { _ in }
  ) throws -> (Session, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let library = folder.path("libparts.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("parts"), to: library, flags: ["-std=gnu11", "-shared", "-fPIC"])
    let session = try Session(Soak.host(.sandbox, change).engine(library))
    try session.setSections(counts)
    try session.setItemValues("length", .numbers((0..<counts.reduce(0, +)).map { Double($0 % 50) }))
    return (session, folder)
  }

  static let failures: [(items: Int, kind: HostError.Kind, words: String)] = [
    (13, .died, "SIGABRT"), (14, .died, "did not return from prepare within 1 s"),
    (15, .brokenContract, "cell 7 of section 0"), (16, .refused, "give another number"),
    (17, .died, "exit status 3"),
  ]

  @Test(arguments: failures.indices) func anErrorCostsItsOwnLayout(_ place: Int) throws {
    let failure = Self.failures[place]
    let counts = [4, 2, failure.items, 5, failure.items, 6, 0, 3]
    let (session, folder) = try session(counts) { $0.limits.secondsPerCall = 1 }
    defer { _ = folder }
    let batch = try session.batch()
    #expect(batch.errors.keys.sorted() == [2, 4])
    for error in batch.errors.values {
      #expect(error.kind == failure.kind && error.message.contains(failure.words), "\(error)")
    }
    var first = 0
    for (layout, count) in counts.enumerated() {
      let range = batch.ranges[layout]
      #expect(range.count == (batch.errors[layout] == nil ? count : 0))
      for (offset, position) in range.enumerated() {
        #expect(batch.elements.frame(at: position).height == Double((first + offset) % 50))
        #expect(batch.elements.identity(at: position) == .cell(section: layout, item: offset))
      }
      first += count
    }
    try session.setSections([2])
    #expect(try session.elements().count == 2)
  }

  /// Called after each crashing layout and each 256th; afterwards the session is usable.
  @Test(arguments: [Isolation.none, .sandbox])
  func progressIsThatOfTheBatchAndCancelsIt(_ isolation: Isolation) throws {
    var counts = Array(repeating: 1, count: 600)
    if isolation == .sandbox { (counts[2], counts[9]) = (13, 13) }
    let (session, folder) = try session(counts) { $0.isolation = isolation }
    defer { _ = folder }
    let seen = Mutex<[Double]>([])
    session.progress = { done in
      seen.withLock { $0.append((done * 600).rounded()) }
      return true
    }
    #expect(try session.batch().ranges.count == 600)
    let crashes = isolation == .sandbox ? [3.0, 10] : []
    #expect(seen.withLock { $0 } == crashes + [256, 512])
    seen.withLock { $0 = [] }
    session.progress = { done in
      seen.withLock { $0.append(done) }
      return false
    }
    let error = #expect(throws: HostError.self) { try session.batch() }
    #expect(error?.kind == .cancelled && seen.withLock { $0.count } == 1)
    session.progress = nil
    try session.setSections([2])
    #expect(try session.elements().count == 2)
  }

  @Test func aLibraryThatCrashesOftenIsRefusedForTheRest() throws {
    let (session, folder) = try session([13, 13, 13, 13, 13, 1]) { $0.refusalTime = 60 }
    defer { _ = folder }
    #expect(session.refusalTime == 0)
    let batch = try session.batch()
    #expect(batch.errors.count == 6)
    #expect(batch.errors[0]?.message.contains("SIGABRT") == true)
    guard case .waitForRefusal(let seconds)? = batch.errors[5]?.remedy else {
      Issue.record("\(String(describing: batch.errors[5]))")
      return
    }
    #expect((1...60).contains(session.refusalTime) && (1...60).contains(seconds))
  }

  @Test func warningsOfAllLayoutsAreKept() throws {
    for isolation in [Isolation.none, .sandbox] {
      let (session, folder) = try session([19, 2, 19, 3]) { $0.isolation = isolation }
      defer { _ = folder }
      _ = try session.batch()
      #expect(session.warnings == ["there are 19 items", "there are 19 items"])
    }
  }

  @Test func moreLayoutsThanAQuestionHoldsAreLaidOut() throws {
    let session = try Session(Soak.host().engine("mosaic"))
    let count = 70_000
    try session.setSections(Array(repeating: 1, count: count))
    let batch = try session.batch()
    #expect(batch.elements.count == count && batch.errors.isEmpty)
    #expect(batch.elements.identity(at: count - 1) == .cell(section: count - 1, item: 0))
  }

  /// Rows of layouts stay in place until received.
  ///
  /// If space runs out, the layout is prepared again. Eager, lazy, adjusting.
  @Test(arguments: ["mosaic", "grid", "flow", "cover-flow"])
  func layoutsThatDoNotFitTogetherAreLaidOut(_ engine: String) throws {
    let session = try Session(Soak.host { $0.rowLimit = 1000 }.engine(engine))
    let counts = [700, 700, 1000, 300, 5000, 800, 900]
    try session.setSections(counts)
    let batch = try session.batch()
    #expect(batch.errors.keys.sorted() == [4])
    #expect(batch.errors[4]?.code == .tooManyRows, "\(batch.errors)")
    #expect(batch.ranges.map(\.count) == [700, 700, 1000, 300, 0, 800, 900])
  }

  @Test func errorOfADelegateFunctionCostsItsOwnLayouts() throws {
    for isolation in [Isolation.none, .sandbox] {
      let session = try Session(Soak.host(isolation).engine("aspect-flow"))
      try session.setSections([2, 5, 3])
      let function = try DelegateFunction("layoutModeForItem", Signature("u8(u32,u32)")) {
        (arguments: CallArguments) throws(HostError) -> Value in
        guard arguments.value(at: 1) != .unsigned(4) else {
          throw HostError(.callbackFailed, "there is no mode for item 4")
        }
        return .unsigned(1)
      }
      try session.setDelegate("layoutModeForItem", function)
      let batch = try session.batch()
      #expect(batch.errors.keys.sorted() == [1])
      #expect(batch.errors[1]?.message.contains("no mode for item 4") == true)
      #expect(batch.ranges.map(\.isEmpty) == [false, true, false])
    }
  }

  @Test(arguments: [Isolation.none, .sandbox], ["flow", "even-flow", "table"])
  func eachLayoutHasItsParameters(_ isolation: Isolation, _ engine: String) throws {
    let host = Soak.host(isolation)
    let session = try Session(host.engine(engine))
    let counts = (0..<600).map { $0 % 5 }
    try session.setSections(counts)
    let name = engine == "table" ? "rowHeight" : "itemSize"
    let values = counts.indices.map { number -> Value in
      let length = Double(10 + number % 17)
      return engine == "table" ? .number(length) : .size(Size(width: length, height: 9))
    }
    // Measured layouts are prepared one by one.
    for isMeasured in engine == "table" ? [false] : [false, true] {
      if isMeasured { session.measure = { _, _, _ in Size(width: 30, height: 20) } }
      let batch = try session.batch(parameters: [name: values])
      #expect(batch.errors.isEmpty)
      for layout in stride(from: 0, to: 600, by: 37) {
        let single = try Session(host.engine(engine))
        if isMeasured { single.measure = { _, _, _ in Size(width: 30, height: 20) } }
        try single.setParameter(name, to: values[layout])
        try single.setSections([counts[layout]])
        #expect(batch.contentSizes[layout] == (try single.contentSize()), "layout \(layout)")
        #expect(
          batch.ranges[layout].map { batch.elements[$0].frame }
            == (try single.elements()).map(\.frame),
          "layout \(layout)")
      }
    }
    session.measure = nil
    let usual = try Session(host.engine(engine))
    try usual.setSections(counts)
    #expect(try session.batch().contentSizes == (try usual.batch()).contentSizes)
    var wrong = values
    wrong[3] = engine == "table" ? .number(.nan) : .size(Size(width: .nan, height: 1))
    let batch = try session.batch(parameters: [name: wrong])
    #expect(batch.errors.keys.sorted() == [3])
    #expect(batch.errors[3]?.message.contains(name) == true && batch.ranges[3].isEmpty)
    for (words, given) in [
      ("has 1 values for 600 layouts", [name: [values[0]]]), ("no parameter", ["x": values]),
    ] {
      #expect(try hostError { _ = try session.batch(parameters: given) }.message.contains(words))
    }
  }

  @Test func invalidInputIsReported() throws {
    let session = try Session(Soak.host(.none).engine("mosaic"))
    try session.setSections([3, 4])
    let size = Size(width: 1, height: 1)
    let mistakes: [(String, () throws -> Void)] = [
      ("have 1 sections together and the session 2", { _ = try session.batch(sectionCounts: [1]) }),
      ("layout 1 has -1 sections", { _ = try session.batch(sectionCounts: [2, -1]) }),
      ("1 bounds for 2 layouts", { _ = try session.batch(bounds: [size]) }),
    ]
    for (words, call) in mistakes {
      let error = try hostError(call)
      #expect(error.kind == .invalidInput && error.message.contains(words), "\(error)")
    }
    let batch = try session.batch(bounds: [size, Size(width: .nan, height: 1)])
    #expect(batch.errors.keys.sorted() == [1])
    #expect(batch.errors[1]?.message.contains("the bounds are nanx1") == true, "\(batch.errors)")
    #expect(batch.ranges.map(\.count) == [3, 0])
    session.rowLimit = 6
    #expect(try hostError { _ = try session.batch() }.message.contains("more than 6"))
    session.rowLimit = 7
    #expect(try session.batch().elements.count == 7)
    #expect(try session.batch(sectionCounts: [0, 2, 0]).ranges == [0..<0, 0..<7, 7..<7])
  }
}
