import CTessera

@testable import TesseraSDK

final class FakeOutput {
  struct StoredRun {
    let run: tessera_run
    let frames: UnsafeMutableBufferPointer<Rect>
    let alpha: UnsafeMutableBufferPointer<Double>
    let flags: UnsafeMutableBufferPointer<UInt8>
    let attributes: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    let rows: UnsafeMutablePointer<tessera_rows>
  }

  private(set) var runs: [StoredRun] = []
  fileprivate(set) var contentSize = tessera_size(width: -1, height: -1)
  var rowLimit = Int.max
  /// Result of `add` while there is space.
  var answer = TESSERA_OK

  static let guardFrame = Rect(x: 12345, y: 12345, width: 12345, height: 12345)

  private struct Record {
    var output: tessera_output
    let owner: Unmanaged<FakeOutput>
  }
  private let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)

  init() {
    record.initialize(
      to: Record(
        output: tessera_output(
          struct_size: UInt32(MemoryLayout<tessera_output>.size), reserved: 0,
          add: { output, run, rows in FakeOutput.at(output).add(run.pointee, rows) },
          run_count: { output in UInt64(FakeOutput.at(output).runs.count) },
          get: { output, index, run, rows in FakeOutput.at(output).get(index, run, rows) },
          set_content_size: { output, size in FakeOutput.at(output).contentSize = size },
          content_size: { output in FakeOutput.at(output).contentSize },
          leave: { _, _, _ in TESSERA_OK }),
        owner: Unmanaged.passUnretained(self)))
  }

  deinit {
    for run in runs {
      run.frames.deallocate()
      run.alpha.deallocate()
      run.flags.deallocate()
      run.attributes.deallocate()
      run.rows.deallocate()
    }
    record.deallocate()
  }

  var reference: UnsafeMutablePointer<tessera_output> {
    UnsafeMutableRawPointer(record).assumingMemoryBound(to: tessera_output.self)
  }

  func frames(ofRun index: Int) -> [Rect]? {
    let frames = runs[index].frames
    guard frames.first == Self.guardFrame, frames.last == Self.guardFrame else { return nil }
    return Array(frames.dropFirst().dropLast())
  }

  private func add(
    _ run: tessera_run, _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
  ) -> Status {
    let count = Int(run.count)
    guard count <= rowLimit else { return TESSERA_ERROR_NO_SPACE }
    guard answer == TESSERA_OK else { return answer }
    rowLimit -= count
    let frames = UnsafeMutableBufferPointer<Rect>.allocate(capacity: count + 2)
    frames.initialize(repeating: Self.guardFrame)
    let alpha = UnsafeMutableBufferPointer<Double>.allocate(capacity: count)
    alpha.initialize(repeating: 1)
    let flags = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    flags.initialize(repeating: 0)
    let attributes = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 2)
    attributes.initialize(to: UnsafeMutableRawPointer(flags.baseAddress))
    (attributes + 1).initialize(to: nil)
    let stored = UnsafeMutablePointer<tessera_rows>.allocate(capacity: 1)
    stored.initialize(
      to: tessera_rows(
        struct_size: UInt32(MemoryLayout<tessera_rows>.size), reserved: 0, count: run.count,
        kept: 0,
        frame: UnsafeMutableRawPointer(frames.baseAddress! + 1)
          .assumingMemoryBound(to: tessera_rect.self),
        transform: nil, alpha: alpha.baseAddress, z_index: nil, hidden: nil,
        attributes: UnsafePointer(attributes)))
    runs.append(
      StoredRun(
        run: run, frames: frames, alpha: alpha, flags: flags, attributes: attributes, rows: stored))
    rows.pointee = UnsafePointer(stored)
    return TESSERA_OK
  }

  private func get(
    _ index: UInt64, _ run: UnsafeMutablePointer<tessera_run>,
    _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
  ) -> Status {
    guard index < UInt64(runs.count) else { return TESSERA_ERROR_NOT_FOUND }
    run.pointee = runs[Int(index)].run
    rows.pointee = UnsafePointer(runs[Int(index)].rows)
    return TESSERA_OK
  }

  private static func at(_ output: UnsafeMutablePointer<tessera_output>) -> FakeOutput {
    UnsafeRawPointer(output).assumingMemoryBound(to: Record.self)
      .pointee.owner.takeUnretainedValue()
  }
}
