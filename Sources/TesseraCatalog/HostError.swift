/// What went wrong: what was found, what was expected, and what to do.
///
/// What to do is part of `fact` where it is the same for every program. Where each has its own means,
/// such as an option or a function, it is a `remedy`, which a program can put in its own words.
public struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Who or what was at fault.
  ///
  /// The command maps each to its own exit status; recordings store the raw value.
  public enum Kind: String, Sendable, CaseIterable {
    /// A value, name or count that the caller gave is wrong.
    case invalidInput
    /// There is no such engine, library or file.
    case notFound
    /// The engine refused the work; the sentence is its own.
    case refused
    /// The engine broke the contract.
    case brokenContract
    /// The engine crashed, hung or took too much, and its process was ended.
    case died
    /// The file is not an engine library that this host can load.
    case cannotLoad
    /// The library is one that this host may not load.
    case notAllowed
    /// The caller's own progress handler stopped the work.
    case cancelled
    /// A file of the host's own, as an allowlist is, cannot be written.
    case cannotWrite
  }

  /// Who or what was at fault.
  public let kind: Kind
  /// What was found and expected, without a final full stop.
  public let fact: String
  /// What the program can do about it; nil if `fact` already says that.
  public let remedy: Remedy?

  /// Creates an error of a kind.
  public init(_ kind: Kind, _ fact: String, _ remedy: Remedy? = nil) {
    self.kind = kind
    self.fact = fact
    self.remedy = remedy
  }

  /// One sentence for a person, without a final full stop.
  public var message: String { message(advising: \.advice) }

  /// The sentence with the remedy in a program's own words.
  public func message(advising advice: (Remedy) -> String) -> String {
    remedy.map { "\(fact); \(advice($0))" } ?? fact
  }

  /// The sentence.
  public var description: String { message }
}

extension HostError {
  /// What a program can do about an error.
  public enum Remedy: Equatable, Sendable {
    /// Ask for a part of the layout, or for fewer items.
    case askForPart
    /// Allow each call into the engine more time.
    case allowMoreTime
    /// Choose one of the engines on the search path, of which some files may have been refused.
    case chooseEngine(usable: Int, refused: Int)
    /// Add a library to an allowlist, if the user trusts it.
    case trustLibrary(path: String, allowlist: String)
    /// Examine what this machine offers to a sandbox.
    case diagnoseMachine
    /// Install the worker's program, or set its path.
    case locateWorker

    /// What to do in words that fit every program.
    public var advice: String {
      switch self {
      case .askForPart: "ask for a part of the layout, or for fewer items"
      case .allowMoreTime: "allow a call more time if the engine only needs longer"
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

  /// The error about something, named before the fact.
  package func about(_ subject: String) -> HostError {
    HostError(kind, "\(subject): \(fact)", remedy)
  }

  /// For an engine that has more rows than there is room for.
  package static func noRoom(_ engine: String, capacity: Int) -> HostError {
    HostError(
      .invalidInput,
      "\(engine) has more than \(capacity) rows for this", .askForPart)
  }
}

/// Helps someone who misspelt a name.
public enum Suggestion {
  /// The names that differ from a given one by a third of its letters at most, nearest first.
  ///
  /// - Complexity: O(*n*·*m*²) for *n* names of *m* letters.
  public static func near(_ name: String, among known: [String]) -> [String] {
    let limit = max(1, name.count / 3)
    return known.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()))) }
      .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The end of a sentence that says what there is: the near names, or else all of them.
  public static func sentence(for name: String, among known: [String]) -> String {
    let near = near(name, among: known)
    if let best = near.first { return "did you mean \(best)?" }
    return known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
  }

  /// How many letters must be changed, added, taken away or exchanged with their neighbour.
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
