import TesseraGeometry
import TesseraHost

extension Sample {
  /// Samples that are simpler than this one, those that leave out most first.
  public func smaller() -> [Sample] {
    var result = plainer
    result += withFewerSections
    result += withFewerItems
    result += withoutNames
    result += withConstants
    result += withRounderNumbers
    return result
  }

  private func with(_ change: (inout Sample) -> Void) -> Sample {
    var copy = self
    change(&copy)
    return copy
  }

  /// The surroundings as everything starts, all at once and one by one.
  private var plainer: [Sample] {
    let plain = Sample()
    let changes: [(inout Sample) -> Void] = [
      { $0.contentInsets = .zero }, { $0.safeAreaInsets = .zero }, { $0.layoutMargins = .zero },
      { $0.offset = .zero }, { $0.scale = plain.scale }, { $0.direction = .leftToRight },
      { $0.bounds = plain.bounds }, { $0.measure = nil },
    ]
    let all = with { sample in for change in changes { change(&sample) } }
    return ([all] + changes.map(with)).filter { $0 != self }
  }

  /// Parameters, values and answers left out, all at once and one by one.
  private var withoutNames: [Sample] {
    let names = parameters.count + sectionValues.count + itemValues.count + delegate.count
    var result: [Sample] = []
    if names > 1 {
      result.append(
        with {
          ($0.parameters, $0.sectionValues, $0.itemValues, $0.delegate) = ([:], [:], [:], [:])
        })
    }
    for name in parameters.keys.sorted() { result.append(with { $0.parameters[name] = nil }) }
    for name in itemValues.keys.sorted() { result.append(with { $0.itemValues[name] = nil }) }
    for name in sectionValues.keys.sorted() {
      result.append(with { $0.sectionValues[name] = nil })
    }
    for name in delegate.keys.sorted() { result.append(with { $0.delegate[name] = nil }) }
    return result
  }

  /// Columns that become one value for all.
  private var withConstants: [Sample] {
    var result: [Sample] = []
    for (name, column) in itemValues.sorted(by: { $0.key < $1.key }) {
      guard case .each(let values) = column, let first = values.first else { continue }
      result.append(with { $0.itemValues[name] = .constant(first) })
    }
    for (name, column) in sectionValues.sorted(by: { $0.key < $1.key }) {
      guard case .each(let values) = column, let first = values.first else { continue }
      result.append(with { $0.sectionValues[name] = .constant(first) })
    }
    return result
  }
}
