/// An error: what was found, what was expected, and what to do about it.
///
/// Advice that is the same for every program is part of `fact`. Advice that depends on the program,
/// such as which option to use, is a `remedy`, which each program can phrase itself.
public struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  ///
  /// The command maps each kind to an exit status. Recordings store the raw value.
  public enum Kind: String, Sendable, CaseIterable {
    /// A value, name or count from the caller is invalid.
    case invalidInput
    /// The engine, library or file does not exist.
    case notFound
    /// The engine refused the work; the message is the engine's own.
    case refused
    /// The engine broke the contract.
    case brokenContract
    /// The engine crashed, hung or exceeded a limit, and its process was ended.
    case died
    /// The file is not an engine library, or not one that this host can load.
    case cannotLoad
    /// The host is not allowed to load the library.
    case notAllowed
    /// The caller's progress handler cancelled the work.
    case cancelled
    /// A file that belongs to the host, such as an allowlist, cannot be written.
    case cannotWrite
    /// The system lacks what the work needs: processes, open files, memory or address space.
    case unavailable
  }

  /// The kind of error.
  public let kind: Kind
  /// What was found and what was expected, without a final full stop.
  public let fact: String
  /// What the program can do about it, or nil if `fact` includes the advice.
  public let remedy: Remedy?
  /// How the engine's process ended; nil if it did not.
  public let death: Death?

  /// Creates an error.
  public init(_ kind: Kind, _ fact: String, _ remedy: Remedy? = nil, death: Death? = nil) {
    self.kind = kind
    self.fact = fact
    self.remedy = remedy
    self.death = death
  }

  /// The fact and the advice in one sentence, without a final full stop.
  public var message: String { message(advising: \.advice) }

  /// The message, with the program's own wording of the remedy.
  public func message(advising advice: (Remedy) -> String) -> String {
    remedy.map { "\(fact); \(advice($0))" } ?? fact
  }

  /// The same as `message`.
  public var description: String { message }
}

extension HostError {
  /// How an engine's process ended.
  public struct Death: Equatable, Sendable {
    /// What the engine did.
    public enum Manner: Sendable {
      /// It crashed with a signal.
      case crashed
      /// It did not return from a call in time, or used up its processor time.
      case hung
      /// It used more memory or threads than its limit.
      case exceeded
      /// It made a forbidden system call.
      case forbidden
      /// It ended its process itself.
      case exited
    }

    /// The call into the engine: "prepare", "loading".
    public let call: String
    /// What the engine did.
    public let manner: Manner
    /// What happened, without the engine's name and its output: "crashed in prepare with SIGSEGV".
    public let sentence: String

    package init(call: String, manner: Manner, sentence: String) {
      self.call = call
      self.manner = manner
      self.sentence = sentence
    }
  }

  /// What a program can do about an error.
  public enum Remedy: Equatable, Sendable {
    /// Query a part of the layout, or lay out fewer items.
    case askForPart
    /// Raise the time limit for engine calls.
    case allowMoreTime
    /// Raise the memory limit of engines.
    case allowMoreMemory
    /// Raise the limit on rows.
    case allowMoreRows
    /// Choose an engine on the search path, where some files may have been refused.
    case chooseEngine(usable: Int, refused: Int)
    /// Add a library to an allowlist, if the user trusts it.
    case trustLibrary(path: String, allowlist: String)
    /// Check which sandbox features this machine supports.
    case diagnoseMachine
    /// Install the worker program, or set its path.
    case locateWorker

    /// The advice in words that fit every program.
    public var advice: String {
      switch self {
      case .askForPart: "ask for a part of the layout, or for fewer items"
      case .allowMoreTime: "allow a call more time if the engine only needs longer"
      case .allowMoreMemory: "allow it more memory if it needs it, or ask for fewer items"
      case .allowMoreRows: "allow a layout more rows, or ask for fewer items"
      case .chooseEngine(let usable, let refused):
        "the search path holds \(Self.engineCount(usable, refused))"
      case .trustLibrary(_, let allowlist): "if you trust it, add it to \(allowlist)"
      case .diagnoseMachine: "check whether the kernel offers Landlock and seccomp"
      case .locateWorker: "install it there, or set its path"
      }
    }

    /// "9 engines (2 files were refused)".
    public static func engineCount(_ usable: Int, _ refused: Int) -> String {
      (usable == 1 ? "1 engine" : "\(usable) engines")
        + (refused == 0
          ? "" : refused == 1 ? " (1 file was refused)" : " (\(refused) files were refused)")
    }
  }

  /// A copy of the error whose fact begins with the subject.
  package func about(_ subject: String) -> HostError {
    HostError(kind, "\(subject): \(fact)", remedy, death: death)
  }

  /// The error for an engine that returns more rows than fit: by default, than a layout can have.
  package static func noRoom(
    _ engine: String, capacity: Int, _ remedy: Remedy = .allowMoreRows
  ) -> HostError {
    HostError(.invalidInput, "\(engine) has more than \(capacity) rows for this", remedy)
  }
}

/// Suggests names that resemble a misspelt one.
public enum Suggestion {
  /// The known names that differ in at most a third of the letters, nearest first.
  ///
  /// - Complexity: O(*n*·*m*²) for *n* names of *m* letters.
  public static func near(_ name: String, among known: [String]) -> [String] {
    let limit = max(1, name.count / 3)
    return known.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()))) }
      .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The end of an error message: suggests the nearest name, or else lists all known names.
  public static func sentence(for name: String, among known: [String]) -> String {
    let near = near(name, among: known)
    if let best = near.first { return "did you mean \(best)?" }
    return known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
  }

  /// The number of letters to replace, insert, delete or swap with a neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before = Array(repeating: 0, count: right.count + 1)
    var row = Array(0...right.count)
    for i in left.indices {
      var next = [i + 1]
      for j in right.indices {
        var best = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, before[j - 1] + 1)
        }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
