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

/// How much is examined: each level holds those before it.
public enum CaseLevel: String, CaseIterable, Comparable, Sendable {
  /// What an author runs after every build: seconds.
  case quick
  /// What a test in a package or on a server runs: less than half a minute.
  case standard
  /// What an engine is released after: minutes.
  case thorough

  /// How many random samples a case examines, beside those that are fixed.
  var sampleCount: Int {
    switch self {
    case .quick: 6
    case .standard: 40
    case .thorough: 400
    }
  }

  /// The levels from quick to thorough.
  public static func < (left: CaseLevel, right: CaseLevel) -> Bool {
    left.sampleCount < right.sampleCount
  }
}

/// What rules are about; the names are filters and keys in reports.
public enum CaseCategory: String, CaseIterable, Sendable {
  /// The file, and what it does when it is loaded.
  case library
  /// What an engine says about itself.
  case descriptor
  /// Layouts that come and go.
  case lifecycle
  /// Where elements are, and how they look there.
  case geometry
  /// What a question about a part of a layout is answered with.
  case query
  /// What the surroundings do.
  case bounds
  /// Few and many items, and sections without any.
  case counts
  /// Values for the whole layout.
  case parameters
  /// Functions that the host answers.
  case delegate
  /// Where and how much an engine writes.
  case memory
  /// Data that change.
  case updates
  /// Time and memory as items become many.
  case scaling
  /// What engines promise beyond the rules for all.
  case laws
  /// Layouts that were stored.
  case golden
}

/// What an engine must declare for a rule to mean anything; a case whose need is not met is skipped
/// with the reason.
public struct CaseNeed: Sendable {
  /// Why a case is skipped: "it does not declare the trait lazy".
  public let reason: String
  /// The traits that the rule is tied to; a report counts them as exercised when the case ran.
  public let traits: EngineTraits
  private let isMet: @Sendable (Engine) -> Bool

  /// A need of one's own.
  public init(
    reason: String, traits: EngineTraits = [], isMet: @escaping @Sendable (Engine) -> Bool
  ) {
    self.reason = reason
    self.traits = traits
    self.isMet = isMet
  }

  /// Whether an engine declares it.
  public func isMet(by engine: Engine) -> Bool { isMet(engine) }

  /// The rule holds for every engine.
  public static let nothing = CaseNeed(reason: "") { _ in true }

  /// The engine, with its bases, has a trait.
  public static func trait(_ trait: EngineTraits) -> CaseNeed {
    CaseNeed(
      reason: "it does not declare the trait \(trait.names.joined(separator: ", "))",
      traits: trait
    ) { $0.traits.contains(trait) }
  }

  /// The engine, with its bases, does without a trait.
  public static func withoutTrait(_ trait: EngineTraits) -> CaseNeed {
    CaseNeed(reason: "it declares the trait \(trait.names.joined(separator: ", "))") {
      $0.traits.isDisjoint(with: trait)
    }
  }

  /// The engine writes a built-in column.
  public static func column(_ column: BuiltInColumns) -> CaseNeed {
    CaseNeed(reason: "it does not declare the column \(column.names.joined(separator: ", "))") {
      $0.builtInColumns.contains(column)
    }
  }

  /// The engine has kinds of supplementary or decoration elements.
  public static let kinds = CaseNeed(reason: "it declares no kinds") { !$0.kinds.isEmpty }

  /// The engine has attributes of its own.
  public static let attributes = CaseNeed(reason: "it declares no attributes") {
    $0.chain.contains { !$0.attributes.isEmpty }
  }

  /// The engine has parameters that a user can set.
  public static let parameters = CaseNeed(reason: "it declares no parameters") {
    !$0.settableParameters.isEmpty
  }

  /// The engine has parameters with a limit that is not infinite.
  public static let limits = CaseNeed(reason: "no parameter of it declares a limit") {
    $0.settableParameters.contains { parameter in
      (parameter.minimum + parameter.maximum).contains(where: \.isFinite)
    }
  }

  /// The engine takes values for sections or items.
  public static let values = CaseNeed(reason: "it declares no section or item values") {
    !$0.settableValues.isEmpty
  }

  /// The engine shapes how elements appear and disappear.
  public static let updates = CaseNeed(reason: "it has no tessera.updates") {
    $0.chain.contains { $0.abilities.contains(.updates) }
  }

  /// The engine is asked in queries, and not the host alone.
  public static let queries = CaseNeed(reason: "the host alone answers its queries") {
    !$0.traits.isDisjoint(with: [.lazy, .viewport])
  }

  /// The engine calls delegate functions.
  public static let delegate = CaseNeed(reason: "it declares no delegate functions") {
    !$0.delegateFunctions.isEmpty
  }
}

/// All cases there are, in the order of reports: by category, then as each family lists them.
public enum Catalogue {
  /// The families; a new one is a file in Families and a line here.
  private static let families: [[ConformanceCase]] = [
    libraryCases, processCases, descriptorCases, lifecycleCases, geometryCases, queryCases,
    boundsCases, countCases, parameterCases, delegateCases, memoryCases, updateCases, scalingCases,
    lawCases,
  ]

  /// Every case.
  public static let cases: [ConformanceCase] = families.flatMap(\.self)

  /// The cases up to a level whose id or category matches one of some patterns; `*` stands for
  /// anything.
  ///
  /// No patterns: all.
  ///
  /// - Throws: `.invalidInput` for a pattern that matches no case at any level.
  public static func cases(
    upTo level: CaseLevel, matching patterns: [String] = []
  ) throws(HostError) -> [ConformanceCase] {
    for pattern in patterns where !cases.contains(where: { $0.matches(pattern) }) {
      let names = CaseCategory.allCases.map(\.rawValue) + cases.map(\.id)
      let near = Suggestion.near(pattern, among: names).first.map { "did you mean \($0)?" }
      throw HostError(
        .invalidInput,
        "no case and no category matches \"\(pattern)\"; \(near ?? "--list shows all cases")")
    }
    return cases.filter { candidate in
      // Who names a case outright wants it, whatever its level.
      patterns.contains(candidate.id)
        || candidate.level <= level
          && (patterns.isEmpty || patterns.contains { candidate.matches($0) })
    }
  }
}

extension ConformanceCase {
  /// Whether a pattern is the category's name, or matches the id with `*` standing for anything.
  func matches(_ pattern: String) -> Bool {
    pattern == category.rawValue || Glob(pattern).matches(id)
  }
}

/// A pattern in which `*` stands for any text, none too.
struct Glob {
  private let parts: [Substring]

  init(_ pattern: String) {
    parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  }

  func matches(_ text: String) -> Bool {
    guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else {
      return false
    }
    guard parts.count > 1 else { return text == first }
    var rest = text.dropFirst(first.count)
    guard rest.hasSuffix(last), rest.count >= last.count else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
