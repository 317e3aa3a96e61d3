import Foundation
import TesseraConformance
import TesseraHost
import TesseraScenario

/// The failures of a report as recordings.
struct FindingRecordings {
  let report: ConformanceReport
  let subject: CheckSubject

  /// Writes CASE.jsonl into a folder, which is made where it is missing, for each case of the
  /// catalogue that failed or crashed: its smallest input, laid out, and the case itself.
  func write(to folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        .cannotCreate, "cannot make the folder \(folder): \(error.localizedDescription)")
    }
    let known = Set(try Catalogue.cases(upTo: .thorough, matching: []).map(\.id))
    for result in report.results where known.contains(result.examined.id) {
      switch result.verdict {
      case .failed(let finding), .crashed(let finding):
        let recorder = SessionRecorder(Recording.Header(subject))
        if let sample = finding.sample {
          for call in sample.calls + [.contentSize, .elements(in: nil), .close] {
            recorder.note(call)
          }
        }
        recorder.noteRule(SuiteCall(result, level: report.level, seed: finding.seed))
        try OutputFile.write(to: "\(folder)/\(result.examined.id).jsonl") { file in
          try recorder.bytes.withUnsafeBytes { try file.write($0) }
        }
      case .passed, .warning, .skipped: break
      }
    }
  }
}
