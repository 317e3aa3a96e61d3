import CTessera
import Testing

@testable import TesseraSDK

private final class Stack: PreparingLayout {
  static let identity = EngineIdentity.example("Stack")
  static let columns: BuiltInColumns = .alpha

  @ItemValue("A height.") var height: Column<Double>
  let missing = Attribute("Only in adjust.", initial: 0.0, when: .adjusted)

  nonisolated(unsafe) static var columnCountsOutside: [Int] = []

  init() { Self.columnCountsOutside = [height.count] }

  deinit { Self.columnCountsOutside.append(height.count) }

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let rows = try output.add(.cells(inSection: 0, items: 0..<height.count))
    guard rows.zIndex.count == 0, rows[missing].count == 0, rows.transform.count == 0 else {
      throw .failed("a column that is not declared has rows")
    }
    for row in 0..<rows.count { rows.alpha[row] = height[row] }
  }
}

@Suite struct PrepareTests {
  @Test func columnsEndWithTheCall() {
    let (heights, output) = ([0.5, 0.25], FakeOutput())
    heights.withUnsafeBufferPointer { heights in
      let engine = EngineUnderTest(Stack.self)
      #expect(Stack.columnCountsOutside == [0])
      let input = FakeInput(
        counts: [2], columns: [tessera_column(data: heights.baseAddress, stride: 8)])
      #expect(engine.prepare(input, into: output) == TESSERA_OK)
    }
    #expect(output.runs.map { Array($0.alpha) } == [heights])
    #expect(Stack.columnCountsOutside == [0, 0])
  }
}
