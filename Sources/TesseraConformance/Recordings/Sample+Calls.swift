import TesseraHost
import TesseraScenario

extension Sample {
  /// What `apply(to:)` sets in a session that nothing was set in, as calls.
  public var calls: [SessionCall] {
    var calls: [SessionCall] = [
      .bounds(bounds), .offset(offset), .contentInsets(contentInsets),
      .safeAreaInsets(safeAreaInsets), .layoutMargins(layoutMargins), .scale(scale),
      .direction(direction),
    ]
    calls += parameters.sorted { $0.key < $1.key }.map { .parameter($0.key, $0.value) }
    calls.append(.sections(counts))
    for (name, values) in sectionValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { calls.append(.sectionValues(name, column)) }
    }
    for (name, values) in itemValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { calls.append(.itemValues(name, column)) }
    }
    calls += delegate.sorted { $0.key < $1.key }.map { .delegate($0.key, .string($0.value)) }
    if let measure { calls.append(.measure(.string(measure))) }
    return calls
  }
}
