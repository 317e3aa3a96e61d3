import CTessera
import Testing

@testable import TesseraSDK

@Suite struct InputTests {
  @Test func countsAndViewport() {
    let input = FakeInput(
      bounds: Size(width: 100, height: 50),
      contentInsets: Insets(top: 1, left: 2, bottom: 3, right: 4), counts: [3, 0, 4])
    input.pass { pointer in
      let input = Input(pointer)
      #expect(input.sectionCount == 3 && input.itemCount == 7)
      #expect((0..<3).map(input.items(inSection:)) == [0..<3, 3..<3, 3..<7])
      #expect(input.bounds == Size(width: 100, height: 50))
      #expect(input.viewport == Rect(x: 3, y: 4, width: 100, height: 50))
      #expect(input.extent == Size(width: 94, height: 46))
      #expect(input.scale == 2 && !input.isRightToLeft)
      #expect(input.change.what == .counts)
      #expect(input.change.firstSection == 1 && input.change.firstItem == 7)
    }
  }

  @Test func theExtentIsNeverNegativeNorInfinite() {
    let wide = FakeInput(
      bounds: Size(width: 10, height: 1e308),
      contentInsets: Insets(top: -1e308, left: 8, bottom: -1e308, right: 8))
    wide.pass { pointer in
      #expect(Input(pointer).extent == Size(width: 0, height: .greatestFiniteMagnitude))
    }
  }
}
