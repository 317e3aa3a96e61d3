/// How a question to a hostile engine ends: the command's exit status and what its sentence holds.
struct HostileEnd: Sendable {
  /// The end in short, as the table of the engines has it.
  let words: String
  /// 0 where the attack came to nothing, else what the command ends with.
  let status: Int32
  /// Parts of the sentence on standard error.
  var sentence: [String] = []
  /// The call that the sentence names beside those.
  var call: String?
  /// The items laid out, where the status is 0; nil for all of them.
  var items: [Int]?
  /// Whether standard error holds the engine's own words too, or a sentence beside success.
  var mayTalk = false
  /// Whether it takes the deadline to end it.
  var isHang = false
  /// Whether the sentence need not name the engine or its library.
  var isAnonymous = false

  /// The layout is right, and nothing is said.
  static let lays = HostileEnd(words: "laid out right", status: 0)
  /// The layout is right; what the engine printed, or a sentence, may be on standard error.
  static let laysAndTalks = HostileEnd(
    words: "laid out right, and told", status: 0, mayTalk: true)
  /// Some items are laid out right and the others not at all.
  static func lays(only items: [Int]) -> HostileEnd {
    HostileEnd(words: "laid out as far as it goes", status: 0, items: items)
  }

  /// The engine's own words.
  static func refused(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "refused by the engine", status: 69, sentence: sentence)
  }

  /// A promise of the contract was not kept.
  static func broken(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "breaks the contract", status: 70, sentence: sentence)
  }

  /// The process was ended by a signal in a call.
  static func dies(_ signal: String, in call: String? = nil) -> HostileEnd {
    HostileEnd(words: "dies", status: 70, sentence: [signal], call: call)
  }

  /// The process ended itself.
  static func exits(_ status: Int, in call: String) -> HostileEnd {
    HostileEnd(
      words: "ends itself", status: 70, sentence: ["ended its process", "exit status \(status)"],
      call: call)
  }

  /// A system call that is not allowed; nil where nobody could note which.
  static func forbidden(_ name: String?, in call: String = "prepare") -> HostileEnd {
    HostileEnd(
      words: "dies of a forbidden call", status: 70,
      sentence: [
        name.map { "the system call \($0) in" } ?? "made a system call in", "may not make",
      ],
      call: call)
  }

  /// Ended by the deadline, which the tests set to 0.8 s.
  static func hangs(in call: String) -> HostileEnd {
    HostileEnd(
      words: "stopped by the deadline", status: 70,
      sentence: ["did not come back from", "within 0.8 s"], call: call, isHang: true)
  }

  /// Ended by what watches how much its rows take.
  static let fillsRows = HostileEnd(
    words: "stopped by its limits", status: 70,
    sentence: ["filled more than 64 MiB of memory with rows"], call: "prepare")
  /// At its limit of memory when the deadline came.
  static let takesAllMemory = HostileEnd(
    words: "stopped by its limits", status: 70,
    sentence: ["took all the 128 MiB of memory", "within 3 s"], call: "prepare", isHang: true)

  /// No library that can be loaded.
  static func unloadable(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not loaded", status: 76, sentence: sentence)
  }

  /// Something that it needs is not there.
  static func missing(_ sentence: String...) -> HostileEnd {
    HostileEnd(words: "not found", status: 66, sentence: sentence, isAnonymous: true)
  }

  /// What of the parts is not in a sentence.
  func missing(in text: String) -> [String] {
    (sentence + [call].compactMap(\.self)).filter { !text.contains($0) }
  }
}
