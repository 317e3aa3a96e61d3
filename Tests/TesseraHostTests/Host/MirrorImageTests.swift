import TestSupport
import Testing

@testable import TesseraHost

/// Results stay finite when mirroring overflows.
///
/// In content of width W, x becomes W - x - width for frames and W - x for points: here 2e308 is
/// over the maximum, 1.797e308.
@Suite struct MirrorImageTests {
  private static func session(
    _ isolation: Isolation, _ parameters: [String: Double] = [:],
    _ direction: LayoutDirection = .rightToLeft
  ) throws -> Session {
    let folder = try TemporaryFolder()
    let path = folder.path("liboutermost.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("outermost"), to: path, flags: ["-std=gnu11", "-shared", "-fPIC"])
    let session = try Session(Soak.host(isolation).engine(path))
    session.direction = direction
    try session.setSections([2])
    for (name, number) in parameters { try session.setParameter(name, to: .number(number)) }
    return session
  }

  /// A call whose result or argument is at 2e308 right to left, and its error code.
  struct Call: Sendable {
    let code: HostError.Code
    var parameters = ["content": 1e308]
    let ask: @Sendable (Session) throws -> Void
  }

  private static let farCell = ["content": 1e308, "x": -1e308]
  private static let farPoint = Point(x: -1e308, y: 0)
  private static let first = ItemPath(section: 0, item: 0)

  private static let calls = [
    Call(code: .frameNotFinite, parameters: farCell) { _ = try $0.elements() },
    Call(
      code: .invalidAttribute,
      parameters: ["length": 1e308, "mark": -1e308, "content": 1e308, "x": 0]
    ) { _ = try $0.elements() },
    Call(code: .invalidResult) { _ = try $0.call("pointAt", [.number(-1e308)]) },
    Call(code: .invalidRestingOffset, parameters: ["content": 1e308, "rest": -1e308]) {
      _ = try $0.restingOffset(for: .zero)
    },
    // Engines never get infinities.
    Call(code: .invalidValue) { _ = try $0.call("xOf", [.point(farPoint)]) },
    Call(code: .invalidValue) { _ = try $0.restingOffset(for: farPoint) },
    Call(code: .invalidValue) { _ = try $0.reorderingTarget(for: first, at: farPoint) },
    Call(code: .invalidArgument) {
      try $0.setDelegate("corner", DelegateFunction("corner") { (_: Point) in farPoint })
      _ = try $0.elements()
    },
  ]

  @Test(arguments: [Isolation.none, .process], calls.indices)
  func anImageIsFinite(_ isolation: Isolation, _ number: Int) throws {
    let call = Self.calls[number]
    let session = try Self.session(isolation, call.parameters)
    let error = try hostError { try call.ask(session) }
    #expect(error.code == call.code && error.message.contains("mirror image"), "\(error)")
    if error.kind == .brokenContract { #expect(error.engine == "org.example.outermost") }
    if call.code == .invalidValue { #expect(try session.call("seen", []) == .number(0)) }
    try call.ask(Self.session(isolation, call.parameters, .leftToRight))
  }

  /// In content 300 wide, x becomes 300 - x - width; left and right insets swap.
  @Test(arguments: [Isolation.none, .process])
  func functionsSeeMirrorImages(_ isolation: Isolation) throws {
    let images: [(Value, Value)] = [
      (.point(Point(x: 10, y: 1)), .point(Point(x: 290, y: 1))),
      (
        .rect(Rect(x: 10, y: 5, width: 30, height: 40)),
        .rect(Rect(x: 260, y: 5, width: 30, height: 40))
      ),
      (
        .insets(Insets(top: 5, left: 6, bottom: 7, right: 8)),
        .insets(Insets(top: 5, left: 8, bottom: 7, right: 6))
      ),
    ]
    for (value, image) in images { #expect(value.mirrored(in: 300) == image) }
    let session = try Self.session(isolation)
    var asked: [Double] = []
    let corner = try DelegateFunction("corner") { (point: Point) in
      asked.append(point.x)
      return point
    }
    try session.setDelegate("corner", corner)
    _ = try session.contentSize()
    #expect(asked == [290])
    #expect(try session.call("pointAt", [.number(10)]) == .point(Point(x: 290, y: 0)))
    #expect(try session.call("xOf", [.point(Point(x: 10, y: 0))]) == .number(290))
  }

  @Test func theHeldItemHasAFiniteFrame() throws {
    let session = try Self.session(
      .none, ["content": 1e308, "length": 1e308, "x": 0], .leftToRight)
    try session.beginReordering(ItemPath(section: 0, item: 1))
    _ = try session.drag(to: Point(x: 5e307, y: 0))
    #expect(try session.heldElement()?.frame == Rect(x: 0, y: -10, width: 1e308, height: 20))
    _ = try session.drag(to: Point(x: 1.7e308, y: 0))
    let error = try hostError { _ = try session.heldElement() }
    #expect(error.code == .invalidValue && error.message.contains("drag it"), "\(error)")
  }

  @Test(arguments: LayoutDirection.allCases)
  func farQuestionsHaveAnswers(_ direction: LayoutDirection) throws {
    let session = try Self.session(.none, ["content": 1.7e308, "x": 1e308], direction)
    for x in [-1.7e308, 1.7e308] {
      let rect = Rect(x: x, y: 0, width: x.magnitude, height: 20)
      #expect(try session.elements(in: rect).count <= 2)
    }
    _ = try session.reorderingTarget(for: Self.first, at: Point(x: 1.7e308, y: 1.7e308))
    #expect(try session.cell(nextTo: Self.first, .up) == nil)
    #expect(try session.cell(nextTo: Self.first, .right)?.identity.item != 0)
  }
}

@Suite struct AnyLimitTests {
  /// A limit may mean infinity or be negative.
  @Test(arguments: ["org.tessera.grid", "org.tessera.stagger"])
  func anyNumberIsALimit(_ id: String) async {
    await #expect(processExitsWith: .success) { [id] in
      let session = try Session(Soak.host(.process).engine(id))
      try session.setSections([3])
      for limit in [Int.max, Int.min, -1, 0, 1 << 40] {
        session.rowLimit = limit
        for ask in [
          { try session.elements().count }, { try session.visibleElements().count },
          { try session.batch().elements.count },
        ] {
          do {
            #expect(try ask() == (limit > 0 ? 3 : 0), "\(limit)")
          } catch let error as HostError {
            #expect(limit <= 0 && error.kind != .brokenContract, "\(limit): \(error)")
          }
        }
        #expect(try session.element(.cell(section: 0, item: 2)) != nil)
      }
    }
  }
}
