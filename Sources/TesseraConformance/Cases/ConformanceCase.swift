import Glibc
import TesseraExamination
import TesseraHost

/// A rule of the contract and the code that tests it; ids never change once released.
public struct ConformanceCase: Identifiable, Sendable {
  enum Examination: Sendable {
    case once(@Sendable (Trial) throws -> Void)
    case samples(SampleSet, @Sendable (Trial) throws -> Void)
  }

  /// Kebab case; begins with the category's name.
  public let id: String
  /// What a passing engine guarantees: one sentence without a full stop.
  public let rule: String
  /// The subject of the rule.
  public let category: CaseCategory
  /// The lowest level that includes the case.
  public let level: CaseLevel
  /// What goes wrong for users if an engine breaks the rule.
  public let why: String
  /// How to fix an engine that breaks the rule.
  public let remedy: String
  /// What an engine must declare for the rule to apply.
  public let needs: CaseNeed
  /// Whether the remedy is better than advice about a crash in general.
  let explainsCrashes: Bool
  let examination: Examination
  /// Error codes about this rule; other cases with such an error don't fail.
  let owns: Set<HostError.Code>

  init(
    _ id: String, _ category: CaseCategory, _ level: CaseLevel = .quick, rule: String, why: String,
    remedy: String, needs: CaseNeed = .nothing, explainsCrashes: Bool = false,
    samples: SampleSet? = nil, owns: Set<HostError.Code> = [],
    examine: @escaping @Sendable (Trial) throws -> Void
  ) {
    (self.id, self.category, self.level) = (id, category, level)
    (self.rule, self.why, self.remedy) = (rule, why, remedy)
    (self.needs, self.owns, self.explainsCrashes) = (needs, owns, explainsCrashes)
    examination = samples.map { .samples($0, examine) } ?? .once(examine)
  }
}

extension Set<HostError.Code> {
  static func all(of kinds: HostError.Kind...) -> Set {
    Set(HostError.Code.allCases.filter { kinds.contains($0.kind) })
  }
}

/// How much to test: each level includes the previous ones.
public enum CaseLevel: String, CaseIterable, Comparable, Sendable {
  /// Seconds; for every build of an engine.
  case quick
  /// Under half a minute; for CI.
  case standard
  /// Minutes; for releases.
  case thorough

  var sampleCount: Int {
    switch self {
    case .quick: 6
    case .standard: 40
    case .thorough: 400
    }
  }

  /// Orders levels from quick to thorough.
  public static func < (left: CaseLevel, right: CaseLevel) -> Bool {
    left.sampleCount < right.sampleCount
  }
}

/// The subject of a rule; the names are filters and keys in reports.
public enum CaseCategory: String, CaseIterable, Sendable {
  case library  // the file, and side effects of loading it
  case descriptor
  case lifecycle  // create and destroy, sequential and concurrent
  case geometry  // frames, attributes and the content size
  case query
  case bounds  // bounds, offset, insets, scale and direction
  case counts  // few items, many items and empty sections
  case parameters
  case delegate  // delegate functions, and section and item values
  case functions
  case memory  // memory errors and memory use
  case updates
  case scaling  // time and memory for large item counts
  case laws
  case extensions  // snapping, reordering and measured items
  case golden  // stored layouts
}

/// What an engine must declare for a rule to apply; otherwise the case is skipped.
public struct CaseNeed: Sendable {
  /// Why a case is skipped: "it does not declare the trait lazy".
  public let reason: String
  /// Counted as exercised once the case ran.
  let traits: EngineTraits
  let laws: EngineLaws
  private let isMet: @Sendable (Engine) -> Bool

  init(
    reason: String, traits: EngineTraits = [], laws: EngineLaws = [],
    isMet: @escaping @Sendable (Engine) -> Bool
  ) {
    self.laws = laws
    self.reason = reason
    self.traits = traits
    self.isMet = isMet
  }

  /// Whether an engine meets the need.
  public func isMet(by engine: Engine) -> Bool { isMet(engine) }

  func and(_ other: CaseNeed) -> CaseNeed {
    CaseNeed(
      reason: "\(reason), or \(other.reason)", traits: traits.union(other.traits),
      laws: laws.union(other.laws)
    ) { isMet(by: $0) && other.isMet(by: $0) }
  }

  static let nothing = CaseNeed(reason: "") { _ in true }

  static func trait(_ trait: EngineTraits) -> CaseNeed {
    CaseNeed(
      reason: "it does not declare the trait \(trait.names.joined(separator: ", "))", traits: trait
    ) { $0.traits.contains(trait) }
  }

