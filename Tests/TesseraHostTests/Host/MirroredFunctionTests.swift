import TestSupport
import Testing

@testable import TesseraHost

/// Right to left, points, rects and insets of functions are mirrored between program and engine.
///
/// The content of the engine in `geometric.c` is 300 wide: x is 300 - x for a point, and 300 - x - width for
/// a rect; insets exchange left and right.
@Suite struct MirroredFunctionTests {
  /// A session with delegate functions that note what the program was asked, and answer the same each
  /// time: the point (20, 1), the rect (20, 0, 50, 10) and the insets 1, 2, 3, 4.
  private func session(
    _ isolation: Isolation, _ direction: LayoutDirection,
    asked: @escaping (String) -> Void = { _ in }
  ) throws -> Session {
    let folder = try TemporaryFolder()
    let path = folder.path("libgeometric.so")
    try CCompiler("gcc").compile(FixtureEngine.source("geometric"), to: path)
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine("org.example.geometric"))
    session.direction = direction
    session.contentInsets = Insets(left: 5, right: 20)
    try session.setSections([3])
    try session.setDelegate(
      "corner",
      DelegateFunction("corner") { (point: Point) in
        asked("\(point.x)")
        return Point(x: 20, y: 1)
      })
    try session.setDelegate(
      "box",
      DelegateFunction("box") { (rect: Rect) in
        asked("\(rect.x)")
        return Rect(x: 20, y: 0, width: 50, height: 10)
      })
    try session.setDelegate(
      "edges",
      DelegateFunction("edges") { (insets: Insets) in
        asked("\(insets.left),\(insets.right)")
        return Insets(top: 1, left: 2, bottom: 3, right: 4)
      })
    return session
  }

  private func seen(_ session: Session, _ which: UInt64) throws -> Value {
    try session.call("seen", [.unsigned(which)])
  }

  /// What the program gives, the engine passes to the program's own function, which sees it as it was
  /// given, and so for the answers; in between, the engine sees the mirror images.
  @Test(arguments: [Isolation.none, .process])
  func whatIsPassedThroughComesBack(_ isolation: Isolation) throws {
    var asked: [String] = []
    let session = try session(isolation, .rightToLeft) { asked.append($0) }
    _ = try session.contentSize()
    asked = []
    #expect(
      try session.call("pointOf", [.point(Point(x: 10, y: 0))]) == .point(Point(x: 20, y: 1)))
    #expect(try seen(session, 0) == .number(290) && seen(session, 1) == .number(280))
    #expect(
      try session.call("rectOf", [.rect(Rect(x: 10, y: 5, width: 30, height: 40))])
        == .rect(Rect(x: 20, y: 0, width: 50, height: 10)))
    // 300 - 10 - 30 and 300 - 20 - 50.
    #expect(try seen(session, 0) == .number(260) && seen(session, 1) == .number(230))
    #expect(
      try session.call("insetsOf", [.insets(Insets(top: 5, left: 6, bottom: 7, right: 8))])
        == .insets(Insets(top: 1, left: 2, bottom: 3, right: 4)))
    #expect(try seen(session, 0) == .number(8) && seen(session, 1) == .number(4))
    #expect(asked == ["10.0", "10.0", "6.0,8.0"])
  }

  /// In prepare, the content is first as wide as the bounds less the content insets, 375 - 25 = 350, and
  /// then 300: the engine's point at 10 is shown at 340 and 290, and what is shown at 20 is at 330 and 280
  /// for the engine.
  @Test(arguments: [Isolation.none, .process])
  func inPrepareTheWidthIsThatOfTheContentSoFar(_ isolation: Isolation) throws {
    var asked: [String] = []
    let session = try session(isolation, .rightToLeft) { asked.append($0) }
    _ = try session.contentSize()
    #expect(asked == ["340.0", "290.0"])
    #expect(try seen(session, 4) == .number(330 + 280 * 1000))
    asked = []
    session.direction = .leftToRight
    _ = try session.contentSize()
    #expect(asked == ["10.0", "10.0"])
    #expect(try seen(session, 4) == .number(20 + 20 * 1000))
  }
}
