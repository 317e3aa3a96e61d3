import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraExamination
@testable import TesseraRuntime

/// A worker's report of an examination, whatever numbers it sends.
@Suite struct ExaminationReportTests {
  /// Every extreme in each integer of a report: it is rejected, or can be computed with.
  @Test func reportOfAnExaminationIsValidOrRejected() throws {
    let extremes: [UInt64] = [
      0, 1, 2, 63, 64, 4097, 1 << 31 - 1, 1 << 31, 1 << 32, 1 << 62, 1 << 63 - 1, 1 << 63, .max,
    ]
    var report = ExaminationReport()
    report.stages = [try ProcessFacts.now(after: "loading")]
    report.heapBytes = [1, 2]
    report.privateBytes = [3]
    report.images = [
      LayoutRows(
        contentSize: .zero, columnNames: ["alpha"],
        rows: [.init(identity: .cell(section: 1, item: 2), frame: .zero, columns: [3])])
    ]
    var writer = ByteWriter()
    writer.put(report)
    for offset in 0...writer.bytes.count - 8 {
      for number in extremes {
        var bytes = writer.bytes
        withUnsafeBytes(of: number) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
        var reader = ByteReader(bytes)
        guard let read = try? reader.read(ExaminationReport.self) else { continue }
        let sizes = read.heapBytes + read.privateBytes + read.stages.map(\.heapBytes)
        #expect(sizes.allSatisfy { abs($0) <= 1 << 47 })
        for row in read.images.flatMap(\.rows) {
          #expect(row.identity.section >= 0 && row.identity.item >= 0)
        }
      }
    }
  }
}
