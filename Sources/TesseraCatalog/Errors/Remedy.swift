extension HostError {
  /// What a program can do about an error.
  public enum Remedy: Hashable, Sendable {
    case askForPart
    case allowMoreTime
    case allowMoreMemory
    case allowMoreRows
    case chooseEngine(usable: Int, refused: Int)
    case trustLibrary(path: String, allowlist: String)
    /// Check the sandbox features of this machine.
    case diagnoseMachine
    /// Install the worker program, or set its path.
    case locateWorker
    /// Replace the library's file, or retry after so many seconds.
    case waitForRefusal(seconds: Int)
  }
}

extension HostError.Remedy {
  /// Advice in words that fit every program.
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
    case .waitForRefusal(let seconds):
      "it is refused for another \(seconds) s, or until its file changes"
    }
  }

  /// "9 engines (2 files were refused)".
  public static func engineCount(_ usable: Int, _ refused: Int) -> String {
    counted(usable, "engine")
      + (refused == 0
        ? "" : " (\(counted(refused, "file")) \(refused == 1 ? "was" : "were") refused)")
  }
}
