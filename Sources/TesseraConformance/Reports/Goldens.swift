import FoundationEssentials
import Glibc
import TesseraGeometry
import TesseraHost
import TesseraScenario

/// Stored layouts to compare with an engine's output.
///
/// Each subfolder is a case: `scenario.json` (input), `expected.json` (output of the command) and
/// optionally `tolerance.txt`.
public struct Goldens {
  /// In points.
  public static let tolerance = 0.001

  /// The folder's path.
  public let folder: String
  private let remedy: String

  /// Opens a folder; `remedy` is shown for a case without `expected.json`.
  public init(folder: String, remedy: String? = nil) {
    self.folder = folder
    self.remedy = remedy ?? "record the layouts of \(folder) first"
  }

  /// Whether a pattern is `golden` or begins with `golden-`.
  public static func isMeant(by pattern: String) -> Bool {
    pattern == CaseCategory.golden.rawValue || pattern.hasPrefix("golden-")
  }

  /// Compares an engine with every stored layout, and skips other engines' layouts.
  ///
  /// - Throws: `.notFound` without cases or `expected.json`; `.invalidInput` for an invalid file.
  public func compare(
    _ subject: CheckSubject, matching patterns: [String] = []
  ) throws(HostError) -> [CaseResult] {
    let all = try cases()
    for pattern in patterns where !all.contains(where: { $0.examined.matches(pattern) }) {
      let names = all.map(\.examined.id)
      throw HostError(
        .unknownName,
        "no layout of \(folder) matches \"\(pattern)\"; "
          + suggestedName(for: pattern, among: names))
    }
    var results: [CaseResult] = []
    for golden in all
    where patterns.isEmpty || patterns.contains(where: { golden.examined.matches($0) }) {
      let start = ContinuousClock.now
      let verdict = try compare(golden, subject)
      results.append(
        CaseResult(
          examined: golden.examined, verdict: verdict, samples: verdict.finding == nil ? 1 : 0,
          duration: ContinuousClock.now - start))
    }
    return results
  }

  /// Stores the layout of every scenario; returns a line for each case with its changes.
  ///
  /// - Throws: `.notFound` without cases; the engine's refusals.
  public func record(_ subject: CheckSubject) throws(HostError) -> [String] {
    var lines: [String] = []
    for golden in try cases() {
      let found = try golden.layout(subject)
      let before = try golden.expected()
      if let before, let engine = before.engine, engine != found.document.engine {
        lines.append("\(golden.name): skipped, since it is a layout of \(engine)")
        continue
      }
      let differences = before?.differences(from: found.document)
      guard differences?.isEmpty != true else {
        lines.append("\(golden.name): unchanged")
        continue
      }
      try golden.store(found.text)
      let elements = found.document.elements.count
      guard let differences else {
        lines.append("\(golden.name): stored, \(counted(elements, "element"))")
        continue
      }
      lines.append("\(golden.name): changed in \(counted(differences.count, "place"))")
      lines += differences.prefix(10).map { "  \($0)" }
      if differences.count > 10 { lines.append("  … and \(differences.count - 10) more") }
    }
    return lines
  }

  private func cases() throws(HostError) -> [Golden] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let cases = names.sorted().map { Golden(name: $0, folder: "\(folder)/\($0)") }.filter {
      FileManager.default.fileExists(atPath: $0.scenarioPath)
    }
    guard !cases.isEmpty else {
      throw HostError(
        .fileNotFound,
        "\(folder) contains no case; create a folder in it with a scenario.json for each layout to "
          + "store")
    }
    return cases
  }

  private func compare(_ golden: Golden, _ subject: CheckSubject) throws(HostError) -> Verdict {
    guard let expected = try golden.expected() else {
      throw HostError(.fileNotFound, "\(golden.folder) has no expected.json; \(remedy)")
    }
    let id = try subject.engine.description.id
    if let engine = expected.engine, engine != id { return .skipped("it is a layout of \(engine)") }
    let command =
      ["tessera", "check", subject.name] + subject.hostOptions
      + ["--golden", folder, "--filter", golden.examined.id]
    var finding = Finding(
      sample: nil, expected: "", found: "", seed: 0,
      command: command.map(\.shellWord).joined(separator: " "),
      layoutCommand: (["tessera", "layout", subject.name] + subject.hostOptions
        + ["--scenario", golden.scenarioPath]).map(\.shellWord).joined(separator: " "))
    let found: (document: LayoutDocument, image: LayoutImage, text: [UInt8])
    do throws(HostError) { found = try golden.layout(subject) } catch {
      (finding.expected, finding.found) = ("a layout", error.message)
      (finding.error, finding.cause) = (error, error.death?.sentence ?? error.message)
      return .failed(finding)
    }
    let tolerance = try golden.tolerance()
    let differences = expected.differences(from: found.document, tolerance: tolerance)
    guard !differences.isEmpty else { return .passed }
    finding.expected = "the stored layout, within \(tolerance.shortText) points"
    let more = differences.count > 5 ? ["… and \(differences.count - 5) more"] : []
    finding.found = (differences.prefix(5).map(\.description) + more).joined(separator: "; ")
    finding.pictures = expected.image(viewport: found.image.viewport).map {
      (expected: $0, found: found.image)
    }
    return .failed(finding)
  }
}

