import CTessera
import Testing

@testable import TesseraSDK

private final class Stack: PreparingLayout {
  static let identity = EngineIdentity.example("Stack")
  static let columns: BuiltInColumns = .alpha

  @Parameter("Space.") var spacing = 1.0
  @Parameter("A side.") var side = Side.left
  @ItemValue("A height.") var height: Column<Double>
  @SectionValue("A flag.") var isFaint: Column<Bool>
  let header = Kind(.supplementary)
  let rule = Kind(.decoration)
  let marked = Attribute("Marked.", initial: false)
  let missing = Attribute("Only in adjust.", initial: 0.0, when: .adjusted)

  nonisolated(unsafe) static var columnCountsOutside: [Int] = []

  init() { Self.columnCountsOutside = [height.count, isFaint.count] }

  deinit { Self.columnCountsOutside += [height.count, isFaint.count] }

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    var y = 0.0
    for section in 0..<input.sectionCount {
      let items = input.items(inSection: section)
      try output.add(
        .elements(rule, inSection: section, items: 2..<3),
        frame: Rect(x: 0, y: y, width: spacing, height: 0))
      let heights = height[items]
      let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
      for row in 0..<rows.count {
        rows.frame[row] = Rect(x: Double(section), y: y, width: 10, height: heights[row])
        if isFaint[section] { rows.alpha[row] = 0.25 }
        rows[marked][row] = row == 1
        y += heights[row] + spacing
      }
      guard rows.zIndex.count == 0, rows[missing].count == 0, rows.transform.count == 0 else {
        throw .failed("a column that is not declared has rows")
      }
    }
    try output.setContentSize(Size(width: side == .right ? 20 : 10, height: y))
  }
}

@Suite(.serialized) struct PrepareTests {
  private let heights: [Double] = [1, 2, 3, 4, 5]
  private let flags: [UInt8] = [0, 0, 1]

  private func prepare(_ engine: EngineUnderTest, into output: FakeOutput) -> Status? {
    heights.withUnsafeBufferPointer { heights in
      flags.withUnsafeBufferPointer { flags in
        let input = FakeInput(
          counts: [2, 0, 3],
          parameters: [tessera_value(10.0), tessera_value(Side.right)],
          columns: [
            tessera_column(data: heights.baseAddress, stride: 8),
            tessera_column(data: flags.baseAddress, stride: 1),
          ])
        return engine.prepare(input, into: output)
      }
    }
  }

  @Test func rowsAreWrittenWhereTheHostWantsThem() {
    let (engine, output) = (EngineUnderTest(Stack.self), FakeOutput())
    #expect(prepare(engine, into: output) == TESSERA_OK)
    let cells = output.runs.indices.filter { output.runs[$0].run.category == TESSERA_CATEGORY_CELL }
    #expect(cells.map { output.runs[$0].run.section } == [0, 1, 2])
    #expect(cells.map { output.runs[$0].run.count } == [2, 0, 3])
    #expect(output.frames(ofRun: cells[1]) == [])
    #expect(
      cells.compactMap { output.frames(ofRun: $0) }.flatMap { $0 } == [
        Rect(x: 0, y: 0, width: 10, height: 1), Rect(x: 0, y: 11, width: 10, height: 2),
        Rect(x: 2, y: 23, width: 10, height: 3), Rect(x: 2, y: 36, width: 10, height: 4),
        Rect(x: 2, y: 50, width: 10, height: 5),
      ])
    #expect(Array(output.runs[cells[0]].alpha) == [1, 1])
    #expect(Array(output.runs[cells[2]].alpha) == [0.25, 0.25, 0.25])
    #expect(Array(output.runs[cells[2]].flags) == [0, 1, 0])
    #expect(output.contentSize.width == 20 && output.contentSize.height == 65)
  }

  @Test func kindsAreNumberedInTheOrderOfTheSource() {
    let (engine, output) = (EngineUnderTest(Stack.self), FakeOutput())
    #expect(prepare(engine, into: output) == TESSERA_OK)
    let rule = output.runs[0].run
    #expect(rule.category == TESSERA_CATEGORY_DECORATION && rule.kind == 1)
    #expect(rule.first_item == 2 && rule.count == 1)
    #expect(output.frames(ofRun: 0) == [Rect(x: 0, y: 0, width: 10, height: 0)])
  }

  @Test func columnsEndWithTheCall() {
    do {
      let (engine, output) = (EngineUnderTest(Stack.self), FakeOutput())
      #expect(Stack.columnCountsOutside == [0, 0])
      #expect(prepare(engine, into: output) == TESSERA_OK)
    }
    #expect(Stack.columnCountsOutside == [0, 0, 0, 0])
  }
}
