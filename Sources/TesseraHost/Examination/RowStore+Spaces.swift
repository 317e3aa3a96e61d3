// Rows behind each run that belong to nobody: filled with a pattern, and looked at when the engines'
// call has returned.
extension RowStore {
  private static let pattern: UInt8 = 0xA5

  /// Writes the pattern into every column of some rows.
  func fillSpace(_ rows: Range<Int>) {
    for (_, memory, stride) in columns {
      (memory.base + rows.lowerBound * stride).initializeMemory(
        as: UInt8.self, repeating: Self.pattern, count: rows.count * stride)
    }
  }

  /// The first write beside the rows of a run: "the frame of row 3 behind the 12 rows of run 0"; nil
  /// where there is none.
  var strayWrite: String? {
    for (number, run) in runs.enumerated() {
      let space = run.row + run.count..<min(run.row + run.count + spacing, capacity)
      for (name, memory, stride) in columns {
        let bytes = UnsafeRawBufferPointer(
          start: memory.base + space.lowerBound * stride, count: space.count * stride)
        guard let place = bytes.firstIndex(where: { $0 != Self.pattern }) else { continue }
        let row = place / stride + 1
        return "the \(name) of row \(row) behind the \(run.count) rows of run \(number)"
      }
    }
    return nil
  }
}
