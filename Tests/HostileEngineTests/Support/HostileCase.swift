import TesseraHost
import Testing

/// A hostile engine, what it is asked, and the expected outcome.
struct HostileCase: Sendable, CustomTestStringConvertible {
  /// The call that an attack happens in, as `hostile.h` names it.
  enum Place: String, CaseIterable, Sendable {
    case load, registration, create, prepare, filled, adjust, query, published, snapping, destroy

    /// The call in messages.
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

  /// A layout of six items; the published function `attack`; where a scroll rests; a layout of six items, then
  /// one of seven in the same session.
  enum Question: Sendable { case layout, call, snap, update }

  /// The name of an attack or of a file in Tests/HostileEngines.
  let source: String
  /// Where it attacks; nil if the file decides that.
  var place: Place?
  /// Additional compiler flags.
  var flags: [String] = []
  /// Which engine of several, by its id's end.
  var engine: String?
  /// Whether the library lies on the search path, for bases that are looked for there.
  var isOnPath = false
  /// More options of the command, for what an attack needs.
  var arguments: [String] = []
  let question: Question
  /// The acceptable outcomes; several if it depends on which protection is met first.
  let ends: [HostileEnd]
  /// The most that the command may take, in seconds.
  var seconds = 30.0
  /// Whether it needs limits that the command cannot set.
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

  /// Whether the engine may keep the host waiting until the deadline.
  var mayHang: Bool { ends.contains(where: \.isHang) }

  /// The limits of its process, low where it is to reach them.
  var limits: WorkerLimits {
    var limits = WorkerLimits()
    if mayHang { limits.secondsPerCall = 0.8 }
    if isForEmbedding {
      limits.secondsPerCall = 3
      limits.memory = 128 << 20
    }
    return limits
  }

  /// The engine's id, where it has one by the time that it attacks.
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

/// The outcome of a query to a hostile engine: the command's exit status and its message.
struct HostileEnd: Sendable {
  let words: String
  /// The exit status of the command: 0 if the attack had no effect.
  let status: Int32
  /// Texts that the message on standard error contains.
  var sentence: [String] = []
  /// Whether the message also names the call.
  var namesCall = false
  /// The call that the message names, if it is not that of the attack.
  var call: String?
  /// The items laid out, if the status is 0; nil for all of them.
  var items: [Int]?
  /// Whether standard error may contain output of the engine, or a message despite success.
  var mayTalk = false
  /// Whether the deadline ends the call.
  var isHang = false
  /// Whether the message need not name the engine or its library.
  var isAnonymous = false

  static let lays = HostileEnd(words: "lays out correctly", status: 0)
  static let laysAndTalks = HostileEnd(
    words: "lays out correctly, with a message", status: 0, mayTalk: true)
  static let laysNothing = HostileEnd(
    words: "lays out nothing, with messages", status: 0, items: [], mayTalk: true)

  static func lays(only items: [Int]) -> HostileEnd {
    HostileEnd(words: "lays out some items", status: 0, items: items)
  }

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

  /// A forbidden system call kills the process; nil if it is unknown which.
  static func forbidden(_ name: String?) -> HostileEnd {
    ended(
      "killed for a forbidden system call",
      name.map { "the system call \($0) in" } ?? "made a system call in", "must not make")
  }

  /// A function that makes a forbidden system call with every signal blocked kills the process.
  static func called(_ function: String) -> HostileEnd {
    ended("killed for a forbidden system call", "called \(function) in", "must not call")
  }

  /// The deadline, which the tests set to 0.8 s, ends the call.
  static func hangs(in call: String? = nil) -> HostileEnd {
    ended("stopped by the deadline", "did not return from", "within 0.8 s", in: call, isHang: true)
  }

  static func usesMemory(_ size: String = "128 MiB") -> HostileEnd {
    ended("stopped by its limits", "used more than its limit of \(size) of memory", "was stopped")
  }
  static let startsThreads = ended("stopped by its limits", "started more than 256 threads")
  /// The process is at its memory limit when the deadline passes.
  static let takesAllMemory = ended(
    "stopped by its limits", "reached its limit of 128 MiB of memory", "within 3 s", isHang: true)

  static func unloadable(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not loaded", status: 76, sentence: sentence)
  }

  static func missing(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not found", status: 66, sentence: sentence, isAnonymous: true)
  }

  /// The same end, of an attack in a call.
  fileprivate func called(_ call: String) -> HostileEnd {
    var end = self
    if namesCall { end.sentence.append(self.call ?? call) }
    return end
  }

  /// The expected texts that a message lacks.
  func missing(in text: String) -> [String] { sentence.filter { !text.contains($0) } }
}
