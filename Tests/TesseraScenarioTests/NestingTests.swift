import Dispatch
import Glibc
import Testing

@testable import TesseraCatalog
@testable import TesseraScenario
@testable import TesseraWorker

/// The deepest JSON and the deepest expression, on the smallest stack of the command's threads.
@Suite struct NestingTests {
  @Test(arguments: [
    String(repeating: "[", count: JSON.deepestNesting)
      + String(repeating: "]", count: JSON.deepestNesting),
    String(repeating: #"{"a":"#, count: JSON.deepestNesting) + "1"
      + String(repeating: "}", count: JSON.deepestNesting),
  ])
  func deepestJSONFitsTheSmallestStack(text: String) throws {
    let bytes = Array(text.utf8)
    nonisolated(unsafe) var (json, other) = (JSON.null, JSON.null)
    nonisolated(unsafe) var (line, indented, areEqual) = ("", "", false)
    let works: [(String, @Sendable () -> Void)] = [
      ("reading", { json = (try? JSON(parsing: bytes, name: "it")) ?? .null }),
      ("reading again", { other = (try? JSON(parsing: bytes, name: "it")) ?? .null }),
      ("writing", { line = json.line }), ("indenting", { indented = json.text }),
      ("comparing", { areEqual = json == other && json.hashValue == other.hashValue }),
      ("freeing", { (json, other) = (.null, .null) }),
    ]
    for (name, work) in works {
      let used = Self.stackUsed(by: work)
      #expect(used < JSON.deepestNesting * JSON.stackPerLevel, "\(name) takes \(used) bytes")
    }
    #expect(areEqual && line == text && indented.filter { !$0.isWhitespace } == text)
  }

  /// The bytes of stack that work touches on a thread as the command starts them.
  private static func stackUsed(by work: @escaping @Sendable () -> Void) -> Int {
    nonisolated(unsafe) var used = 0
    let end = DispatchSemaphore(value: 0)
    detachThread {
      var here = 0
      let top = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } & ~4095
      // The stack has been another thread's; its top and its end are left alone.
      let size = leastStack - 256 << 10
      let base = UnsafeMutableRawPointer(bitPattern: top - UInt(size))!
      madvise(base, size - 64 << 10, MADV_DONTNEED)
      work()
      var pages = [UInt8](repeating: 0, count: size / 4096)
      mincore(base, size, &pages)
      used = (pages.count - (pages.firstIndex { $0 & 1 == 1 } ?? pages.count)) * 4096
      end.signal()
    }
    end.wait()
    return used
  }

  @Test func deepestExpressionFitsTheSmallestStack() {
    nonisolated(unsafe) var value: Double?
    let depth = Expression.maximumDepth - 1
    let text = String(repeating: "(", count: depth) + "7" + String(repeating: ")", count: depth)
    let used = Self.stackUsed {
      value = try? Expression(text, scope: .layout).value(in: ExpressionEnvironment())
    }
    #expect(value == 7 && used < leastStack / 2, "\(used) bytes")
  }
}
