import Glibc
import Synchronization
import TesseraHost

/// The result of one case.
public struct CaseResult: Sendable {
  /// The case.
  public let examined: ConformanceCase
  /// The verdict.
  public let verdict: Verdict
  /// How many samples passed.
  public let samples: Int
  /// How long it took.
  public let duration: Duration

  /// What goes wrong for users, in one sentence.
  public var why: String {
    verdict.finding?.error?.death == nil
      ? examined.why
      : "Users see an error instead of a layout, and without isolation their program ends, too"
  }

  /// What to do about a finding, in one sentence.
  public var remedy: String {
    guard let finding = verdict.finding else { return examined.remedy }
    // In a case that lets wrong accesses crash, its own remedy is the better advice.
    if finding.error?.code == .crashed, examined.explainsCrashes {
      return "\(examined.remedy); a debugger shows where"
    }
    return finding.error?.advice ?? finding.remedy ?? examined.remedy
  }

  /// What reports for people say about a finding, each part with its name.
  var parts: [(name: String, text: String)] {
    let finding = verdict.finding
    return [
      ("rule", examined.rule), ("input", finding?.sample?.summary),
      ("expected", finding?.expected), ("found", finding?.found), ("why", why),
      ("remedy", remedy), ("reproduce", finding?.command), ("layout", finding?.layoutCommand),
    ].compactMap { name, text in text.map { (name, $0) } }
  }
}

extension HostError {
  /// What to do about the end of the engine's process, for the author of the engine; nil if it did not
  /// end.
  fileprivate var advice: String? {
    guard let death else { return nil }
    let call = death.call
    return switch (code, call) {
    case (.hung, "loading"): "Do nothing in constructors; calculate tables at their first use"
    case (.hung, "its registration"):
      "Describe engines with constants, and do nothing else in tessera_register"
    case (.hung, "exit"): "Do nothing in destructors of the library and in functions for atexit"
    case (.hung, _):
      "Make sure that every loop and every wait in \(call) ends, whatever the input, and that it does not "
        + "look at all items for each one, nor follow records that name each other in a circle; if it only takes long, give it more seconds with --timeout"
    case (.exceededLimit, _): "Allocate less in \(call), and start no threads for each item"
    case (.forbiddenCall, _): "Make no such system call in \(call); calculate only from the input"
    case (.exited, "exit"):
      "Do not call exit in destructors of the library and in functions for atexit"
    case (.exited, _): "Return a status from \(call) instead of calling exit"
    case (.crashed, "loading"):
      "Do nothing in constructors, where nothing that the engine needs may be ready"
    case (.crashed, "its registration"):
      "Describe engines with constants, and use no pointer in tessera_register but its arguments"
    case (.crashed, "create"): "Check every allocation in create, and set *layout before it is used"
    case (.crashed, "destroy"):
      "Free in destroy, once, only what create and prepare allocated, which prepare may not have done; if it "
        + "is so, look for a write beyond a block in the calls before, and for a pointer of the host that was kept"
    case (.crashed, "exit"): "Do nothing in destructors of the library and in functions for atexit"
    case (.crashed, _) where death.signal == SIGFPE:
      "Look in \(call) for / and % of integers whose divisor is 0 for this input, such as a number of "
        + "columns"
    case (.crashed, _) where death.signal == SIGABRT:
      "If malloc, realloc or free complains, look in this call and those before for a write beyond a block; "
        + "else look in \(call) for an assertion or an uncaught exception, and return a status instead"
    case (.crashed, "a published function"): checkArguments
    default:
      "Run the input in a debugger, and check every pointer and index that \(call) uses: a list may have no "
        + "records and then no data, records may name each other in a circle, and a delegate function that is "
        + "not supplied is null"
    }
  }
}

/// What to do about a published function that reads what is not there.
let checkArguments =
  "Check every argument of the function before it is an index, with bounds that prepare wrote: a program may "
  + "ask about sections and items that do not exist, and before there are any"

/// The results of a run of the suite.
public struct ConformanceReport: Sendable, CustomStringConvertible {
  /// The engine's name on the command line.
  public let subject: String
  /// The engine's description; nil if the engine could not be loaded.
  public let engine: EngineDescription?
  /// The engine's library; nil if the engine could not be loaded.
  public let library: String?
  /// How much was tested.
  public let level: CaseLevel
  /// The random seed.
  public let seed: UInt64
  /// The cases in the order of the catalogue.
  public private(set) var results: [CaseResult]
  /// Which of the engine's declarations the run used; nil if the engine could not be loaded.
  public let coverage: [Coverage]?
  /// How long it took.
  public let duration: Duration

  /// The report with further results, for goldens.
  public func adding(_ more: [CaseResult]) -> ConformanceReport {
    var report = self
    report.results += more
    return report
  }

  /// Whether no case failed or crashed.
  public var isPassed: Bool { count("failed") + count("crashed") == 0 }

  /// Whether no case was run at all.
  public var isSkipped: Bool { count("skipped") == results.count }

