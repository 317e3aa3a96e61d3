import CTesseraSystem

/// How much of the sandbox is in force, as an engine's process found on entry.
public enum SandboxGrade: Equatable, Sendable {
  /// Everything that SECURITY.md promises.
  case full
  case reduced([Weakness])
  /// Engines have the program's rights.
  case none

  /// A missing protection.
  public enum Weakness: String, CaseIterable, Sendable {
    case files
    case systemCalls
    /// Engines can load code after registration.
    case newCode
    /// The process stays root.
    case root

    /// A sentence with the cause.
    public var sentence: String {
      switch self {
      case .files: "engines can read files, because there is no Landlock"
      case .systemCalls: "system calls are not filtered, because there is no seccomp"
      case .newCode:
        "an engine can load code after its registration, because this system has no listeners for "
          + "system calls (Linux 5.5)"
      case .root: "engines run as root, because there is no user nobody here"
      }
    }
  }

  package init(_ state: tessera_sandbox_state) {
    var weaknesses: [Weakness] = []
    if state.landlock == 0 { weaknesses.append(.files) }
    if state.filters < 2 { weaknesses.append(.systemCalls) }
    if state.filters == 2, state.is_supervised == 0 { weaknesses.append(.newCode) }
    if state.is_not_root == 0 { weaknesses.append(.root) }
    self = weaknesses.isEmpty ? .full : .reduced(weaknesses)
  }

  /// The grade in one word: full, reduced or none.
  public var name: String {
    switch self {
    case .full: "full"
    case .reduced: "reduced"
    case .none: "none"
    }
  }

  /// The missing protections; empty for full and none.
  public var weaknesses: [Weakness] {
    if case .reduced(let weaknesses) = self { weaknesses } else { [] }
  }
}

extension SandboxGrade: CustomStringConvertible {
  /// "full", "none", or "reduced: " and what is missing.
  public var description: String {
    weaknesses.isEmpty ? name : "\(name): " + weaknesses.map(\.sentence).joined(separator: "; ")
  }
}
