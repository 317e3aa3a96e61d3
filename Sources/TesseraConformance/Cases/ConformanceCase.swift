import TesseraHost

/// One rule of the contract, and how an engine is examined for it.
///
/// An id never changes once it is released: it is the filter, the key in reports and the word of the
/// changelog.
public struct ConformanceCase: Identifiable, Sendable {
  /// What a case examines.
  public enum Examination: Sendable {
    /// The engine once, whatever it is given.
    case once(@Sendable (Trial) throws -> Void)
    /// One sample after the other; what fails is shrunk.
    case samples(SampleSet, @Sendable (Trial) throws -> Void)
  }

  /// The name, kebab-case, that begins with the category's.
  public let id: String
  /// What holds for an engine that passes: one sentence without a full stop.
  public let rule: String
  /// What the rule is about.
  public let category: CaseCategory
  /// From which level on it is examined.
  public let level: CaseLevel
  /// What goes wrong for users where it does not hold: one sentence.
  public let why: String
  /// How an engine comes to satisfy it: one sentence.
  public let remedy: String
  /// What an engine must declare for the rule to mean anything.
  public let needs: CaseNeed
  /// How the engine is examined.
  public let examination: Examination
  /// Whether a sentence of the host is this case's to tell: the host itself refuses what breaks some
  /// rules, and then every case that asks for a layout hears of it.
  public let owns: @Sendable (HostError) -> Bool

  /// A case over samples.
  public init(
    _ id: String, _ category: CaseCategory, _ level: CaseLevel = .quick, rule: String, why: String,
    remedy: String, needs: CaseNeed = .nothing, samples: SampleSet,
    owns: @escaping @Sendable (HostError) -> Bool = { _ in false },
    examine: @escaping @Sendable (Trial) throws -> Void
  ) {
    self.init(
      id, category, level, rule: rule, why: why, remedy: remedy, needs: needs, owns: owns,
      examination: .samples(samples, examine))
  }

  /// A case that examines the engine or its library once.
  public init(
    _ id: String, _ category: CaseCategory, _ level: CaseLevel = .quick, rule: String, why: String,
    remedy: String, needs: CaseNeed = .nothing,
    owns: @escaping @Sendable (HostError) -> Bool = { _ in false },
    examineOnce: @escaping @Sendable (Trial) throws -> Void
  ) {
    self.init(
      id, category, level, rule: rule, why: why, remedy: remedy, needs: needs, owns: owns,
      examination: .once(examineOnce))
  }

  private init(
    _ id: String, _ category: CaseCategory, _ level: CaseLevel, rule: String, why: String,
    remedy: String, needs: CaseNeed, owns: @escaping @Sendable (HostError) -> Bool,
    examination: Examination
  ) {
    self.id = id
    self.category = category
    self.level = level
    self.rule = rule
    self.why = why
    self.remedy = remedy
    self.needs = needs
    self.owns = owns
    self.examination = examination
  }
}
