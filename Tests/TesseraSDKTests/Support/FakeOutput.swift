import CTessera

@testable import TesseraSDK

final class FakeOutput {
  struct StoredRun {
    let run: tessera_run
    let alpha: UnsafeMutableBufferPointer<Double>
    let rows: UnsafePointer<tessera_rows>
  }

  private(set) var runs: [StoredRun] = []
  fileprivate(set) var contentSize = tessera_size(width: -1, height: -1)
  var rowLimit = Int.max
  /// Result of `add` while there is space.
  var answer = TESSERA_OK

  private(set) lazy var reference = lend(
    tessera_output(
      struct_size: UInt32(MemoryLayout<tessera_output>.size), reserved: 0,
      add: { output, run, rows in FakeOutput.at(output).add(run.pointee, rows) },
      run_count: { output in UInt64(FakeOutput.at(output).runs.count) },
      get: { output, index, run, rows in FakeOutput.at(output).get(index, run, rows) },
      set_content_size: { output, size in FakeOutput.at(output).contentSize = size },
      content_size: { output in FakeOutput.at(output).contentSize },
      leave: { _, _, _ in TESSERA_OK }), by: self)

  private func add(
    _ run: tessera_run, _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
  ) -> Status {
    let count = Int(run.count)
    guard count <= rowLimit else { return TESSERA_ERROR_NO_SPACE }
    guard answer == TESSERA_OK else { return answer }
    rowLimit -= count
    let frames = permanent(repeating: tessera_rect(), count: count)
    let alpha = permanent(repeating: 1.0, count: count)
    let stored = permanentTable(
      tessera_rows(
        struct_size: UInt32(MemoryLayout<tessera_rows>.size), reserved: 0, count: run.count,
        kept: 0, frame: frames.baseAddress!, transform: nil, alpha: alpha.baseAddress, z_index: nil,
        hidden: nil, attributes: permanentArray([UnsafeMutableRawPointer?.none])))
    runs.append(StoredRun(run: run, alpha: alpha, rows: stored))
    rows.pointee = stored
    return TESSERA_OK
  }

  private func get(
    _ index: UInt64, _ run: UnsafeMutablePointer<tessera_run>,
    _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
  ) -> Status {
    guard index < UInt64(runs.count) else { return TESSERA_ERROR_NOT_FOUND }
    run.pointee = runs[Int(index)].run
    rows.pointee = runs[Int(index)].rows
    return TESSERA_OK
  }

  private static func at(_ output: UnsafeMutablePointer<tessera_output>) -> FakeOutput {
    owner(of: output)
  }
}
