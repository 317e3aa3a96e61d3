import CTessera
import Testing

@testable import TesseraSDK

/// Rests at the corner of the first cell that it finds in sight.
private final class Snapping: PreparingLayout, SnappingLayout {
  static let identity = EngineIdentity(
    id: "org.example.snapping", name: "Snapping", version: "1.0.0", author: "", license: "",
    summary: "")
  private let placed = PlacedElements()

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}

  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point {
    let found = try placed.runs(in: Rect(origin: proposed, size: input.bounds))
    guard let cell = found.first(where: { $0.run.category == .cell }) else {
      return velocity == .zero ? Point(x: .nan, y: 0) : proposed
    }
    return cell.frames[0].origin
  }
}

private final class Restless: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.example.restless", name: "Restless", version: "1.0.0", author: "", license: "",
    summary: "")
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
}

@Suite struct SnappingTests {
  private let engine = EngineUnderTest(Snapping.self)

  private func rest(
    at x: Double, _ y: Double, velocity: Double = 0
  ) throws -> (status: Status, point: Point) {
    let lookUp = try #require(engine.engine.extension)
    let table = try #require(lookUp(engine.host.engines[0], TESSERA_EXT_SNAPPING))
    let snapping = table.assumingMemoryBound(to: tessera_snapping.self).pointee
    var point = tessera_point(x: x, y: y)
    let status = FakeInput(bounds: Size(width: 10, height: 20)).pass {
      snapping.resting_offset(engine.layout, $0, tessera_point(x: velocity, y: 0), &point)
    }
    return (status, Point(point))
  }

  @Test func onlyLayoutsThatSnapHaveTheTable() throws {
    let lookUp = try #require(engine.engine.extension)
    #expect(lookUp(engine.host.engines[0], "tessera.snapping/2") == nil)
    #expect(EngineUnderTest(Restless.self).engine.extension == nil)
  }

  @Test func theLayoutAsksWhereItsElementsAre() throws {
    let output = FakeOutput()
    let cells = Output(pointer: output.reference, host: engine.host.reference)
    try cells.add(
      .cells(inSection: 1, items: 4..<5), frame: Rect(x: 11, y: 12, width: 5, height: 6))
    engine.host.placed = output
    let rest = try rest(at: 8, 9)
    #expect(rest.status == TESSERA_OK && rest.point == Point(x: 11, y: 12))
    #expect(engine.host.queriedRects == [Rect(x: 8, y: 9, width: 10, height: 20)])
  }

  @Test func proposalRemainsWithoutElements() throws {
    engine.host.placed = FakeOutput()
    let rest = try rest(at: 8, 9, velocity: 3)
    #expect(rest.status == TESSERA_OK && rest.point == Point(x: 8, y: 9))
  }

  @Test func infiniteAnswerKeepsTheProposal() throws {
    engine.host.placed = FakeOutput()
    let rest = try rest(at: 8, 9)
    #expect(rest.status == TESSERA_ERROR_FAILED && rest.point == Point(x: 8, y: 9))
    #expect(engine.host.reports.count == 1)
  }

  @Test func hostWithoutQueriesIsReported() throws {
    #expect(try rest(at: 0, 0).status == TESSERA_ERROR_UNSUPPORTED)
    engine.host.placed = FakeOutput()
    engine.host.queryAnswer = TESSERA_ERROR_WRONG_STATE
    #expect(try rest(at: 0, 0).status == TESSERA_ERROR_FAILED)
    engine.host.queryAnswer = TESSERA_ERROR_CANCELLED
    #expect(try rest(at: 0, 0).status == TESSERA_ERROR_CANCELLED)
    #expect(engine.host.reports.count == 2)
  }
}
