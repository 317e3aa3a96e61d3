/// How a question to a hostile engine ends: the command's exit status and what its sentence holds.
struct HostileEnd: Sendable {
  /// 0 where the attack came to nothing, else what the command ends with.
  let status: Int32
  /// Parts of the sentence on standard error.
  var sentence: [String] = []
  /// The items laid out, where the status is 0; nil for all of them.
  var items: [Int]?
  /// Whether standard error holds the engine's own words too, or a sentence beside success.
  var mayTalk = false
  /// Whether it takes the deadline to end it.
  var isHang = false
  /// Whether the sentence need not name the engine or its library.
  var isAnonymous = false

  /// The layout is right, and nothing is said.
  static let lays = HostileEnd(status: 0)
  /// The layout is right; what the engine printed, or a sentence, may be on standard error.
  static let laysAndTalks = HostileEnd(status: 0, mayTalk: true)
  /// Some items are laid out right and the others not at all.
  static func lays(only items: [Int]) -> HostileEnd { HostileEnd(status: 0, items: items) }

  /// The engine's own words.
  static func refused(_ sentence: String...) -> HostileEnd {
    HostileEnd(status: 69, sentence: sentence)
  }

  /// A promise of the contract was not kept.
  static func broken(_ sentence: String...) -> HostileEnd {
    HostileEnd(status: 70, sentence: sentence)
  }

  /// The process was ended by a signal in a call.
  static func dies(_ signal: String, in call: String? = nil) -> HostileEnd {
    HostileEnd(status: 70, sentence: [signal] + [call].compactMap { $0 })
  }

  /// The process ended itself.
  static func exits(_ status: Int) -> HostileEnd {
    HostileEnd(status: 70, sentence: ["exited", "status \(status)"])
  }

  /// A system call that is not allowed.
  static func forbidden(_ call: String) -> HostileEnd {
    HostileEnd(status: 70, sentence: [call])
  }

  /// Ended by the deadline, which the tests set to a second.
  static let hangs = HostileEnd(status: 70, sentence: ["within 1 s"], isHang: true)
  /// Ended by what watches the memory, or by the system's limit.
  static let takesTooMuch = HostileEnd(status: 70, sentence: [])

  /// No library that can be loaded.
  static func unloadable(_ sentence: String...) -> HostileEnd {
    HostileEnd(status: 76, sentence: sentence)
  }

  /// Something that it needs is not there.
  static func missing(_ sentence: String...) -> HostileEnd {
    HostileEnd(status: 66, sentence: sentence, isAnonymous: true)
  }
}
