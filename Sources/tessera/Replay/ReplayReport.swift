import TesseraHost
import TesseraScenario

/// What a replay came to, for people and for programs.
struct ReplayReport {
  let recording: Recording
  let work: ReplayWork
  let difference: Recording.Difference?

  init(_ recording: Recording, _ work: ReplayWork, _ difference: Recording.Difference?) {
    (self.recording, self.work, self.difference) = (recording, work, difference)
  }

  private var calls: Int { recording.entries.count }

  var text: String {
    let engine = work.engine.description
    guard let difference else {
      return "\(engine.id) \(engine.version): \(calls) \(calls == 1 ? "call" : "calls"), "
        + "answered as recorded\n"
    }
    let finding = difference.finding
    let subject = [finding.element, finding.what].compactMap { $0 }.joined(separator: ": ")
    return """
      \(engine.id) \(engine.version) differs at call \(difference.call) of \(calls)
        call      \(difference.text)
      \(subject.isEmpty ? "" : "  of        \(subject)\n")  expected  \(finding.expected)
        found     \(finding.found)

      """
  }

  var json: JSON {
    let engine = work.engine.description
    var members: [(name: String, value: JSON)] = [
      ("engine", .text(engine.id)), ("version", .text(engine.version)), ("calls", .integer(calls)),
      ("isRecordedLibrary", .bool(work.digest == recording.header.digest)),
      ("equal", .bool(difference == nil)),
    ]
    if let difference {
      members.append(
        (
          "difference",
          .object([
            ("call", .integer(difference.call)), ("text", .text(difference.text)),
            ("element", .optional(difference.finding.element)),
            ("of", .optional(difference.finding.what)),
            ("expected", .text(difference.finding.expected)),
            ("found", .text(difference.finding.found)),
          ])
        ))
    }
    return .object(members)
  }
}