struct Golden {
  let name: String
  let folder: String

  var scenarioPath: String { "\(folder)/scenario.json" }
  private var expectedPath: String { "\(folder)/expected.json" }

  var examined: ConformanceCase {
    ConformanceCase(
      "golden-\(name)", .golden, .quick,
      rule: "The layout equals the one that is stored in \(folder)",
      why: "Users of the engine see that their layouts changed",
      remedy: "Fix the engine, or store the layout again if the change is intended",
      examine: { _ in })
  }

  func expected() throws(HostError) -> LayoutDocument? {
    guard access(expectedPath, F_OK) == 0 else { return nil }
    return try LayoutDocument(parsing: try expectedPath.inputBytes(), name: expectedPath)
  }

  func tolerance() throws(HostError) -> Double {
    let path = "\(folder)/tolerance.txt"
    guard access(path, F_OK) == 0 else { return Goldens.tolerance }
    let text = String(decoding: try path.inputBytes(), as: UTF8.self).trimmed
    guard let number = Double(text), number >= 0, number.isFinite else {
      throw HostError(.invalidValue, "\(path) contains \"\(text)\"; expected one number of points")
    }
    return number
  }

  func layout(
    _ subject: CheckSubject
  ) throws(HostError) -> (document: LayoutDocument, image: LayoutImage, text: [UInt8]) {
    let engine = try subject.engine
    let session = try Session(engine)
    let scenario = try Scenario(contentsOf: scenarioPath)
    try scenario.apply(to: session)
    let elements = try scenario.rect.map { rect throws(HostError) in try session.elements(in: rect)
    }
    let all = if let elements { elements } else { try session.elements() }
    let size = try session.contentSize()
    let document = LayoutDocument(
      engine: engine.description.id, contentSize: size, elements: all, attributes: all.attributes)
    var text: [UInt8] = []
    LayoutWriter(engine: engine.description.id, contentSize: size, attributes: all.attributes)
      .write(all, as: .json) { text += $0 }
    return (document, try LayoutImage(session, all), text)
  }

  /// Writes atomically.
  func store(_ text: [UInt8]) throws(HostError) {
    do { try Data(text).write(to: URL(fileURLWithPath: expectedPath), options: .atomic) } catch {
      throw HostError(.invalidValue, "\(expectedPath) cannot be written: \(error.systemReason)")
    }
  }
}

extension LayoutDocument {
  func image(viewport: Rect) -> LayoutImage? {
    guard contentSize.count == 2, let width = contentSize[0], let height = contentSize[1] else {
      return nil
    }
    var drawn: [Element] = []
    for entry in elements {
      let frame = entry.frame.compactMap(\.self)
      guard frame.count == 4 else { return nil }
      drawn.append(
        Element(
          identity: entry.identity,
          frame: Rect(x: frame[0], y: frame[1], width: frame[2], height: frame[3]),
          transform: Transform(elements: entry.transform) ?? .identity, alpha: entry.alpha,
          zIndex: entry.zIndex, isHidden: entry.isHidden))
    }
    return LayoutImage(
      contentSize: Size(width: width, height: height), elements: drawn, viewport: viewport)
  }
}
