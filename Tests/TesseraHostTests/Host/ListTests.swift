import TestSupport
import Testing

@testable import TesseraHost

/// Record lists reach engines unchanged, in process and in a worker.
///
/// strips.c makes a strip per item, as long as its record and all ancestors, or 1 without records;
/// it reports whether lists have changed.
@Suite struct ListTests {
  struct Strips {
    let folder: TemporaryFolder
    let host: TesseraHost.Host

    init(_ isolation: Isolation) throws {
      folder = try TemporaryFolder()
      try CCompiler("gcc").compile(FixtureEngine.source("strips"), to: folder.path("libstrips.so"))
      var configuration = HostConfiguration(isolation: isolation)
      configuration.worker = BuiltProducts.folder.appendingPathComponent("tessera-worker").path
      host = TesseraHost.Host(
        searchPath: SearchPath(folders: [folder.path]), configuration: configuration)
    }

    func session(_ name: String = "strips", items: Int = 4) throws -> Session {
      let session = try Session(host.engine(name))
      try session.setSections([items])
      return session
    }
  }

  func strips(_ session: Session) throws -> [String] {
    try session.elements().map { element in
      "\(element.frame.height.shortText) \(element.attributes[0]) \(element.attributes[1])"
    }
  }

  static let tree = RecordList(
    count: 4,
    columns: [
      "length": .numbers([10, 3, 5, 100]), "parent": .integers([-1, 0, 1, -1]),
      "colour": .choices(["red", "blue", "green", "red"]),
    ])

