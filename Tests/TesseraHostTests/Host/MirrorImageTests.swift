import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What leaves a session is finite, also where mirroring leads beyond the largest number.
///
/// All numbers of the engine in `outermost.c` are finite. In content of a width W, the mirror image of x is
/// W - x - width for a frame, and W - x for a point: 2e308 is more than the largest number, 1.797e308.
@Suite struct MirrorImageTests {
  private func session(
    _ isolation: Isolation, _ parameters: [String: Double] = [:],
    _ direction: LayoutDirection = .rightToLeft
  ) throws -> Session {
    let folder = try TemporaryFolder()
    let path = folder.path("liboutermost.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("outermost"), to: path, flags: ["-std=gnu11", "-shared", "-fPIC"])
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine("org.example.outermost"))
    session.direction = direction
    try session.setSections([2])
    for (name, number) in parameters { try session.setParameter(name, to: .number(number)) }
    return session
  }

  private static let isolations = [Isolation.none, .process]

  /// Each way to ask for the second cell, 1e308 before the content.
  static let queries: [@Sendable (Session) throws -> Void] = [
    { _ = try $0.elements() },
    { _ = try $0.element(.cell(section: 0, item: 1)) },
    { _ = try $0.batch().errors[0].map { throw $0 } },
    {
      let after = try UpdateBatch([.reload(ItemPath(section: 0, item: 0))], before: [2], after: [2])
      _ = try $0.update(after) { _ in }
    },
  ]

  @Test(arguments: isolations, queries.indices)
  func aFrameHasAFiniteImage(_ isolation: Isolation, _ query: Int) throws {
    let far = ["content": 1e308, "x": -1e308]
    let error = try hostError { try Self.queries[query](session(isolation, far)) }
    #expect(error.code == .frameNotFinite && error.engine == "org.example.outermost")
    #expect(
      error.message.contains("cell 1 of section 0") && error.message.contains("mirror image"),
      "\(error.message)")
    // From left to right, the same frame is what it is.
    try Self.queries[query](session(isolation, far, .leftToRight))
  }

  /// An image that is near the end of numbers is an answer like any other.
  @Test func aFarImageThatIsFiniteIsReturned() throws {
    let session = try session(.none, ["content": 1.7e308, "x": -9e306, "length": 1e306])
    #expect(try session.elements()[1].frame.x == 1.7e308 + 9e306 - 1e306)
    try session.setParameter("x", to: .number(-1e308))
    #expect(try hostError { _ = try session.elements() }.code == .frameNotFinite)
  }

  @Test(arguments: isolations) func anAttributeHasAFiniteImage(_ isolation: Isolation) throws {
    let far = ["length": 1e308, "mark": -1e308, "content": 1e308, "x": 0]
    let error = try hostError { _ = try session(isolation, far).elements() }
    #expect(error.code == .invalidAttribute && error.message.contains("mirror image"), "\(error)")
    #expect(try session(isolation, far, .leftToRight).elements().count == 2)
  }

  @Test(arguments: isolations) func aResultHasAFiniteImage(_ isolation: Isolation) throws {
    let session = try session(isolation, ["content": 1e308])
    #expect(try session.call("pointAt", [.number(0)]) == .point(Point(x: 1e308, y: 0)))
    let error = try hostError { _ = try session.call("pointAt", [.number(-1e308)]) }
    #expect(error.code == .invalidResult && error.engine == "org.example.outermost")
    #expect(error.message.contains("pointAt") && error.message.contains("mirror image"), "\(error)")
  }

  @Test(arguments: isolations) func anOffsetHasAFiniteImage(_ isolation: Isolation) throws {
    let session = try session(isolation, ["content": 1e308, "rest": -1e308])
    let error = try hostError { _ = try session.restingOffset(for: .zero) }
    #expect(error.code == .invalidRestingOffset && error.message.contains("mirror image"))
  }

  /// What the program gives reaches no engine as an infinite number.
  @Test(arguments: isolations)
  func whatTheProgramGivesHasAFiniteImage(_ isolation: Isolation) throws {
    let session = try session(isolation, ["content": 1e308])
    let far = Point(x: -1e308, y: 0)
    let asked: [() throws -> Void] = [
      { _ = try session.call("xOf", [.point(far)]) },
      { _ = try session.restingOffset(for: far) },
      { _ = try session.reorderingTarget(for: ItemPath(section: 0, item: 0), at: far) },
    ]
    for ask in asked {
      let error = try hostError { try ask() }
      #expect(error.code == .invalidValue && error.message.contains("mirror image"), "\(error)")
    }
    #expect(try session.call("seen", []) == .number(0))
  }

  /// The program's answer to a delegate function, which the engine would get as 2e308.
  @Test(arguments: isolations) func anAnswerHasAFiniteImage(_ isolation: Isolation) throws {
    let session = try session(isolation, ["content": 1e308])
    try session.setDelegate(
      "corner", DelegateFunction("corner") { (_: Point) in Point(x: -1e308, y: 0) })
    let error = try hostError { _ = try session.elements() }
    #expect(error.code == .invalidArgument && error.message.contains("mirror image"), "\(error)")
  }

  /// An item is held where the program drags it, unless its frame ends beyond the numbers there.
  @Test func theHeldItemHasAFiniteFrame() throws {
    let session = try session(.none, ["content": 1e308, "length": 1e308, "x": 0], .leftToRight)
    try session.beginReordering(ItemPath(section: 0, item: 1))
    _ = try session.drag(to: Point(x: 5e307, y: 0))
    #expect(try session.heldElement()?.frame == Rect(x: 0, y: -10, width: 1e308, height: 20))
    _ = try session.drag(to: Point(x: 1.7e308, y: 0))
    let error = try hostError { _ = try session.heldElement() }
    #expect(error.code == .invalidValue && error.message.contains("drag it"), "\(error)")
  }

  /// Any finite rect can be asked for, and the nearest cell is found however far the point is.
  @Test func farQuestionsHaveAnswers() throws {
    for direction in [LayoutDirection.leftToRight, .rightToLeft] {
      let session = try session(.none, ["content": 1.7e308, "x": 1e308], direction)
      let rects = [
        Rect(x: -1.7e308, y: 0, width: 1e308, height: 20),
        Rect(x: 1.7e308, y: 0, width: 1.7e308, height: 20),
      ]
      for rect in rects { #expect(try session.elements(in: rect).count <= 2) }
      let first = ItemPath(section: 0, item: 0)
      _ = try session.reorderingTarget(for: first, at: Point(x: 1.7e308, y: 1.7e308))
      #expect(try session.cell(nextTo: first, .up) == nil)
      #expect(try session.cell(nextTo: first, .right)?.identity.item != 0)
    }
  }

  /// An item that does not exist has no target, and no engine is asked for it.
  @Test(arguments: isolations) func anItemToDropExists(_ isolation: Isolation) throws {
    let session = try session(isolation)
    for (section, item) in [(-1, 0), (0, -1), (0, 2), (1, 0), (1 << 40, 0), (0, Int.max)] {
      let item = ItemPath(section: section, item: item)
      let error = try hostError { _ = try session.reorderingTarget(for: item, at: .zero) }
      #expect(error.code == .invalidValue, "\(error)")
    }
  }
}
