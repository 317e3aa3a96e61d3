import TesseraHost
import Testing

/// A hostile engine, what is asked of it, and what the host is to make of it.
struct HostileCase: Sendable, CustomTestStringConvertible {
  /// The call that an attack happens in, as `hostile.h` names it.
  enum Place: String, Sendable {
    case load, registration, create, prepare, filled, adjust, query, published, snapping, destroy
  }

  /// What is asked of the engine.
  enum Question: Sendable {
    /// A layout of six items.
    case layout
    /// The published function `attack`.
    case call
    /// Where a scroll rests.
    case snap
    /// A layout of six items, then one of seven in the same session.
    case update
  }

  /// The file Tests/HostileEngines/SOURCE.c, or .cpp.
  let source: String
  /// Where it attacks; nil where the file says so itself.
  var place: Place?
  /// What the compiler is told beside that.
  var flags: [String] = []
  /// Which engine of several, by its id's end.
  var engine: String?
  /// Whether the library lies on the search path, for bases that are looked for there.
  var isOnPath = false
  /// More options of the command, for what an attack needs.
  var arguments: [String] = []
  /// The ends that are right; more than one where it depends on which protection is met first.
  let ends: [HostileEnd]
  /// The most that the command may take; without a deadline it would take for ever.
  var seconds = 30.0
  /// Whether its limits are such that the command cannot set them.
  var isForEmbedding = false

  init(
    _ source: String, in place: Place? = nil, flags: [String] = [], engine: String? = nil,
    isOnPath: Bool = false, arguments: [String] = [], question: Question? = nil,
    seconds: Double = 30, _ ends: HostileEnd...
  ) {
    self.source = source
    self.place = place
    self.flags = flags
    self.engine = engine
    self.isOnPath = isOnPath
    self.arguments = arguments
    self.seconds = seconds
    self.ends = ends
    self.question = question ?? (place == .published ? .call : place == .snapping ? .snap : .layout)
  }

  init(_ source: String, ends: [HostileEnd]) {
    self.source = source
    self.ends = ends
    question = .layout
  }

  /// What is asked.
  let question: Question

  /// Whether the engine may hold the host up until the deadline.
  var mayHang: Bool { ends.contains(where: \.isHang) }

  /// What its process may use up: little where it is to run into the limit.
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

  /// The source and the place.
  var testDescription: String {
    ([source] + [place?.rawValue].compactMap { $0 } + flags).joined(separator: " ")
  }
}