  /// Whether no case failed, crashed or warned.
  public var isStrictlyPassed: Bool { isPassed && count("warning") == 0 }

  /// The number of cases with a verdict of a name.
  public func count(_ verdict: String) -> Int { results.count { $0.verdict.name == verdict } }

  /// The categories of the cases, in the order of the catalogue.
  var categories: [CaseCategory] {
    CaseCategory.allCases.filter { category in results.contains { $0.examined.category == category }
    }
  }

  /// The engine's id, or its name on the command line if it could not be loaded.
  var title: String { engine?.id ?? subject }

  /// The readable report, without passed cases and colours.
  public var description: String { text() }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }

  var text: String {
    let thousandths = Int((seconds * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

/// A broken rule, thrown by a case's function.
struct Violation: Error, Sendable {
  /// What the rule requires for this input: the end of "expected …".
  var expected: String
  /// What was found instead.
  var found: String
  /// Whether the violation is only a warning, since it depends on the machine.
  var isWarning = false
  /// The expected layout and the actual one, if they can be drawn.
  var pictures: (expected: LayoutImage, found: LayoutImage)?
  /// How to fix this violation, if the case's remedy is about others.
  var remedy: String?
  /// Whether the same calls gave two results, as after misuse of memory.
  var isOfChance = false
}

/// A violation, crash or warning that a case found, with everything needed to reproduce it.
public struct Finding: Sendable {
  /// The smallest input that shows the problem; nil if it does not depend on the input.
  public var sample: LayoutInput?
  /// What the rule requires.
  public var expected: String
  /// What was found instead.
  public var found: String
  /// The seed of the run.
  public var seed: UInt64
  /// The command that runs this case alone, with this input.
  public var command: String
  /// The command that lays out this input.
  public var layoutCommand: String?
  /// The expected layout and the actual one.
  public var pictures: (expected: LayoutImage, found: LayoutImage)?
  /// The error that the host reported; nil if the case itself found the problem.
  public var error: HostError?
  /// Whether the case needs a layout of the plain sample, which ended the engine's process.
  var isOfPlainSample = false
  /// How to fix this finding; nil if the case's remedy does.
  public var remedy: String?
  /// Whether the same calls gave two results, as after misuse of memory.
  var isOfChance = false
  /// What findings with the same root cause have in common; nil if only the case itself describes it.
  public var cause: String?

  /// Whether the process crashed with this case's own input.
  var isCrash: Bool { error?.code == .crashed && !isOfPlainSample }

  /// The call that did not return; nil if each did.
  var hangingCall: String? { error?.code == .hung ? error?.death?.call : nil }
}

/// The verdict on a case.
public enum Verdict: Sendable {
  /// The engine followed the rule in every sample.
  case passed
  /// The engine broke the rule.
  case failed(Finding)
  /// The engine crashed or did not return.
  case crashed(Finding)
  /// The engine may have a problem, but the result depends on the machine.
  case warning(Finding)
  /// The case was not run, and why.
  case skipped(String)

  /// The verdict's name in reports.
  public var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .crashed: "crashed"
    case .warning: "warning"
    case .skipped: "skipped"
    }
  }

  /// The finding, if there is one.
  public var finding: Finding? {
    switch self {
    case .failed(let finding), .crashed(let finding), .warning(let finding): finding
    case .passed, .skipped: nil
    }
  }
}

/// Which of an engine's declarations of one sort a run used.
public struct Coverage: Sendable, Equatable {
  /// "parameters", "item values", "kinds".
  public let name: String
  /// The names that the engine and its bases declare, in order of declaration.
  public let declared: [String]
  /// The declared names that the run used.
  public let exercised: [String]

  var count: String { "\(exercised.count) of \(declared.count)" }

  /// The declared names that the run did not use.
  public var unused: [String] { declared.filter { !exercised.contains($0) } }
}

extension [Coverage] {
  /// How many declarations of each sort the run used, and the names of those that it did not use, in
  /// lines of text.
  var lines: [String] {
    guard !isEmpty else { return [] }
    let counts = map { "\($0.count) \($0.name)" }
    return ["Exercised: \(counts.joined(separator: ", "))"]
      + filter { !$0.unused.isEmpty }.map {
        "  not exercised: \($0.name) \($0.unused.joined(separator: ", "))"
      }
  }
}

/// Records, from several threads, which declarations a run uses.
final class CoverageRecorder: Sendable {
  /// A sort of declaration; the raw values are the names in reports.
  enum Part: String, CaseIterable {
    case parameters
    case lists
    case sectionValues = "section values"
    case itemValues = "item values"
    case delegate = "delegate functions"
    case functions
    case attributes
    case columns
    case kinds
    case traits
    case laws
    case calls = "optional functions"
    case extensions
  }

  private let used = Mutex<[Part: Set<String>]>([:])

  func record(_ part: Part, _ names: some Sequence<String>) {
    used.withLock { $0[part, default: []].formUnion(names) }
  }

  /// Records the declarations that a sample sets.
  func record(_ sample: LayoutInput) {
    record(.parameters, sample.parameters.keys)
    record(.lists, sample.lists.filter { $0.value.count > 0 }.keys)
    record(.sectionValues, sample.counts.isEmpty ? [] : Array(sample.sectionValues.keys))
    record(.itemValues, sample.itemCount == 0 ? [] : Array(sample.itemValues.keys))
    record(.delegate, sample.itemCount == 0 ? [] : Array(sample.delegate.keys))
  }

  /// Records the kinds of a layout, and the attributes and columns that say something about one of the
  /// first elements.
  func record(_ elements: Elements) {
    guard !elements.isEmpty else { return }
    record(.kinds, Set(elements.indices.compactMap { elements.identity(at: $0).kind }))
    let known = used.withLock { $0[.attributes, default: []].union($0[.columns, default: []]) }
    let names = elements.columns.headerNames + elements.attributes.map(\.name)
    guard !known.isSuperset(of: names) else { return }
    for element in elements.prefix(1000) {
      record(.columns, element.usedColumns.headerNames)
      let values = zip(elements.attributes, element.attributes)
      record(.attributes, values.filter { $1.isTelling(for: $0) }.map(\.0.name))
    }
  }

  /// Records the functions and extensions that lines of a trace show.
  func record(calls: [String], measured: Bool) {
    let names = Set(calls.map { String($0.prefix { $0 != "(" }) })
    record(.calls, names)
    for (ability, id, call) in EngineAbilities.extensions {
      let isCalled = call.map { call in names.contains { $0.hasPrefix(call) } }
      if isCalled ?? (ability == .sizing && measured) { record(.extensions, [id]) }
    }
  }

  func record(_ other: CoverageRecorder) {
    for (part, names) in other.used.withLock(\.self) { record(part, names) }
  }

  /// The recorded declarations compared with all declarations of an engine.
  func coverage(of engine: Engine) -> [Coverage] {
    let values = engine.settableValues
    let declared: [(Part, [String])] = [
      (.parameters, engine.settableParameters.map(\.name)),
      (.lists, engine.settableLists.map(\.name)),
      (.sectionValues, values.filter { $0.scope == .section }.map(\.name)),
      (.itemValues, values.filter { $0.scope == .item }.map(\.name)),
      (.delegate, engine.delegateFunctions.map(\.name)),
      (.functions, engine.publishedFunctions.map(\.name)),
      (.attributes, Self.unique(engine.chain.flatMap { $0.attributes.map(\.name) })),
      (.columns, engine.builtInColumns.headerNames),
      (.kinds, Self.unique(engine.kinds.map(\.name))), (.traits, engine.traits.names),
      (.laws, engine.laws.names), (.calls, engine.optionalCalls),
      (.extensions, EngineAbilities.extensions.filter { engine.has($0.ability) }.map(\.id)),
    ]
    let used = used.withLock(\.self)
    return declared.filter { !$0.1.isEmpty }.map { part, names in
      Coverage(
        name: part.rawValue, declared: names,
        exercised: names.filter { used[part]?.contains($0) == true })
    }
  }

  /// The sorts of declarations that `declarationsAreUsed` looks for.
  static let sought: [Part] = [.functions, .attributes, .columns, .kinds, .calls, .extensions]

  private static func unique(_ names: [String]) -> [String] {
    var known = Set<String>()
    return names.filter { known.insert($0).inserted }
  }
}

extension Value {
  /// Whether an attribute's value says something: other than the initial value, or a constant other than
  /// zero.
  fileprivate func isTelling(for attribute: AttributeDescription) -> Bool {
    self != attribute.initial || numbers.contains { $0 != 0 }
  }
}

extension Element {
  fileprivate var usedColumns: BuiltInColumns {
    var columns: BuiltInColumns = []
    if transform != .identity { columns.insert(.transform) }
    if alpha != 1 { columns.insert(.alpha) }
    if zIndex != 0 { columns.insert(.zIndex) }
    if isHidden { columns.insert(.hidden) }
    return columns
  }
}

extension EngineAbilities {
  /// The extensions: the ability, the id, and how calls of its functions begin in a trace, where they
  /// are traced.
  fileprivate static var extensions: [(ability: EngineAbilities, id: String, call: String?)] {
    [
      (.updates, "tessera.updates/1", "updates."),
      (.snapping, "tessera.snapping/1", "resting_offset"), (.sizing, "tessera.sizing/1", "sizing."),
      (.reordering, "tessera.reordering/1", "reordering."),
    ]
  }
}

extension Engine {
  /// The functions besides create, prepare and destroy that the host calls.
  fileprivate var optionalCalls: [String] {
    let preparing = chain.first { $0.abilities.contains(.prepare) }
    var calls = traits.contains(.viewport) ? ["adjust"] : []
    if traits.contains(.lazy) { calls += ["elements_in_rect", "element"] }
    if preparing?.abilities.contains(.stillValid) == true { calls.append("still_valid") }
    return calls
  }
}
