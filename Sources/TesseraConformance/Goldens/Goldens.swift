import Foundation
import TesseraHost
import TesseraScenario

/// Layouts that were stored in a folder, to compare an engine with.
///
/// Each folder in it is a case: `scenario.json` is what is laid out, `expected.json` the layout as
/// the command prints it in JSON, `tolerance.txt`, where there is one, how far a number may be off.
public struct Goldens {
  /// How far a number may be off where a case does not say it, in points.
  public static let tolerance = 0.001

  /// The folder's path.
  public let folder: String

  /// The layouts stored in a folder.
  public init(folder: String) { self.folder = folder }

  /// Compares an engine with every stored layout.
  ///
  /// - Returns: A result for each case, by name; one that is of another engine is skipped.
  /// - Throws: `.notFound` where the folder holds no case or one without `expected.json`,
  ///   `.invalidInput` for a file that is not what it should be.
  public func compare(_ subject: CheckSubject) throws(HostError) -> [CaseResult] {
    var results: [CaseResult] = []
    for golden in try cases() {
      let start = ContinuousClock.now
      let verdict = try compare(golden, subject)
      results.append(
        CaseResult(
          examined: golden.examined, verdict: verdict, samples: verdict.finding == nil ? 1 : 0,
          duration: ContinuousClock.now - start))
    }
    return results
  }

  /// Stores the layout of every scenario in the folder.
  ///
  /// - Returns: A line for each case: that it is new, as it was, or what changed of it.
  /// - Throws: `.notFound` where the folder holds no case; what the engine refuses.
  public func record(_ subject: CheckSubject) throws(HostError) -> [String] {
    var lines: [String] = []
    for golden in try cases() {
      let (found, text) = try golden.layout(subject)
      let before = try golden.expected()
      if let before, let engine = before.engine, engine != found.document.engine {
        lines.append("\(golden.name): left as it is, a layout of \(engine)")
        continue
      }
      let differences = before?.differences(from: found.document)
      guard differences?.isEmpty != true else {
        lines.append("\(golden.name): as it was")
        continue
      }
      try golden.store(text)
      let elements = found.document.elements.count
      guard let differences else {
        lines.append("\(golden.name): stored, \(Self.counted(elements, "element"))")
        continue
      }
      lines.append("\(golden.name): changed in \(Self.counted(differences.count, "place"))")
      lines += differences.prefix(10).map { "  \($0)" }
      if differences.count > 10 { lines.append("  … and \(differences.count - 10) more") }
    }
    return lines
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private func cases() throws(HostError) -> [Golden] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let cases = names.sorted().map { Golden(name: $0, folder: "\(folder)/\($0)") }.filter {
      FileManager.default.fileExists(atPath: $0.scenarioPath)
    }
    guard !cases.isEmpty else {
      throw HostError(
        .notFound,
        "\(folder) holds no case; make a folder in it with a scenario.json for each layout to store"
      )
    }
    return cases
  }

  private func compare(_ golden: Golden, _ subject: CheckSubject) throws(HostError) -> Verdict {
    guard let expected = try golden.expected() else {
      throw HostError(
        .notFound, "\(golden.folder) has no expected.json; store it with --record-golden \(folder)")
    }
    let id = try subject.engine.description.id
    if let engine = expected.engine, engine != id {
      return .skipped("it is a layout of \(engine)")
    }
    let command = ["tessera", "check", subject.name] + subject.hostOptions + ["--golden", folder]
    var finding = Finding(
      sample: nil, expected: "", found: "", seed: 0,
      command: command.map(\.shellWord).joined(separator: " "),
      layoutCommand: "tessera layout \(subject.name.shellWord) --scenario "
        + golden.scenarioPath.shellWord)
    let found: Golden.Layout
    do throws(HostError) { found = try golden.layout(subject).layout } catch {
      (finding.expected, finding.found) = ("a layout", error.message)
      return .failed(finding)
    }
    let tolerance = try golden.tolerance()
    let differences = expected.differences(from: found.document, tolerance: tolerance)
    guard !differences.isEmpty else { return .passed }
    finding.expected = "the stored layout, to \(tolerance.shortText) points"
    let more = differences.count > 5 ? ["… and \(differences.count - 5) more"] : []
    finding.found = (differences.prefix(5) + more).joined(separator: "; ")
    finding.pictures = expected.image(viewport: found.image.viewport).map {
      Violation.Pictures(expected: $0, found: found.image)
    }
    return .failed(finding)
  }
}
