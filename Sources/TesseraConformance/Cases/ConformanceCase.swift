import Glibc
import TesseraExamination
import TesseraHost

/// A rule of the contract and the code that tests an engine against it.
///
/// An id never changes once it is released: it is the filter, the key in reports and the name in the
/// changelog.
public struct ConformanceCase: Identifiable, Sendable {
  /// How a case tests an engine.
  enum Examination: Sendable {
    /// Once, independently of the input.
    case once(@Sendable (Trial) throws -> Void)
    /// With one sample after the other; a failing sample is shrunk.
    case samples(SampleSet, @Sendable (Trial) throws -> Void)
  }

  /// The id, in kebab case; it begins with the category's name.
  public let id: String
  /// What is true of an engine that passes: one sentence without a full stop.
  public let rule: String
  /// What the rule is about.
  public let category: CaseCategory
  /// The lowest level that includes the case.
  public let level: CaseLevel
  /// What goes wrong for users if an engine breaks the rule: one sentence.
  public let why: String
  /// How to fix an engine that breaks the rule: one sentence.
  public let remedy: String
  /// What an engine must declare for the rule to apply.
  public let needs: CaseNeed
  /// Whether a crash is what the case looks for, so that its remedy is also about crashes.
  private(set) var explainsCrashes = false
  let examination: Examination
  /// The codes of the host's errors about this rule: of the cases that get such an error, only this
  /// one fails.
  let owns: Set<HostError.Code>

  /// A case that tests the engine with samples, or once without.
  init(
    _ id: String, _ category: CaseCategory, _ level: CaseLevel = .quick, rule: String, why: String,
    remedy: String, needs: CaseNeed = .nothing, samples: SampleSet? = nil,
    owns: Set<HostError.Code> = [], examine: @escaping @Sendable (Trial) throws -> Void
  ) {
    (self.id, self.category, self.level) = (id, category, level)
    (self.rule, self.why, self.remedy) = (rule, why, remedy)
    (self.needs, self.owns) = (needs, owns)
    examination = samples.map { .samples($0, examine) } ?? .once(examine)
  }
}

extension Set<HostError.Code> {
  static func all(of kinds: HostError.Kind...) -> Set {
    Set(HostError.Code.allCases.filter { kinds.contains($0.kind) })
  }
}

extension ConformanceCase {
  /// The case, whose remedy is also about crashes.
  func explainingCrashes() -> ConformanceCase {
    var explaining = self
    explaining.explainsCrashes = true
    return explaining
  }
}

/// How much to test: each level includes the previous ones.
public enum CaseLevel: String, CaseIterable, Comparable, Sendable {
  /// For every build of an engine: takes seconds.
  case quick
  /// For a package's tests and for CI: takes less than half a minute.
  case standard
  /// For a release: takes minutes.
  case thorough

  /// How many random samples a case uses in addition to its fixed ones.
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

/// The subject of a rule; the names are filters and keys in reports.
public enum CaseCategory: String, CaseIterable, Sendable {
  case library  // the file, and what loading it does to a process
  case descriptor  // engine descriptions
  case lifecycle  // layouts that are created and destroyed, one by one and at the same time
  case geometry  // frames, attributes and the content size
  case query  // queries for a part of a layout
  case bounds  // the viewport: bounds, offset, insets, scale and direction
  case counts  // few items, many items and empty sections
  case parameters
  case delegate  // delegate functions, and section and item values
  case functions  // published functions
  case memory  // where an engine writes and how much memory it uses
  case updates  // batch updates
  case scaling  // time and memory for large item counts
  case laws  // laws that an engine declares
  case extensions  // snapping, reordering and measured items
  case golden  // stored layouts
}

/// What an engine must declare for a rule to apply; a case is skipped if its need is not met.
public struct CaseNeed: Sendable {
  /// Why a case is skipped: "it does not declare the trait lazy".
  public let reason: String
  /// The traits that the rule is about; a report counts them as exercised when the case ran.
  let traits: EngineTraits
  /// The laws that the rule is about; a report counts them as exercised when the case ran.
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

/// All cases, in the order of reports: by category, then in the order of their family.
public enum Catalogue {
  /// The families; to add one, add a file to Families and a line here.
  private static let families: [[ConformanceCase]] = [
    libraryCases, processCases, descriptorCases, lifecycleCases, geometryCases, queryCases,
    boundsCases, countCases, parameterCases, delegateCases, functionCases, memoryCases, updateCases,
    scalingCases, lawCases, extensionCases,
  ]

  /// The case that lays out the plain sample, without which most other cases find nothing.
  static let plainLayout = "library-lays-out"

  /// The case about output, which may fail because of any other case's session.
  static let printing = "library-prints-nothing"

  /// The cases that find misuse of memory, from which findings of other cases follow.
  static let misuse: Set = [
    "memory-heap-stays-intact", "memory-reads-only-its-input", "memory-keeps-no-pointers",
    "memory-writes-end-with-the-rows", "memory-writes-begin-with-the-rows",
    "memory-is-written-before-it-is-read", "memory-values-at-any-stride",
  ]

  /// Every case.
  public static let cases: [ConformanceCase] = families.flatMap(\.self)

  /// What the case says to do that owns an error, unless it is about the library as a whole.
  static func remedy(of error: HostError) -> String? {
    cases.first { $0.category != .library && $0.owns.contains(error.code) }?.remedy
  }

  /// The cases up to a level whose id or category matches one of the patterns, or all if there are no
  /// patterns.
  ///
  /// In a pattern, `*` matches any text. A pattern without `*` that is a case's id selects the case
  /// at any level.
  ///
  /// - Throws: `.invalidInput` for a pattern that matches no case at any level.
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
  /// Whether a pattern is the category's name or matches the id.
  func matches(_ pattern: String) -> Bool {
    pattern == category.rawValue || fnmatch(pattern, id, FNM_NOESCAPE) == 0
  }
}
