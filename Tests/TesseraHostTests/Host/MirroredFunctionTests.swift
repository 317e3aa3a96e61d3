import TestSupport
import Testing

@testable import TesseraHost

/// Right to left, geometry is mirrored between program and engine.
///
/// Content of `geometric.c` is 300 wide: points map to 300 - x, rects to 300 - x - width; insets
/// swap.
@Suite struct MirroredFunctionTests {
  /// Delegates that record arguments and return (20, 1), the rect (20, 0, 50, 10), or insets 1, 2,
  /// 3, 4.
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

  /// Values passed through the engine return unchanged; the engine sees mirror images.
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

  /// In prepare, the width is first that of the bounds minus insets, 350, then 300: the engine's 10
  /// is 340, then 290; the program's 20 is 330, then 280.
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
