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

  /// The first write beside the rows of a run, in the half of the space that lies at an end of it: "the
  /// frame of row 1 behind the 12 rows of run 0"; nil where there is none.
  func strayWrite(at side: Examination.Side) -> String? {
    let half = spacing / 2
    for (number, run) in runs.enumerated() {
      let end = run.row + run.count
      let (space, place) =
        side == .end
        ? (end..<min(end + half, capacity), "behind")
        : (max(run.row - half, 0)..<run.row, "before")
      for (name, memory, stride) in columns {
        let bytes = UnsafeRawBufferPointer(
          start: memory.base + space.lowerBound * stride, count: space.count * stride)
        guard let byte = bytes.firstIndex(where: { $0 != Self.pattern }) else { continue }
        let row = side == .end ? byte / stride + 1 : space.count - byte / stride
        return "the \(name) of row \(row) \(place) the \(run.count) rows of run \(number)"
      }
    }
    return nil
  }
}
