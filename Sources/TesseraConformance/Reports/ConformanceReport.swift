import Glibc
import Synchronization
import TesseraHost

/// The result of one case.
public struct CaseResult: Sendable {
  /// The case that ran.
  public let examined: ConformanceCase
  /// The verdict.
  public let verdict: Verdict
  /// The number of passed samples.
  public let samples: Int
  /// The time it took.
  public let duration: Duration

  /// What goes wrong for users.
  public var why: String {
    verdict.finding?.error?.death == nil
      ? examined.why
      : "Users see an error instead of a layout, and without isolation their program ends, too"
  }

  /// How to fix a finding.
  public var remedy: String {
    guard let finding = verdict.finding else { return examined.remedy }
    // The remedy of a case that provokes crashes is more precise.
    if finding.error?.code == .crashed, examined.explainsCrashes {
      return "\(examined.remedy); a debugger shows where"
    }
    return finding.error?.advice ?? finding.remedy ?? examined.remedy
  }

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

let checkArguments =
  "Check every argument of the function before it is an index, with bounds that prepare wrote: a program may "
  + "ask about sections and items that do not exist, and before there are any"

/// The results of a run of the suite.
public struct ConformanceReport: Sendable, CustomStringConvertible {
  /// The engine's name on the command line.
  public let subject: String
  /// Nil if the engine could not be loaded.
  public let engine: EngineDescription?
  /// The library's path; nil if the engine could not be loaded.
  public let library: String?
  /// The level of the run.
  public let level: CaseLevel
  /// The random seed.
  public let seed: UInt64
  /// In the order of the catalogue.
  public private(set) var results: [CaseResult]
  /// The declarations that were exercised; nil if the engine could not be loaded.
  public let coverage: [Coverage]?
  /// The time it took.
  public let duration: Duration

  /// Appends results, for goldens.
  public func adding(_ more: [CaseResult]) -> ConformanceReport {
    var report = self
    report.results += more
    return report
  }

  /// Whether no case failed or crashed.
  public var isPassed: Bool { count("failed") + count("crashed") == 0 }

  /// Whether every case was skipped.
  public var isSkipped: Bool { count("skipped") == results.count }

  /// Whether no case failed, crashed or warned.
  public var isStrictlyPassed: Bool { isPassed && count("warning") == 0 }

  /// The number of cases with this verdict.
  public func count(_ verdict: String) -> Int { results.count(verdict) }

  func results(in category: CaseCategory) -> [CaseResult] {
    results.filter { $0.examined.category == category }
  }

  var categories: [CaseCategory] { CaseCategory.allCases.filter { !results(in: $0).isEmpty } }

  var title: String { engine?.id ?? subject }

  /// The report as text, without passed cases and colours.
  public var description: String { text() }
}

extension [CaseResult] {
  func count(_ verdict: String) -> Int { count { $0.verdict.name == verdict } }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }

  var text: String {
    let thousandths = Int((seconds * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

struct Violation: Error, Sendable {
  /// Completes "expected …".
  var expected: String
  var found: String
  /// Warns only, since it depends on the machine.
  var isWarning = false
  var pictures: (expected: LayoutImage, found: LayoutImage)?
  /// Overrides the case's remedy.
  var remedy: String?
  /// The same calls gave two results, as after memory corruption.
  var isOfChance = false
}

/// A violation, crash or warning, and how to reproduce it.
public struct Finding: Sendable {
  /// The smallest failing input; nil if the input doesn't matter.
  public var sample: LayoutInput?
  /// What the rule requires.
  public var expected: String
  /// The actual result.
  public var found: String
  /// The seed of the run.
  public var seed: UInt64
  /// The command that reproduces the finding.
  public var command: String
  /// The command that lays out this input.
  public var layoutCommand: String?
  /// The expected and the actual layout.
  public var pictures: (expected: LayoutImage, found: LayoutImage)?
  /// The host's error; nil if the case found the problem.
  public var error: HostError?
  /// The plain sample, which the case needs, ended the engine's process.
  var isOfPlainSample = false
  /// Overrides the case's remedy.
  public var remedy: String?
  var isOfChance = false
  /// Equal for findings with the same root cause; nil if unknown.
  public var cause: String?

  var isCrash: Bool { error?.code == .crashed && !isOfPlainSample }

  var hangingCall: String? { error?.code == .hung ? error?.death?.call : nil }
}

/// The verdict on a case.
public enum Verdict: Sendable {
  case passed
  case failed(Finding)
  /// The engine crashed or hung.
  case crashed(Finding)
  /// A possible problem; the result depends on the machine.
  case warning(Finding)
  /// The reason.
  case skipped(String)

  static let names = ["passed", "failed", "crashed", "warning", "skipped"]

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

  /// The finding of a failure, crash or warning.
  public var finding: Finding? {
    switch self {
    case .failed(let finding), .crashed(let finding), .warning(let finding): finding
    case .passed, .skipped: nil
    }
  }
}

/// Which declarations of one sort a run exercised.
public struct Coverage: Sendable, Equatable {
  /// "parameters", "item values", "kinds".
  public let name: String
  /// Names declared by the engine and its bases, in order.
  public let declared: [String]
  /// Names that the run used.
  public let exercised: [String]

  var count: String { "\(exercised.count) of \(declared.count)" }

  /// Names that the run did not use.
  public var unused: [String] { declared.filter { !exercised.contains($0) } }
}

extension [Coverage] {
  var lines: [String] {
    guard !isEmpty else { return [] }
    let counts = map { "\($0.count) \($0.name)" }
    return ["Exercised: \(counts.joined(separator: ", "))"]
      + filter { !$0.unused.isEmpty }.map {
        "  not exercised: \($0.name) \($0.unused.joined(separator: ", "))"
      }
  }
}

final class CoverageRecorder: Sendable {
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

  func record(_ sample: LayoutInput) {
    record(.parameters, sample.parameters.keys)
    record(.lists, sample.lists.filter { $0.value.count > 0 }.keys)
    record(.sectionValues, sample.counts.isEmpty ? [] : Array(sample.sectionValues.keys))
    record(.itemValues, sample.itemCount == 0 ? [] : Array(sample.itemValues.keys))
    record(.delegate, sample.itemCount == 0 ? [] : Array(sample.delegate.keys))
  }

  /// Records kinds, and attributes and columns with a telling value in one of the first elements.
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

  static let sought: [Part] = [.functions, .attributes, .columns, .kinds, .calls, .extensions]

  private static func unique(_ names: [String]) -> [String] {
    var known = Set<String>()
    return names.filter { known.insert($0).inserted }
  }
}

extension Value {
  /// Whether the value is neither the initial one nor a constant zero.
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
  fileprivate static var extensions: [(ability: EngineAbilities, id: String, call: String?)] {
    [
      (.updates, "tessera.updates/1", "updates."),
      (.snapping, "tessera.snapping/1", "resting_offset"), (.sizing, "tessera.sizing/1", "sizing."),
      (.reordering, "tessera.reordering/1", "reordering."),
    ]
  }
}

extension Engine {
  fileprivate var optionalCalls: [String] {
    let preparing = chain.first { $0.abilities.contains(.prepare) }
    var calls = traits.contains(.viewport) ? ["adjust"] : []
    if traits.contains(.lazy) { calls += ["elements_in_rect", "element"] }
    if preparing?.abilities.contains(.stillValid) == true { calls.append("still_valid") }
    return calls
  }
}
