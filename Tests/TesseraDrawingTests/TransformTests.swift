import TesseraDrawing
import TesseraGeometry
import TesseraHost
import Testing

/// Corners are calculated by hand.
@Suite struct TransformTests {
  private func points(_ transform: Transform, zIndex: Int = 0) throws -> [[Double]] {
    var element = Sample.cell(0, 0, 0, 200, 100)
    element.transform = transform
    let reader = try MarkupReader(Sample.picture([element]).svg())
    return reader.all("polygon", class: "cell").map { $0.numbers("points") }
  }

  @Test func quarterTurnIsApplied() throws {
    var turn = Transform.identity
    (turn.m11, turn.m12, turn.m21, turn.m22) = (0, 1, -1, 0)
    #expect(try points(turn) == [[150, -50, 150, 150, 50, 150, 50, -50]])
  }

  @Test func perspectiveDividesByW() throws {
    // w = 1 + 0.002·dx: 0.8 at the left edge, 1.2 at the right.
    var lean = Transform.identity
    lean.m14 = 0.002
    #expect(
      try points(lean) == [[-25, -12.5, 183.333, 8.333, 183.333, 91.667, -25, 112.5]])
  }

  @Test func partsBehindTheViewerAreCutOff() throws {
    var behind = Transform.identity
    behind.m44 = -1
    #expect(try points(behind).isEmpty)
    // w = 1 + 0.02·dx is 0.01 at dx = -49.5: the left edge is at 100 - 4950.
    var cut = Transform.identity
    cut.m14 = 0.02
    let outline = try #require(try points(cut).first)
    #expect(outline.count == 8)
    #expect(outline.min() == -4950)
    #expect(outline.max() == 5050)
  }

  @Test func nearerElementsAreDrawnLater() throws {
    var near = Sample.cell(0, 0, 0, 50, 50)
    near.transform.m43 = 200
    let far = Sample.cell(1, 0, 0, 50, 50)
    let titles = try MarkupReader(Sample.picture([near, far]).svg()).all("title").dropFirst()
    #expect(titles.map { $0.text.prefix(6) } == ["cell 1", "cell 0"])
  }

  @Test func textIsTransformedWithItsElement() throws {
    var turned = Sample.cell(7, 0, 0, 200, 100)
    (turned.transform.m11, turned.transform.m12) = (0, 1)
    (turned.transform.m21, turned.transform.m22) = (-1, 0)
    let text = try MarkupReader(Sample.picture([turned]).svg()).all("text")
      .filter { $0.text == "7" }
    #expect(text.map { $0.attributes["transform"] } == ["matrix(0 1 -1 0 100 50)"])
  }
}
