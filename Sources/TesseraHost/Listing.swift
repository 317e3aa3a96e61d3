/// What lies on a search path: every engine, and every file that is none.
public struct Listing: Sendable {
  /// An engine in a library.
  public struct Entry: Sendable {
    /// What the engine declares.
    public let description: EngineDescription
    /// The library's path as it was found.
    public let library: String
    /// The file that the path leads to, its links followed.
    public let resolvedLibrary: String
    /// The contract that the library was built for.
    public let abi: ABIVersion
    /// The library whose engine of the same id comes first, or nil.
    public let shadowedBy: String?

    var member: EngineMember {
      EngineMember(description: description, library: resolvedLibrary)
    }
  }

  /// A file that was not taken.
  public struct Refusal: Sendable {
    /// The file's path as it was found.
    public let file: String
    /// One sentence: what was found, what was expected, what to do.
    public let reason: String
    /// What kind of fault it is.
    public let kind: HostError.Kind
  }

  /// The engines in the order of the search path, then of files' names, then of registration.
  public let engines: [Entry]
  /// The files that were not taken, in the same order.
  public let refused: [Refusal]
}