  @Test(arguments: [Isolation.none, .sandbox])
  func recordsAreWhatWasSet(_ isolation: Isolation) throws {
    let strips = try Strips(isolation)
    let session = try strips.session(items: 5)
    #expect(try self.strips(session) == Array(repeating: "1 red 1", count: 5))
    // 3 + 10, and 5 + 3 + 10; the fifth item wraps around.
    try session.setList("strips", to: Self.tree)
    #expect(
      try self.strips(session) == ["10 red 1", "13 blue 1", "18 green 1", "100 red 1", "10 red 1"])
    try session.setList(
      "strips", to: RecordList(count: 2, columns: ["length": .constant(.number(7))]))
    #expect(try self.strips(session)[..<3] == ["7 blue 1", "7 blue 1", "7 blue 1"])
    try session.setList("strips", to: RecordList(count: 1))
    #expect(try self.strips(session)[0] == "10 blue 1")
    try session.setList("strips", to: nil)
    #expect(try self.strips(session)[0] == "1 red 1")
  }

  @Test func recordsMayBeWrittenAsATree() throws {
    let strips = try Strips(.none)
    let session = try strips.session(items: 5)
    let red = Value.choice("red")
    try session.setList(
      "strips",
      to: [
        ListRecord(
          ["length": .number(10), "colour": red],
          children: [
            ListRecord(
              ["length": .number(3)],
              children: [["length": .number(5), "colour": .choice("green")]])
          ]), ["length": .number(100), "colour": red],
      ])
    #expect(
      try self.strips(session) == ["10 red 1", "13 blue 1", "18 green 1", "100 red 1", "10 red 1"])
    let mixed = [ListRecord(["parent": .integer(1)], children: [[:]])]
    #expect(
      try hostError { try session.setList("strips", to: mixed) }.message
        == "record 0 of strips names a parent, and others have children; write all records in one of the two ways"
    )
    let error = try hostError { try session.setList("strips", to: [["size": .number(1)]]) }
    #expect(error.code == .unknownName && error.message.contains("length"))
    #expect(try self.strips(session)[..<2] == ["10 red 1", "13 blue 1"])
    // A chain of 2,000.
    var chain = ListRecord(["length": .number(1)])
    for _ in 0..<2000 { chain = ListRecord(["length": .number(1)], children: [chain]) }
    try session.setList("strips", to: [chain])
    #expect(
      try self.strips(session) == ["1 blue 1", "2 blue 1", "3 blue 1", "4 blue 1", "5 blue 1"])
  }

  @Test(arguments: [Isolation.none, .sandbox])
  func onlyOtherRecordsAreAChange(_ isolation: Isolation) throws {
    let strips = try Strips(isolation)
    let session = try strips.session(items: 2)
    try session.setList("strips", to: Self.tree)
    #expect(try self.strips(session) == ["10 red 1", "13 blue 1"])
    session.bounds.width += 1
    #expect(try self.strips(session) == ["10 red 0", "13 blue 0"])
    try session.setList("strips", to: Self.tree)
    session.bounds.width += 1
    #expect(try self.strips(session) == ["10 red 0", "13 blue 0"])
    let even = RecordList(count: 3, columns: ["length": .constant(.number(2))])
    try session.setList("strips", to: even)
    #expect(try self.strips(session) == ["2 blue 1", "2 blue 1"])
    try session.setList("strips", to: nil)
    #expect(try self.strips(session) == ["1 red 1", "1 red 1"])
    try session.setList("strips", to: RecordList(count: 0))
    session.bounds.width += 1
    #expect(try self.strips(session) == ["1 red 0", "1 red 0"])
  }

  /// When narrow, the derived engine passes twice the records at half length, green.
  @Test(arguments: [Isolation.none, .sandbox])
  func derivedEngineOverridesLists(_ isolation: Isolation) throws {
    let strips = try Strips(isolation)
    let session = try strips.session("halves")
    let flat = RecordList(count: 2, columns: ["length": .numbers([7, 9])])
    try session.setList("strips", to: flat)
    #expect(try self.strips(session) == ["7 blue 1", "9 blue 1", "7 blue 1", "9 blue 1"])
    session.bounds.width = 150
    #expect(
      try self.strips(session) == ["3.5 green 1", "3.5 green 1", "4.5 green 1", "4.5 green 1"])
    // The first prepare without overrides reports a change, the next does not.
    session.bounds.width = 400
    #expect(try self.strips(session)[0] == "7 blue 1")
    session.bounds.width = 401
    #expect(try self.strips(session)[0] == "7 blue 0")
    session.bounds.width = 100
    let error = try hostError { _ = try session.elements() }
    #expect(error.code == .invalidOverride)
    #expect(
      error.message
        == "org.example.halves: it gave its base a list in which colour of record 0 of strips is not a valid enum (in prepare)"
    )
    session.bounds.width = 402
    #expect(try self.strips(session)[0] == "7 blue 1")
  }

  @Test func invalidRecordsAreRefused() throws {
    let strips = try Strips(.none)
    let session = try strips.session(items: 1)
    try session.setList("strips", to: Self.tree)
    let lengths = ValueColumn.numbers([1, 2])
    let mistakes: [(RecordList, String)] = [
      (RecordList(count: .max), "strips has 9223372036854775807 records; expected 0 to 268435456"),
      (
        RecordList(count: 2, columns: ["lenght": lengths]),
        "the list strips has no column \"lenght\"; did you mean length?"
      ),
      (
        RecordList(count: 3, columns: ["length": lengths]),
        "length of strips has 2 values; expected one for each of the 3 records"
      ),
      (
        RecordList(count: 2, columns: ["parent": lengths]),
        "parent of strips has values of type number; expected integer"
      ),
      (
        RecordList(count: 2, columns: ["length": .numbers([1, -2])]),
        "length of record 1 of strips is -2; expected 0 to 1000"
      ),
      (
        RecordList(count: 9, columns: ["colour": .constant(.choice("pink"))]),
        "colour of strips is \"pink\"; expected red, green, blue"
      ),
    ]
    for (records, sentence) in mistakes {
      let error = try hostError { try session.setList("strips", to: records) }
      #expect(error.kind == .invalidInput && error.message == sentence, "\(error)")
    }
    let unknown = try hostError { try session.setList("stripes", to: nil) }
    #expect(
      unknown.message == "org.example.strips has no list \"stripes\"; did you mean strips?")
    #expect(try self.strips(session) == ["10 red 1"])
  }

  /// A replaced library keeps records; each layout of a batch gets all.
  @Test func recordsOutliveTheLibraryAndServeBatches() throws {
    let strips = try Strips(.sandbox)
    let session = try strips.session(items: 2)
    try session.setList("strips", to: Self.tree)
    _ = try session.elements()
    #expect(try session.reload() == [])
    #expect(try self.strips(session) == ["10 red 1", "13 blue 1"])
    try session.setSections([1, 2])
    let batch = try session.batch()
    #expect(batch.elements.indices.map { batch.elements.frame(at: $0).height } == [10, 10, 13])
  }
}
