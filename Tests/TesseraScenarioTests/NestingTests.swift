import Dispatch
import Testing

@testable import TesseraScenario

/// The deepest JSON and expression, on the smallest thread stack.
@Suite struct NestingTests {
  @Test(arguments: [("[", "", "]"), (#"{"a":"#, "1", "}")])
  func deepestJSONFitsTheSmallestStack(open: String, middle: String, close: String) {
    let depth = JSON.deepestNesting
    let text =
      String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
    nonisolated(unsafe) var (line, indented, areEqual) = ("", "", false)
    onSmallestStack {
      let all = try? (0..<2).map { _ in try JSON(parsing: Array(text.utf8), name: "it") }
      guard let json = all?[0] else { return }
      (line, indented) = (json.line, json.text)
      areEqual = json == all?[1] && json.hashValue == all?[1].hashValue
    }
    #expect(areEqual && line == text && indented.filter { !$0.isWhitespace } == text)
  }

  @Test func deepestExpressionFitsTheSmallestStack() {
    nonisolated(unsafe) var value: Double?
    let depth = Expression.maximumDepth - 1
    let text = String(repeating: "(", count: depth) + "7" + String(repeating: ")", count: depth)
    onSmallestStack {
      value = try? Expression(text, scope: .layout).value(in: ExpressionEnvironment())
    }
    #expect(value == 7)
  }

  private func onSmallestStack(_ work: @escaping @Sendable () -> Void) {
    let end = DispatchSemaphore(value: 0)
    detachThread {
      work()
      end.signal()
    }
    end.wait()
  }
}
