import Glibc
import TesseraHost

// attack-engine LIBRARY ATTEMPTS: asks the engine of a library for a layout again and again, each time in
// a new session, and prints how often it laid out, was stopped, or got what it must not have.

/// What came back from one attempt.
enum Outcome: String, CaseIterable {
  /// The attack had no effect: the layout is correct.
  case laidOut = "laid out"
  /// The engine's process was stopped.
  case stopped
  /// The engine reported that its attack worked, the layout is wrong, or nothing was tried.
  case won
}

/// One attempt: an honest engine of this kind lays out six rows, each 50 points high.
func attempt(_ library: String) -> (Outcome, String) {
  var configuration = HostConfiguration()
  configuration.refusalTime = 0
  configuration.limits.secondsPerCall = 5
  configuration.limits.memory = 48 << 20
  let host = Host(searchPath: SearchPath(folders: []), configuration: configuration)
  do throws(HostError) {
    let session = try Session(host.engine(library))
    try session.setSections([6])
    let elements = try session.elements()
    return elements.count == 6 ? (.laidOut, "") : (.won, "\(elements.count) elements")
  } catch {
    return (error.kind == .died ? .stopped : .won, error.message)
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let attempts = Int(arguments[2]), attempts > 0 else {
  print("attack-engine LIBRARY ATTEMPTS: see Tools/attack --help")
  exit(64)
}
var counts: [Outcome: Int] = [:]
var sentence = ""
for _ in 0..<attempts {
  let (outcome, message) = attempt(arguments[1])
  counts[outcome, default: 0] += 1
  if outcome == .won || sentence.isEmpty { sentence = message }
}
print(Outcome.allCases.map { "\(counts[$0] ?? 0)" }.joined(separator: " "), sentence)
