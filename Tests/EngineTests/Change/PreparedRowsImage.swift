import TesseraGeometry
import TestSupport

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// A prepared layout, bit by bit: which elements the rows describe, their frames and z indexes.
struct PreparedRowsImage: Equatable {
  let content: [UInt64]
  let runs: [[UInt64]]
  let frames: [UInt64]
  let zIndexes: [Int32]

  init(_ session: Session) throws {
    let size = try session.contentSize()
    let store = session.runner.prepared
    content = [size.width.bitPattern, size.height.bitPattern]
    runs = store.runs.map {
      [
        UInt64($0.category.rawValue), UInt64($0.kind), UInt64($0.section), $0.firstItem,
        UInt64($0.count), UInt64($0.row),
      ]
    }
    let words = UnsafeRawPointer(store.frames).assumingMemoryBound(to: UInt64.self)
    frames = Array(UnsafeBufferPointer(start: words, count: store.rowCount * 4))
    zIndexes =
      store.zIndexes.map { Array(UnsafeBufferPointer(start: $0, count: store.rowCount)) } ?? []
  }
}

/// Marks the rows of a session, so that those that a prepare leaves alone can be told.
enum RowMark {
  private static let distance = 0x1p60

  /// Moves every row aside, where no engine looks for it.
  static func set(_ session: Session) throws {
    _ = try session.contentSize()
    let store = session.runner.prepared
    for row in 0..<store.rowCount { store.frames[row].x = distance }
  }

  /// How many rows the next prepare writes.
  static func countOfRedone(_ session: Session) throws -> Int {
    _ = try session.contentSize()
    let store = session.runner.prepared
    return (0..<store.rowCount).count { store.frames[$0].x != distance }
  }
}
