extension Sample {
  /// The first items alone, with the values that they have; sections behind them are gone.
  func prefix(items count: Int) -> Sample {
    var result = self
    result.counts = []
    for section in counts where result.itemCount < count {
      result.counts.append(min(section, count - result.itemCount))
    }
    result.sectionValues = sectionValues.compactMapValues {
      $0.dealt(to: result.counts.count)
    }
    result.itemValues = itemValues.compactMapValues { $0.dealt(to: result.itemCount) }
    return result
  }

  /// The same for other item counts; values that each section or item has of its own are dealt out
  /// again from the first, in turn.
  func with(counts: [Int]) -> Sample {
    var result = self
    result.counts = counts
    result.sectionValues = sectionValues.compactMapValues { $0.dealt(to: counts.count) }
    result.itemValues = itemValues.compactMapValues { $0.dealt(to: result.itemCount) }
    return result
  }
}

extension SampleColumn {
  /// The values for so many places, again from the first where there are more places than values.
  ///
  /// Nil where there is no value to give.
  fileprivate func dealt(to count: Int) -> SampleColumn? {
    guard case .each(let values) = self else { return self }
    guard !values.isEmpty, count > 0 else { return nil }
    return .each((0..<count).map { values[$0 % values.count] })
  }
}
