import TesseraGeometry
import TesseraHost
import Testing

/// That an engine is given what the session was given.
@Suite struct InputTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.inputs.get() }

  /// The frames of the first section, into which the engine writes its input.
  private func input(_ session: Session) throws -> [Rect] {
    try session.elements().filter { $0.identity.section == 0 }.map(\.frame)
  }

  private func session(_ name: String = "inputs") throws -> Session {
    let session = try library.session(name, items: 10)
    session.bounds = Size(width: 320, height: 480)
    session.offset = Point(x: -5, y: 77)
    session.contentInsets = Insets(top: 1, left: 2, bottom: 3, right: 4)
    session.safeAreaInsets = Insets(top: 5, left: 6, bottom: 7, right: 8)
    session.layoutMargins = Insets(top: 9, left: 10, bottom: 11, right: 12)
    session.scale = 3
    return session
  }

  @Test func surroundingsAreThoseOfTheSession() throws {
    let session = try session()
    let input = try input(session)
    #expect(input[0] == Rect(x: -5, y: 77, width: 320, height: 480))
    #expect(input[1] == Rect(x: 1, y: 2, width: 3, height: 4))
    #expect(input[2] == Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(input[3] == Rect(x: 9, y: 10, width: 11, height: 12))
    #expect(input[4].origin == Point(x: 3, y: 0))
    #expect(input[4].width == 1)
    // No base, the struct as large as the header says, nothing in what is reserved.
    #expect(input[9] == Rect(x: 0, y: 1, width: 0, height: 0))
  }

  @Test func rightToLeftIsTold() throws {
    let session = try session()
    session.direction = .rightToLeft
    let input = try input(session)
    #expect(input[4].y == 1)
    #expect(input[1] == Rect(x: 1, y: 2, width: 3, height: 4))
  }

  /// An engine whose layout the host mirrors lays out a mirrored world, in which left is right.
  @Test func insetsOfAMirroredLayoutAreMirrored() throws {
    let session = try session("mirrored-inputs")
    session.direction = .rightToLeft
    let input = try input(session).map { frame in
      Rect(x: 1000 - frame.x - frame.width, y: frame.y, width: frame.width, height: frame.height)
    }
    #expect(input[1] == Rect(x: 1, y: 4, width: 3, height: 2))
    #expect(input[2] == Rect(x: 5, y: 8, width: 7, height: 6))
    #expect(input[3] == Rect(x: 9, y: 12, width: 11, height: 10))
  }

  @Test func parametersStartAsDeclaredAndBecomeWhatIsSet() throws {
    let session = try session()
    var input = try input(session)
    #expect(input[5] == Rect(x: 1, y: 3, width: 0.5, height: 1))
    #expect(input[6] == Rect(x: 1, y: 2, width: 30, height: 40))
    #expect(input[7] == Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(input[8] == Rect(x: 9, y: 10, width: 11, height: 12))
    let new: [(String, Value)] = [
      ("flag", .bool(false)), ("count", .integer(10)), ("ratio", .number(-1e6)),
      ("mode", .choice("wild")), ("anchor", .point(Point(x: -1, y: 4))),
      ("extent", .size(Size(width: 1e9, height: 50))),
      ("area", .rect(Rect(x: -1, y: -2, width: 3, height: 4))),
      ("margin", .insets(Insets(top: -1, left: -2, bottom: 3, right: 4))),
    ]
    for (name, value) in new { try session.setParameter(name, to: value) }
    input = try self.input(session)
    #expect(input[5] == Rect(x: 0, y: 10, width: 1e6, height: 2))
    #expect(input[6] == Rect(x: -1, y: 4, width: 1e9, height: 50))
    #expect(input[7] == Rect(x: -1, y: -2, width: 3, height: 4))
    #expect(input[8] == Rect(x: -1, y: -2, width: 3, height: 4))
    for (name, _) in new { try session.resetParameter(name) }
    #expect(try self.input(session)[5...8] == (try self.input(self.session()))[5...8])
  }

  /// Weight, mode, mark and rank are digits of x; the section's left margin is y.
  @Test func valuesAreOneForAllOneForEachOrTheirFallback() throws {
    let session = try session()
    try session.setSections([10, 2, 0, 1])
    func frames() throws -> [Rect] {
      try session.elements().filter { $0.identity.section > 0 }.map(\.frame)
    }
    // Mode and extent fall back on parameters, margin too; what has no fallback is zero.
    #expect(
      try frames() == Array(repeating: Rect(x: 100, y: 10, width: 30, height: 40), count: 3))
    try session.setParameter("mode", to: .choice("wild"))
    try session.setItemValues("weight", .numbers((0..<13).map { Double($0) }))
    try session.setItemValues("isMarked", .bools((0..<13).map { $0 % 2 == 1 }))
    try session.setItemValues("rank", .integers((0..<13).map { Int64($0) - 11 }))
    try session.setItemValues("extent", .constant(.size(Size(width: 1, height: 2))))
    try session.setSectionValues(
      "margin", .insets((0..<4).map { Insets(left: Double($0) * 7) }))
    #expect(
      try frames() == [
        Rect(x: 10 + 200 + 0 - 10_000, y: 7, width: 1, height: 2),
        Rect(x: 11 + 200 + 1000, y: 7, width: 1, height: 2),
        Rect(x: 12 + 200 + 10_000, y: 21, width: 1, height: 2),
      ])
    try session.setItemValues(
      "mode", .choices(Array(repeating: "wild", count: 10) + ["calm", "lively", "wild"]))
    #expect(try frames().map(\.x) == [10 - 10_000, 1111, 10_212])
    // New sections forget all values.
    try session.setSections([10, 2, 0, 1])
    #expect(
      try frames() == Array(repeating: Rect(x: 200, y: 10, width: 30, height: 40), count: 3))
  }

  /// What changed since the last successful prepare, as the contract's bits: 1 is anything.
  @Test func theEngineIsToldWhatChanged() throws {
    let session = try session()
    func changed() throws -> UInt32 { UInt32(try input(session)[4].height) }
    #expect(try changed() & 1 == 1)
    session.bounds.width = 321
    #expect(try changed() == 2)
    try session.setParameter("count", to: .integer(4))
    #expect(try changed() == 4)
    try session.setItemValues("weight", .constant(.number(1)))
    #expect(try changed() == 16)
    session.scale = 1
    try session.setSections([11])
    #expect(try changed() == 2 + 8 + 16)
    // A failure in between: the host no longer knows what the engine has seen.
    session.bounds.width = .nan
    _ = try hostError { _ = try session.elements() }
    session.bounds.width = 322
    #expect(try changed() & 2 == 2)
  }
}
