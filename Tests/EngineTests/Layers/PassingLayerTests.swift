import TesseraHost
import TestSupport
import Testing

@Suite struct PassingLayerTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("layers") }

  /// An eager layer asks its lazy base for everything, even cells that intersect no rect.
  @Test(
    arguments: [[0], [1], [40, 0, 3], [500]],
    [Size(width: 50, height: 50), .zero, Size(width: 50, height: 0)])
  func aLazyBaseUnderAnEagerLayerIsAskedForEverything(_ counts: [Int], _ size: Size) throws {
    let (moved, grid) = (try library.session("moved-grid"), try library.session("grid"))
    for session in [moved, grid] {
      try session.setSections(counts)
      try session.setParameter("itemSize", to: .size(size))
    }
    let expected = try grid.elements().map { element in
      var element = element
      element.frame.x += 1000
      return element
    }
    #expect(try Array(moved.elements()) == expected)
    #expect(try moved.contentSize().width == grid.contentSize().width + 1000)
    #expect(try moved.elements(in: Rect(x: 0, y: 0, width: 999, height: 1e6)).isEmpty)
    if let last = expected.last { #expect(try moved.element(last.identity) == last) }
  }

  @Test func aBaseIsFoundInAnotherFolder() throws {
    let chain = try library.host.engine("plain-flow").chain
    #expect(chain.map(\.id) == ["org.example.plain-flow", "org.tessera.flow"])
    let alone = Host(
      searchPath: SearchPath(folders: [library.folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let error = #expect(throws: HostError.self) { try alone.engine("plain-flow") }
    #expect(
      error
        == HostError(
          .baseNotFound,
          "org.example.plain-flow is derived from org.tessera.flow, which is not on the search path;"
            + " put its library there"))
  }

  @Test func aLayerThatDoesNotMirrorIsNotMirrored() throws {
    let (layer, flow) = (try library.session("unmirrored"), try library.session("flow"))
    for session in [layer, flow] { try session.setSections([5]) }
    let frames = try flow.elements().map(\.frame)
    for session in [layer, flow] { session.direction = .rightToLeft }
    #expect(try layer.elements().map(\.frame) == frames)
    #expect(try flow.elements().map(\.frame) != frames)
  }
}
