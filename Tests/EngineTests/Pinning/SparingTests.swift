import Synchronization
import TesseraHost
import Testing

@Suite struct SparingTests {
  private static let name = "sectionHeadersPinToVisibleBounds"

  private func session() throws -> Session {
    let session = try ShippedEngines.session("org.tessera.flow")
    try session.setParameter("headerReferenceSize", to: .size(Size(width: 9, height: 9)))
    return session
  }

  @Test func engineIsAskedOnlyWhereItAdjusts() throws {
    let session = try session()
    try session.setSections([100])
    session.offset.y = 50
    let calls = Mutex(0)
    session.trace = { line in if line.hasPrefix("adjust(") { calls.withLock { $0 += 1 } } }
    let header = ElementIdentity(category: .supplementary, kind: "header", section: 0, item: 0)
    for pins in [false, true, false] {
      try session.setParameter(Self.name, to: .bool(pins))
      calls.withLock { $0 = 0 }
      let place = pins ? 50.0 : 0
      #expect(try session.elements().first { $0.identity == header }?.frame.y == place)
      #expect(
        try session.visibleElements().contains { $0.identity == header } == pins)
      #expect(try session.element(header)?.frame.y == place)
      #expect(calls.withLock { $0 } == (pins ? 3 : 0))
    }
  }

  @Test func layoutsOfABatchDiffer() throws {
    let session = try session()
    session.offset.y = 50
    try session.setSections(Array(repeating: 100, count: 600))
    let pins = (0..<600).map { $0 % 3 == 1 || $0 > 500 }
    let batch = try session.batch(parameters: [Self.name: pins.map { .bool($0) }])
    let headers = batch.elements.filter { $0.identity.category == .supplementary }
    #expect(headers.map { $0.frame.y == 50 } == pins)
  }
}
