import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// A third layer in C over cover-flow in Swift over flow in Swift, each in a file of its own.
@Suite struct ThirdLayerTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("spotlight") }

  private func session(_ id: String) throws -> Session {
    let session = try library.session(id)
    session.bounds = Size(width: 320, height: 480)
    session.offset.x = 75
    try session.setParameter("sectionInset", to: .insets(Insets(left: 70, right: 70)))
    try session.setSections([5])
    return session
  }

  @Test(arguments: CCompiler.all) func onlyOneColumnChanges(
    _ compiler: CCompiler
  ) throws {
    let other = try LayerLibrary("spotlight", compiler: compiler)
    let engine = try other.host.engine("spotlight")
    #expect(
      engine.chain.map(\.id)
        == ["org.example.spotlight", "org.tessera.cover-flow", "org.tessera.flow"])
    let (covers, dimmed) = (try session("cover-flow"), try session("spotlight"))
    for direction in LayoutDirection.allCases {
      covers.direction = direction
      dimmed.direction = direction
      for x in stride(from: -100.0, through: 700, by: 15) {
        covers.offset.x = x
        dimmed.offset.x = x
        var expected = Array(try covers.elements())
        for index in expected.indices where expected[index].zIndex == 0 {
          expected[index].alpha = 0.25
        }
        #expect(try Array(dimmed.elements()) == expected)
      }
    }
  }

  /// What a base does not know of, it is not shown: it neither fails over it nor changes it.
  @Test func ownElementsOfALayerAreHiddenFromItsBases() throws {
    let (covers, lit) = (try session("cover-flow"), try session("lit-shelf"))
    #expect(try lit.elements().filter { $0.identity.category == .cell } == Array(covers.elements()))
    let lamp = ElementIdentity(category: .decoration, kind: "lamp", section: 0, item: 0)
    let found = try #require(try lit.element(lamp))
    #expect(found.frame == Rect(x: 0, y: 0, width: 20, height: 20))
    #expect(found.transform == .identity)
    #expect(try lit.elements(in: Rect(x: 0, y: 0, width: 9, height: 9)).map(\.identity) == [lamp])
    #expect(try lit.restingOffset(for: Point(x: 80, y: 0)) == Point(x: 120, y: 0))
  }

  @Test func aParameterOfAnyBaseIsSettable() throws {
    let session = try session("spotlight")
    try session.setParameter("flowOffset", to: .number(0))
    try session.setParameter("minimumLineSpacing", to: .number(0))
    let first = try #require(try session.element(.cell(section: 0, item: 4)))
    #expect(first.frame.x == 70 + 4 * 180)
    #expect(first.transform.m41 == 0)
  }

  /// Each engine's own words reach the user, whoever is asked.
  @Test func anErrorOfABasePassesThroughIntact() throws {
    let session = try session("spotlight")
    try session.setParameter("translateDistance", to: .number(0))
    var error = #expect(throws: HostError.self) { try session.elements() }
    #expect(
      error
        == HostError(
          .refusedByEngine, "translateDistance is 0; it must be another number",
          engine: "org.tessera.cover-flow"))
    try session.resetParameter("translateDistance")
    try session.setItemValues(
      "size", .sizes(Array(repeating: Size(width: 1, height: -1), count: 5)))
    error = #expect(throws: HostError.self) { try session.elements() }
    #expect(error?.kind == .refused)
    #expect(
      error?.message.hasPrefix("org.tessera.flow: size of item 0 in section 0 is 1×-1") == true,
      "\(error!)")
    try session.setItemValues("size", .constant(.size(Size(width: 9, height: 9))))
    #expect(try session.elements().count == 5)
  }
}
