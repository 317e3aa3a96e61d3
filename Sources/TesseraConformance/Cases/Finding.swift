import TesseraHost

/// A rule that does not hold, as an examination throws it.
public struct Violation: Error, Sendable {
  /// What the rule wants for this input: the end of "expected …".
  public var expected: String
  /// What was there instead.
  public var found: String
  /// Whether it only warns: what depends on the machine never fails.
  public var isWarning = false
  /// The layout as the rule wants it and as it was found, where that can be drawn.
  public var pictures: Pictures?

  /// Two layouts side by side.
  public struct Pictures: Sendable {
    /// What the rule wants.
    public var expected: LayoutImage
    /// What was there instead.
    public var found: LayoutImage

    /// Two layouts side by side.
    public init(expected: LayoutImage, found: LayoutImage) {
      self.expected = expected
      self.found = found
    }
  }

  /// A rule that does not hold.
  public init(
    expected: String, found: String, isWarning: Bool = false, pictures: Pictures? = nil
  ) {
    self.expected = expected
    self.found = found
    self.isWarning = isWarning
    self.pictures = pictures
  }
}

/// What a case found, with all that it takes to see it again.
public struct Finding: Sendable {
  /// The smallest input found that shows it; nil where it does not depend on the input.
  public var sample: Sample?
  /// What the rule wants.
  public var expected: String
  /// What was there instead.
  public var found: String
  /// The seed of the run.
  public var seed: UInt64
  /// The command that examines this case alone, with this input.
  public var command: String
  /// The command that lays this input out.
  public var layoutCommand: String?
  /// The layout as the rule wants it and as it was found.
  public var pictures: Violation.Pictures?
}

/// What an examination came to.
public enum Verdict: Sendable {
  /// The rule held for everything that was tried.
  case passed
  /// The rule does not hold.
  case failed(Finding)
  /// The engine crashed, or did not come back.
  case crashed(Finding)
  /// Something is worth a look; it depends on the machine.
  case warning(Finding)
  /// The case was not examined, and why.
  case skipped(String)

  /// The word for it in reports.
  public var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .crashed: "crashed"
    case .warning: "warning"
    case .skipped: "skipped"
    }
  }

  /// What was found, where something was.
  public var finding: Finding? {
    switch self {
    case .failed(let finding), .crashed(let finding), .warning(let finding): finding
    case .passed, .skipped: nil
    }
  }
}
