import Synchronization
import TesseraHost

/// What a run touched of what an engine declares.
public struct Coverage: Sendable {
  /// One sort of what engines declare.
  public struct Part: Sendable, Equatable {
    /// "parameters", "item values", "kinds".
    public let name: String
    /// The names that the engine and its bases declare, in their order.
    public let declared: [String]
    /// Those of them that the run touched.
    public let exercised: [String]

    /// Those that the run did not touch.
    public var untouched: [String] { declared.filter { !exercised.contains($0) } }
  }

  /// The sorts of which the engine declares anything.
  public let parts: [Part]
}

/// Takes down, from several threads at once, what a run touches.
final class CoverageRecorder: Sendable {
  /// What names belong to; the raw values are those of reports.
  enum Part: String, CaseIterable {
    case parameters
    case sectionValues = "section values"
    case itemValues = "item values"
    case delegate = "delegate functions"
    case functions
    case attributes
    case kinds
    case traits
  }

  private let touched = Mutex<[Part: Set<String>]>([:])

  func record(_ part: Part, _ names: some Sequence<String>) {
    touched.withLock { $0[part, default: []].formUnion(names) }
  }

  /// A session was given a sample.
  func record(_ sample: Sample) {
    record(.parameters, sample.parameters.keys)
    record(.sectionValues, sample.counts.isEmpty ? [] : Array(sample.sectionValues.keys))
    record(.itemValues, sample.itemCount == 0 ? [] : Array(sample.itemValues.keys))
    record(.delegate, sample.itemCount == 0 ? [] : Array(sample.delegate.keys))
  }

  /// A layout was looked at.
  func record(_ elements: Elements) {
    guard !elements.isEmpty else { return }
    record(.attributes, elements.attributes.map(\.name))
    record(.kinds, Set(elements.indices.compactMap { elements.identity(at: $0).kind }))
  }

  /// A published function was called.
  func recordCall(_ name: String) { record(.functions, [name]) }

  /// What was touched against what an engine declares.
  func coverage(of engine: Engine) -> Coverage {
    let declared: [(Part, [String])] = [
      (.parameters, engine.settableParameters.map(\.name)),
      (.sectionValues, engine.settableValues.filter { $0.scope == .section }.map(\.name)),
      (.itemValues, engine.settableValues.filter { $0.scope == .item }.map(\.name)),
      (.delegate, engine.delegateFunctions.map(\.name)),
      (.functions, engine.publishedFunctions.map(\.name)),
      (.attributes, Self.unique(engine.chain.flatMap { $0.attributes.map(\.name) })),
      (.kinds, Self.unique(engine.kinds.map(\.name))),
      (.traits, engine.traits.names),
    ]
    let touched = touched.withLock(\.self)
    return Coverage(
      parts: declared.filter { !$0.1.isEmpty }.map { part, names in
        Coverage.Part(
          name: part.rawValue, declared: names,
          exercised: names.filter { touched[part]?.contains($0) == true })
      })
  }

  private static func unique(_ names: [String]) -> [String] {
    var known = Set<String>()
    return names.filter { known.insert($0).inserted }
  }
}
