import TesseraGeometry
import Testing

/// Expectations follow the half-open rule.
@Suite struct RectTests {
  @Test func touchingEdgesDoNotMeet() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(!rect.intersects(Rect(x: 10, y: 0, width: 5, height: 5)))
    #expect(!rect.intersects(Rect(x: 0, y: 10, width: 5, height: 5)))
    #expect(!rect.intersects(Rect(x: -5, y: 0, width: 5, height: 5)))
    #expect(rect.intersects(Rect(x: 9.5, y: 9.5, width: 5, height: 5)))
  }

  @Test func emptyRectIntersectsNothing() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(!rect.intersects(Rect(x: 5, y: 5, width: 0, height: 5)))
    #expect(!Rect(x: 5, y: 5, width: 0, height: 5).intersects(rect))
    #expect(!rect.intersects(Rect(x: 5, y: 5, width: 5, height: 0)))
  }

  @Test func insetsNeverTurnARectInsideOut() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 10)
      .inset(by: Insets(top: 1, left: 8, bottom: 2, right: 8))
    #expect(rect == Rect(x: 8, y: 1, width: 0, height: 7))
  }
}
