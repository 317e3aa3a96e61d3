/// The outcome of a query to a hostile engine: the command's exit status and its message.
struct HostileEnd: Sendable {
  /// A short description, for the table of the engines.
  let words: String
  /// The exit status of the command: 0 if the attack had no effect.
  let status: Int32
  /// Texts that the message on standard error contains.
  var sentence: [String] = []
  /// The call that the message also names.
  var call: String?
  /// The items laid out, if the status is 0; nil for all of them.
  var items: [Int]?
  /// Whether standard error may contain output of the engine, or a message despite success.
  var mayTalk = false
  /// Whether the deadline ends the call.
  var isHang = false
  /// Whether the message need not name the engine or its library.
  var isAnonymous = false

  /// The layout is correct, and there is no message.
  static let lays = HostileEnd(words: "lays out correctly", status: 0)
  /// The layout is correct; standard error may contain output of the engine or a message.
  static let laysAndTalks = HostileEnd(
    words: "lays out correctly, with a message", status: 0, mayTalk: true)
  /// No item is laid out, and there are messages.
  static let laysNothing = HostileEnd(
    words: "lays out nothing, with messages", status: 0, items: [], mayTalk: true)
  /// Some items are laid out correctly, and the others not at all.
  static func lays(only items: [Int]) -> HostileEnd {
    HostileEnd(words: "lays out some items", status: 0, items: items)
  }

  /// The engine reports an error.
  static func refused(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "refused by the engine", status: 69, sentence: sentence)
  }

  /// The engine breaks the contract.
  static func broken(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "breaks the contract", status: 70, sentence: sentence)
  }

  /// A signal ends the process in a call.
  static func dies(_ signal: String, in call: String? = nil) -> HostileEnd {
    HostileEnd(words: "crashes", status: 70, sentence: [signal], call: call)
  }

  /// The process exits.
  static func exits(_ status: Int, in call: String) -> HostileEnd {
    HostileEnd(
      words: "exits", status: 70, sentence: ["ended its process", "exit status \(status)"],
      call: call)
  }

  /// A forbidden system call kills the process; nil if it is unknown which.
  static func forbidden(_ name: String?, in call: String = "prepare") -> HostileEnd {
    HostileEnd(
      words: "killed for a forbidden system call", status: 70,
      sentence: [
        name.map { "the system call \($0) in" } ?? "made a system call in", "must not make",
      ],
      call: call)
  }

  /// A function that makes a forbidden system call with every signal blocked kills the process.
  static func called(_ function: String, in call: String = "prepare") -> HostileEnd {
    HostileEnd(
      words: "killed for a forbidden system call", status: 70,
      sentence: ["called \(function) in", "must not call"], call: call)
  }

  /// The deadline, which the tests set to 0.8 s, ends the call.
  static func hangs(in call: String) -> HostileEnd {
    HostileEnd(
      words: "stopped by the deadline", status: 70,
      sentence: ["did not return from", "within 0.8 s"], call: call, isHang: true)
  }

  /// The limit on all memory ends the call.
  static func usesMemory(_ size: String = "128 MiB", in call: String = "prepare") -> HostileEnd {
    HostileEnd(
      words: "stopped by its limits", status: 70,
      sentence: ["used more than its limit of \(size) of memory", "was stopped"], call: call)
  }
  /// The limit on threads ends the call.
  static let startsThreads = HostileEnd(
    words: "stopped by its limits", status: 70, sentence: ["started more than 256 threads"],
    call: "prepare")
  /// The process is at its memory limit when the deadline passes.
  static let takesAllMemory = HostileEnd(
    words: "stopped by its limits", status: 70,
    sentence: ["reached its limit of 128 MiB of memory", "within 3 s"], call: "prepare",
    isHang: true)

  /// The library cannot be loaded.
  static func unloadable(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not loaded", status: 76, sentence: sentence)
  }

  /// Something that the engine needs does not exist.
  static func missing(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not found", status: 66, sentence: sentence, isAnonymous: true)
  }

  /// The expected texts that a message lacks.
  func missing(in text: String) -> [String] {
    (sentence + [call].compactMap(\.self)).filter { !text.contains($0) }
  }
}
