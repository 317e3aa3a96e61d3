/// What went wrong, in one sentence that says what was found, what was expected and what to do.
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
  /// One sentence for a person, without a final full stop.
  public let message: String

  /// An error of a kind with its sentence.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}

extension HostError {
  /// For an engine that has more rows than there is room for.
  static func noRoom(_ engine: String, capacity: Int) -> HostError {
    HostError(
      .invalidInput,
      "\(engine) has more than \(capacity) rows for this; ask for a smaller part of it, as with "
        + "--visible, or for fewer items")
  }
}
