import Synchronization
import TesseraGeometry
import Testing

@Suite struct ReuseTests {
  enum Length: Sendable { case width, height }

  @Test(
    arguments: [
      ("flow", .width), ("justified", .width), ("mosaic", .width), ("table", .width),
      ("waterfall", .width), ("timetable", .width), ("stagger", .height),
    ] as [(String, Length)])
  func boundsWithoutEffectAreNotPrepared(_ engine: String, _ length: Length) throws {
    let session = try ShippedEngines.session("org.tessera.\(engine)")
    try session.setSections([50])
    let prepares = Mutex(0)
    session.trace = { line in
      if line.hasPrefix("prepare(") { prepares.withLock { $0 += 1 } }
    }
    for (bounds, expected) in [
      (Size(width: 375, height: 667), 1), (Size(width: 720, height: 667), length == .width ? 1 : 0),
      (Size(width: 720, height: 900), length == .height ? 1 : 0),
    ] {
      session.bounds = bounds
      _ = try session.contentSize()
      #expect(prepares.withLock { $0 } == expected, "\(bounds)")
      prepares.withLock { $0 = 0 }
    }
  }
}
