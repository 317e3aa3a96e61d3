import CTessera
import Testing

@testable import TesseraSDK

/// Squares of ten points in a column, answered on demand; the visible ones fade.
private final class Squares: LazyLayout, AdjustingLayout, ReusableLayout {
  static let identity = EngineIdentity(
    id: "org.example.squares", name: "Squares", version: "1.0.0", author: "", license: "",
    summary: "")
  static let adjustedColumns: BuiltInColumns = .alpha

  @Parameter("A fade.") var fade = 0.5
  let header = Kind(.supplementary)
  private var width = 0.0

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    width = input.bounds.width
    try output.setContentSize(Size(width: 10, height: Double(input.itemCount) * 10))
  }

  func elementsInRect(_ rect: Rect, input: Input, into output: Output) throws(LayoutFailure) {
    let items = Int(rect.minY / 10)..<Int((rect.maxY / 10).rounded(.up))
    try output.add(.cells(inSection: 0, items: items)) { frames in
      for row in frames.indices {
        frames[row] = Rect(x: 0, y: Double(items.lowerBound + row) * 10, width: 10, height: 10)
      }
    }
  }

  func element(_ run: Run, input: Input, into output: Output) throws(LayoutFailure) {
    guard run.category == .cell, run.items.lowerBound < input.itemCount else { return }
    try output.add(
      run, frame: Rect(x: 0, y: Double(run.items.lowerBound) * 10, width: 10, height: 10))
  }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      guard !run.isKind(header) else { continue }
      for row in 0..<rows.count { rows.alpha[row] = fade }
    }
    try output.add(
      .elements(header, inSection: 0), frame: Rect(x: 0, y: rect.y, width: 10, height: 1))
  }

  func stillValid(_ input: Input) -> Bool { input.bounds.width == width }
}

@Suite struct AbilityTests {
  private let engine = EngineUnderTest(Squares.self)
  private let input = FakeInput(counts: [9], parameters: [tessera_value(0.75)])

  @Test func protocolsBecomeTraits() {
    #expect(engine.engine.traits == TESSERA_TRAIT_LAZY | TESSERA_TRAIT_VIEWPORT)
    #expect(engine.engine.still_valid != nil)
  }

  @Test func queriesOfALazyLayout() {
    let output = FakeOutput()
    let rect = tessera_rect(x: 0, y: 25, width: 100, height: 20)
    #expect(engine.elementsInRect(rect, input, into: output) == TESSERA_OK)
    #expect(output.runs[0].run.first_item == 2 && output.runs[0].run.count == 3)
    #expect(output.frames(ofRun: 0)?.map(\.y) == [20, 30, 40])
  }

  @Test func oneElementOfALazyLayout() {
    let output = FakeOutput()
    var run = tessera_run(
      category: TESSERA_CATEGORY_CELL, kind: 0, section: 0, reserved: 0, first_item: 8, count: 1)
    #expect(engine.element(run, input, into: output) == TESSERA_OK)
    #expect(output.frames(ofRun: 0)?.map(\.y) == [80])
    run.first_item = 9
    #expect(engine.element(run, input, into: output) == TESSERA_OK)
    #expect(output.runs.count == 1)
  }

  @Test func adjustChangesTheRowsOfAQuery() {
    let output = FakeOutput()
    let rect = tessera_rect(x: 0, y: 30, width: 100, height: 20)
    #expect(engine.elementsInRect(rect, input, into: output) == TESSERA_OK)
    #expect(engine.adjust(input, rect: rect, into: output) == TESSERA_OK)
    #expect(Array(output.runs[0].alpha) == [0.75, 0.75])
    #expect(output.runs[1].run.category == TESSERA_CATEGORY_SUPPLEMENTARY)
    #expect(output.frames(ofRun: 1) == [Rect(x: 0, y: 30, width: 10, height: 1)])
  }

  @Test func newBoundsAreAskedAbout() {
    #expect(engine.prepare(input, into: FakeOutput()) == TESSERA_OK)
    var other = input
    other.bounds.height = 1
    #expect(engine.stillValid(other) == 1)
    other.bounds.width = 1
    #expect(engine.stillValid(other) == 0)
  }
}
