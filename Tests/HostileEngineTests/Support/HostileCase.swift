import TesseraHost
import Testing

struct HostileCase: Sendable, CustomTestStringConvertible {
  /// The call under attack, named as in `hostile.h`.
  enum Place: String, CaseIterable, Sendable {
    case load, registration, create, prepare, filled, adjust, query, published, snapping, destroy

    var call: String {
      switch self {
      case .load: "loading"
      case .registration: "its registration"
      case .filled: "prepare"
      case .query: "elements_in_rect"
      case .published: "attack"
      case .snapping: "resting_offset"
      default: rawValue
      }
    }
  }

  enum Question: Sendable { case layout, call, snap, update }

  let source: String
  var place: Place?
  var flags: [String] = []
  /// Suffix of the engine's id, if there are several.
  var engine: String?
  var isOnPath = false
  var arguments: [String] = []
  let question: Question
  /// Acceptable outcomes; several if protections race.
  let ends: [HostileEnd]
  var seconds = 30.0
  /// Needs limits that the command cannot set.
  var isForEmbedding = false

  init(
    _ source: String, in place: Place? = nil, flags: [String] = [], engine: String? = nil,
    isOnPath: Bool = false, arguments: [String] = [], question: Question? = nil,
    seconds: Double = 30, isForEmbedding: Bool = false, _ ends: HostileEnd...
  ) {
    self.source = source
    self.place = place
    self.flags = flags
    self.engine = engine
    self.isOnPath = isOnPath
    self.arguments = arguments
    self.question = question ?? (place == .published ? .call : place == .snapping ? .snap : .layout)
    self.ends = ends.map { $0.called((place ?? .prepare).call) }
    self.seconds = seconds
    self.isForEmbedding = isForEmbedding
  }

  var mayHang: Bool { ends.contains(where: \.isHang) }

  /// Process limits, low if the attack must reach them.
  var limits: WorkerLimits {
    var limits = WorkerLimits()
    if mayHang { limits.secondsPerCall = 0.8 }
    if isForEmbedding {
      limits.secondsPerCall = 3
      limits.memory = 128 << 20
    }
    return limits
  }

  /// nil if it attacks before it has an id.
  var id: String? {
    switch place {
    case .load, .registration: nil
    default: "org.example.hostile.\(engine ?? source)"
    }
  }

  var testDescription: String {
    ([source] + [place?.rawValue].compactMap { $0 } + flags).joined(separator: " ")
  }
}

/// Expected outcome: exit status and message.
struct HostileEnd: Sendable {
  let words: String
  /// Exit status; 0 if the attack had no effect.
  let status: Int32
  var sentence: [String] = []
  var namesCall = false
  /// The named call, if it differs from the attacked one.
  var call: String?
  /// Standard error may contain other output.
  var mayTalk = false
  var isHang = false
  var isAnonymous = false

  static let lays = HostileEnd(words: "lays out correctly", status: 0)
  static let laysAndTalks = HostileEnd(
    words: "lays out correctly, with a message", status: 0, mayTalk: true)

  static func refused(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "refused by the engine", status: 69, sentence: sentence)
  }

  static func broken(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "breaks the contract", status: 70, sentence: sentence)
  }

  private static func ended(
    _ words: String, _ sentence: String..., in call: String? = nil, isHang: Bool = false
  ) -> HostileEnd {
    HostileEnd(
      words: words, status: 70, sentence: sentence, namesCall: true, call: call, isHang: isHang)
  }

  static func dies(_ signal: String, in call: String? = nil) -> HostileEnd {
    ended("crashes", signal, in: call)
  }

  static let exits = ended("exits", "ended its process", "exit status 0")

  static func forbidden(_ name: String?) -> HostileEnd {
    ended(
      "killed for a forbidden system call",
      name.map { "the system call \($0) in" } ?? "made a system call in", "must not make")
  }

  static func called(_ function: String) -> HostileEnd {
    ended("killed for a forbidden system call", "called \(function) in", "must not call")
  }

  /// Ended by the deadline, 0.8 s in tests.
  static func hangs(in call: String? = nil) -> HostileEnd {
    ended("stopped by the deadline", "did not return from", "within 0.8 s", in: call, isHang: true)
  }

  static func usesMemory(_ size: String = "128 MiB") -> HostileEnd {
    ended("stopped by its limits", "used more than its limit of \(size) of memory", "was stopped")
  }
  static let startsThreads = ended("stopped by its limits", "started more than 256 threads")
  /// At the memory limit when the deadline passes.
  static let takesAllMemory = ended(
    "stopped by its limits", "reached its limit of 128 MiB of memory", "within 3 s", isHang: true)

  static func unloadable(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not loaded", status: 76, sentence: sentence)
  }

  static func missing(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not found", status: 66, sentence: sentence, isAnonymous: true)
  }

  fileprivate func called(_ call: String) -> HostileEnd {
    var end = self
    if namesCall { end.sentence.append(self.call ?? call) }
    return end
  }

  func missing(in text: String) -> [String] { sentence.filter { !text.contains($0) } }
}
