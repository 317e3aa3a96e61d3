import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The laws, for random layouts of every engine that ships: one layout for each seed.
@Suite struct LawTests {
  private static let seeds: ClosedRange<UInt64> = 1...25

  @Test(arguments: ShippedEngines.ids, seeds)
  func elementsAreCompleteAndContained(_ id: String, _ seed: UInt64) throws {
    var (session, given) = try random(id, seed)
    try Laws.checkItems(session.elements(), given.counts)
    // Rationale (2026-11-21): an engine may give each item of a line the same share of it; a large
    // one among small ones then hangs over, and no content size can change that.
    given.itemValues = given.itemValues.filter { $0.value.count == nil }
    try given.apply(to: session)
    try Laws.checkContent(session, given)
  }

  @Test(arguments: ShippedEngines.ids, seeds)
  func aQueryIsAFilterOfAllElements(_ id: String, _ seed: UInt64) throws {
    let (session, _) = try random(id, seed)
    for direction in LayoutDirection.allCases {
      session.direction = direction
      try checkQueries(session, seed)
    }
  }

  private func checkQueries(_ session: Session, _ seed: UInt64) throws {
    let all = Array(try session.elements())
    let content = try session.contentSize()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      try Laws.checkQuery(session, random.rect(near: content), all)
    }
    for element in all.shuffled(using: &random).prefix(10) {
      for rect in Self.rects(touching: element.frame) {
        try Laws.checkQuery(session, rect, all)
      }
    }
    for rect in [
      Rect(origin: .zero, size: content), .zero, session.visibleRect,
      Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9),
      Rect(x: content.width, y: 0, width: 1000, height: 1e9),
      Rect(x: 0, y: content.height, width: 1e9, height: 1000),
      Rect(x: 0, y: 0, width: -10, height: 10),
    ] {
      try Laws.checkQuery(session, rect, all)
    }
  }

  @Test(arguments: ShippedEngines.ids, seeds)
  func elementLookUpReturnsTheEntryOfAllElements(_ id: String, _ seed: UInt64) throws {
    let (session, given) = try random(id, seed)
    for direction in LayoutDirection.allCases {
      session.direction = direction
      try Laws.checkLookUp(session, Array(session.elements()), given.counts)
    }
  }

  /// Engines whose right-to-left layout is the mirror of the other.
  private static let mirrored = ShippedEngines.ids.filter {
    (try? ShippedEngines.host.engine($0))?.isMirrored == true
  }

  @Test func someEnginesAreMirrored() {
    #expect(Self.mirrored.count >= 2)
  }

  @Test(arguments: mirrored, seeds)
  func rightToLeftIsTheMirror(_ id: String, _ seed: UInt64) throws {
    let (session, given) = try random(id, seed)
    let mirrored = given.mirrored(inContentOf: try session.contentSize().width)
    try Laws.checkMirror(mirrored.session(of: session.engine), of: session)
  }

  /// The configurable engine in C with some of its choices and faults.
  private static func configurable(_ flags: String...) throws -> Engine {
    let folder = try TemporaryFolder()
    let library = folder.path("libconfigurable.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("configurable"), to: library,
      flags: ["-std=c11", "-shared", "-fPIC"] + flags + ["-lm"])
    return try ShippedEngines.host.engine(library)
  }

  @Test func pixelAlignedEnginesPlaceOriginsOnThePixelGrid() throws {
    let shipped = try ShippedEngines.ids.map { try ShippedEngines.host.engine($0) }
    let declaring = try (shipped + [Self.configurable("-DALIGNED=1")]).filter {
      $0.traits.contains(.pixelAligned)
    }
    #expect(!declaring.isEmpty)
    for engine in declaring {
      for seed in Self.seeds {
        var random = SeededGenerator(seed: seed)
        let given = LayoutCase.random(for: engine, using: &random)
        try Laws.checkPixelGrid(given.session(of: engine), given)
      }
    }
  }

  /// A law, a choice of an engine that follows it, and a fault that breaks it.
  private static let breaches = [
    ("items", "-DHEADER=0", "dropsLast"), ("content", "-DHEADER=0", "smallByLine"),
    ("query", "-DLAZY=1", "dropsInRect"), ("query", "-DLAZY=1", "offInRect"),
    ("lookUp", "-DLAZY=1", "dropsInElement"),
    ("lookUp", "-DLAZY=1", "offInElement"), ("mirror", "-DMIRRORS=1", "shiftsMirror"),
    ("mirror", "-DMIRRORS=1", "mirrorsSpacing"), ("pixelGrid", "-DALIGNED=1", "unroundedDown"),
  ]

  /// A law that could not fail would prove nothing of the engines above.
  @Test(arguments: breaches)
  func everyLawReportsAnEngineThatBreaksIt(_ law: String, _ flag: String, _ fault: String) throws {
    try Self.check(law, of: Self.configurable(flag))
    let broken = try Self.configurable(flag, "-DMUTATION=\(fault)")
    #expect(throws: Laws.Broken.self) { try Self.check(law, of: broken) }
  }

  private static func check(_ law: String, of engine: Engine) throws {
    var given = LayoutCase()
    given.parameters = ["rowHeight": .number(10.3)]
    let session = try given.session(of: engine)
    let all = Array(try session.elements())
    switch law {
    case "items": try Laws.checkItems(session.elements(), given.counts)
    case "content": try Laws.checkContent(session, given)
    case "query": try Laws.checkQuery(session, Rect(x: 0, y: 35, width: 375, height: 100), all)
    case "lookUp": try Laws.checkLookUp(session, all, given.counts)
    case "mirror":
      let mirrored = given.mirrored(inContentOf: try session.contentSize().width)
      try Laws.checkMirror(mirrored.session(of: engine), of: session)
    default: try Laws.checkPixelGrid(session, given)
    }
  }

  /// Earlier inputs leave no trace.
  @Test(arguments: ShippedEngines.ids, seeds)
  func changedSessionEqualsANewOne(_ id: String, _ seed: UInt64) throws {
    let (session, _) = try random(id, seed)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      var given = LayoutCase.random(for: session.engine, using: &random)
      try given.apply(to: session)
      let first = try Snapshot(session)
      #expect(try first == Snapshot(session))
      #expect(try first == Snapshot(given.session(of: session.engine)))
      given.bounds.width += random.number(in: 0...100)
      given.offset = Point(x: 7, y: 11)
      session.bounds = given.bounds
      session.offset = given.offset
      #expect(try Snapshot(session) == Snapshot(given.session(of: session.engine)))
    }
  }

  @Test(arguments: ShippedEngines.ids)
  func interleavedSessionsAreIndependent(_ id: String) throws {
    var pairs: [(session: Session, given: LayoutCase)] = []
    for seed in Self.seeds.prefix(6) { pairs.append(try random(id, seed)) }
    for (session, _) in pairs { _ = try session.contentSize() }
    for (session, _) in pairs.reversed() { _ = try session.elements(in: session.visibleRect) }
    for (session, given) in pairs {
      #expect(try Snapshot(session) == Snapshot(given.session(of: session.engine)))
    }
  }

  @Test(arguments: ShippedEngines.ids)
  func concurrentSessionsAreIndependent(_ id: String) async throws {
    let engine = try ShippedEngines.host.engine(id)
    let cases = Self.seeds.map { seed in
      var random = SeededGenerator(seed: seed)
      return LayoutCase.random(for: engine, using: &random)
    }
    let alone = try cases.map { try Snapshot($0.session(of: engine)) }
    try await withThrowingTaskGroup(of: [Snapshot].self) { group in
      for _ in 0..<4 {
        group.addTask { try cases.map { try Snapshot($0.session(of: engine)) } }
      }
      for try await snapshots in group { #expect(snapshots == alone) }
    }
  }

  /// A session of a random layout; throws an error if the engine refuses it.
  private func random(
    _ id: String, _ seed: UInt64
  ) throws -> (session: Session, given: LayoutCase) {
    let engine = try ShippedEngines.host.engine(id)
    var random = SeededGenerator(seed: seed)
    let given = LayoutCase.random(for: engine, using: &random)
    return (try given.session(of: engine), given)
  }

  /// Rects that share an edge or a corner with a frame, and rects that extend slightly over it.
  private static func rects(touching frame: Rect) -> [Rect] {
    [
      frame,
      Rect(x: frame.x - 10, y: frame.y, width: 10, height: max(1, frame.height)),
      Rect(x: frame.x + frame.width, y: frame.y, width: 10, height: max(1, frame.height)),
      Rect(x: frame.x, y: frame.y - 10, width: max(1, frame.width), height: 10),
      Rect(x: frame.x, y: frame.y + frame.height, width: max(1, frame.width), height: 10),
      Rect(x: frame.x, y: frame.y, width: 0, height: frame.height),
      Rect(x: frame.x + frame.width / 2, y: frame.y - 5, width: 1e-6, height: 5.000001),
      Rect(x: frame.x + frame.width - 1e-9, y: frame.y, width: 5, height: 5),
    ]
  }
}

extension RandomNumberGenerator {
  /// A rect of any shape about the content: small, thin, large, partly outside.
  fileprivate mutating func rect(near content: Size) -> Rect {
    let reach = [0.5, 20, 300, 2 * max(content.width, content.height)]
    return Rect(
      x: number(in: -50...content.width + 50), y: number(in: -50...content.height + 50),
      width: number(in: 0...pick(reach)), height: number(in: 0...pick(reach)))
  }
}