  static func law(_ law: EngineLaws) -> CaseNeed {
    CaseNeed(
      reason: "it does not declare the law \(law.names.joined(separator: ", "))", laws: law
    ) { $0.laws.contains(law) }
  }

  static func withoutTrait(_ trait: EngineTraits) -> CaseNeed {
    CaseNeed(reason: "it declares the trait \(trait.names.joined(separator: ", "))") {
      $0.traits.isDisjoint(with: trait)
    }
  }

  static func column(_ column: BuiltInColumns) -> CaseNeed {
    CaseNeed(reason: "it does not declare the column \(column.names.joined(separator: ", "))") {
      $0.builtInColumns.contains(column)
    }
  }

  static let kinds = CaseNeed(reason: "it declares no kinds") { !$0.kinds.isEmpty }

  static let attributes = CaseNeed(reason: "it declares no attributes") {
    $0.chain.contains { !$0.attributes.isEmpty }
  }

  static let parameters = CaseNeed(reason: "it declares no parameters") {
    !$0.settableParameters.isEmpty
  }

  static let lists = CaseNeed(reason: "it declares no lists") { !$0.settableLists.isEmpty }

  static let limits = CaseNeed(reason: "it declares no parameter with a limit") {
    $0.settableParameters.contains { parameter in
      (parameter.minimum + parameter.maximum).contains(where: \.isFinite)
    }
  }

  static let values = CaseNeed(reason: "it declares no section or item values") {
    !$0.settableValues.isEmpty
  }

  static let base = CaseNeed(reason: "it has no base") { $0.chain.count > 1 }

  static let updates = CaseNeed.extension(.updates, named: "tessera.updates")

  static func `extension`(_ ability: EngineAbilities, named name: String) -> CaseNeed {
    CaseNeed(reason: "it does not have the extension \(name)") { $0.has(ability) }
  }

  static let queries = CaseNeed(reason: "the host answers its queries without calling it") {
    !$0.traits.isDisjoint(with: [.lazy, .viewport])
  }

  static let functions = CaseNeed(reason: "it publishes no functions") {
    !$0.publishedFunctions.isEmpty
  }

  static let delegate = CaseNeed(reason: "it declares no delegate functions") {
    !$0.delegateFunctions.isEmpty
  }
}

/// All cases, by category, then in the order of their family.
public enum Catalogue {
  /// To add a family, add a file to Families and a line here.
  private static let families: [[ConformanceCase]] = [
    libraryCases, processCases, descriptorCases, lifecycleCases, geometryCases, queryCases,
    boundsCases, countCases, parameterCases, delegateCases, functionCases, memoryCases, updateCases,
    scalingCases, lawCases, extensionCases,
  ]

  /// Lays out the plain sample; if it fails, most other cases find nothing.
  static let plainLayout = "library-lays-out"

  /// May fail because of any case's session.
  static let printing = "library-prints-nothing"

  static let misuse: Set = [
    "memory-heap-stays-intact", "memory-reads-only-its-input", "memory-keeps-no-pointers",
    "memory-writes-end-with-the-rows", "memory-writes-begin-with-the-rows",
    "memory-is-written-before-it-is-read", "memory-values-at-any-stride",
  ]

  /// Every case.
  public static let cases: [ConformanceCase] = families.flatMap(\.self)

  /// The remedy of the case that owns an error, unless it is about the whole library.
  static func remedy(of error: HostError) -> String? {
    cases.first { $0.category != .library && $0.owns.contains(error.code) }?.remedy
  }

  /// Selects cases up to a level by id or category; `*` matches any text, and an exact id any
  /// level.
  ///
  /// - Throws: `.invalidInput` for a pattern without a match.
  public static func cases(
    upTo level: CaseLevel, matching patterns: [String] = []
  ) throws(HostError) -> [ConformanceCase] {
    for pattern in patterns
    where !cases.contains(where: { $0.matches(pattern) }) && !Goldens.isMeant(by: pattern) {
      let names = CaseCategory.allCases.map(\.rawValue) + cases.map(\.id)
      let near = similarNames(to: pattern, among: names).first.map { "did you mean \($0)?" }
      throw HostError(
        .unknownName,
        "no case and no category matches \"\(pattern)\"; "
          + (near ?? "give the id of a case, a category, or a pattern with *"))
    }
    return cases.filter { candidate in
      patterns.contains(candidate.id)
        || candidate.level <= level
          && (patterns.isEmpty || patterns.contains { candidate.matches($0) })
    }
  }
}

extension ConformanceCase {
  func matches(_ pattern: String) -> Bool {
    pattern == category.rawValue || fnmatch(pattern, id, FNM_NOESCAPE) == 0
  }
}
