import Synchronization
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// Engines that say in a prepare that there is nothing to adjust, so that the host does not call adjust.
@Suite struct SparingTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("sparing") }

  /// A session of ten cells, of which the first five are in the upper half of the viewport.
  private func session(_ isolation: Isolation) throws -> Session {
    let host = Host(
      searchPath: SearchPath(folders: [library.folder.path]),
      configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine("org.example.sparing"))
    session.bounds = Size(width: 100, height: 100)
    try session.setSections([10])
    return session
  }

  /// The shown alphas and shades are those of the engine's source.
  private func looks(_ elements: Elements) -> [[Double]] {
    elements.map { [$0.alpha, $0.attributes[0].numbers[0]] }
  }

  private let plain = Array(repeating: [1, 0.25], count: 10)
  private let faded =
    Array(repeating: [0.5, 0.75], count: 5) + Array(repeating: [1, 0.25], count: 5)

  @Test(arguments: [Isolation.none, .process])
  func engineIsAskedOnlyWhereItAdjusts(_ isolation: Isolation) throws {
    let session = try session(isolation)
    let calls = Mutex(0)
    session.trace = { line in if line.hasPrefix("adjust(") { calls.withLock { $0 += 1 } } }
    for fades in [false, true, false] {
      try session.setParameter("fades", to: .bool(fades))
      calls.withLock { $0 = 0 }
      let expected = fades ? faded : plain
      #expect(looks(try session.elements()) == expected)
      #expect(looks(try session.elements(in: session.visibleRect)) == expected)
      let cell = try #require(try session.element(.cell(section: 0, item: 2)))
      #expect([cell.alpha, cell.attributes[0].numbers[0]] == expected[2])
      #expect(calls.withLock { $0 } == (fades ? 3 : 0))
    }
  }

  /// Each layout of a batch can have something to adjust or nothing.
  @Test(arguments: [Isolation.none, .process])
  func layoutsOfABatchDiffer(_ isolation: Isolation) throws {
    let session = try session(isolation)
    try session.setSections(Array(repeating: 10, count: 600))
    let fades = (0..<600).map { $0 % 3 == 1 || $0 > 500 }
    let batch = try session.batch(parameters: ["fades": fades.map { .bool($0) }])
    for (layout, fades) in fades.enumerated() {
      #expect(batch.errors[layout] == nil)
      let found = batch.ranges[layout].map {
        [batch.elements[$0].alpha, batch.elements[$0].attributes[0].numbers[0]]
      }
      #expect(found == (fades ? faded : plain), "layout \(layout)")
    }
  }

  /// The shipped engines that say so, against what their adjust would do.
  @Test(arguments: ["flow", "table", "compositional"])
  func shippedEnginesSayWhatIsTrue(_ name: String) throws {
    let session = try ShippedEngines.session("org.tessera.\(name)")
    try session.setSections([7, 0, 12])
    if name == "table" { try session.setParameter("style", to: .choice("grouped")) }
    for offset in [Point.zero, Point(x: 0, y: 130)] {
      session.offset = offset
      let adjusted = try #require(try session.needlesslyAdjustedElements())
      #expect(Array(adjusted) == Array(try session.elements()))
      #expect(!adjusted.isEmpty)
    }
  }
}
