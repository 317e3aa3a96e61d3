extension Sample {
  /// One section alone, halves of the sections, and all but one.
  var withFewerSections: [Sample] {
    guard counts.count > 1 else { return [] }
    let all = Array(counts.indices)
    let half = counts.count / 2
    var kept: [[Int]] = counts.count <= 16 ? all.map { [$0] } : []
    kept += [Array(all[..<half]), Array(all[half...])]
    if counts.count <= 16 { kept += all.map { left in all.filter { $0 != left } } }
    return kept.map { keeping(sections: $0) }
  }

  /// Fewer items in a section: none, then less and less taken away, from its end, its beginning and
  /// between.
  var withFewerItems: [Sample] {
    counts.indices.filter { counts[$0] > 0 }.prefix(16).flatMap { section in
      let count = counts[section]
      var result: [Sample] = []
      var taken = count
      while taken > 0 {
        // Without values of their own all items are alike, and only how many there are matters.
        let isUniform = itemValues.values.allSatisfy { if case .each = $0 { false } else { true } }
        let starts =
          isUniform ? [count - taken] : Array(stride(from: count - taken, through: 0, by: -taken))
        for start in starts.prefix(16) {
          result.append(dropping(start..<start + taken, of: section))
        }
        taken /= 2
      }
      return result
    }
  }

  private func keeping(sections: [Int]) -> Sample {
    var result = self
    result.counts = sections.map { counts[$0] }
    result.sectionValues = sectionValues.mapValues { column in
      column.choosing(sections)
    }
    let starts = self.starts
    result.itemValues = itemValues.mapValues { column in
      column.choosing(sections.flatMap { Array(starts[$0]..<starts[$0] + counts[$0]) })
    }
    return result
  }

  private func dropping(_ items: Range<Int>, of section: Int) -> Sample {
    var result = self
    result.counts[section] -= items.count
    let start = starts[section]
    let dropped = start + items.lowerBound..<start + items.upperBound
    result.itemValues = itemValues.mapValues { column in
      guard case .each(let values) = column else { return column }
      return .each(values.enumerated().filter { !dropped.contains($0.offset) }.map(\.element))
    }
    return result
  }

  private var starts: [Int] {
    counts.reduce(into: [0]) { starts, count in starts.append((starts.last ?? 0) + count) }
  }
}

extension SampleColumn {
  /// The column of some of its places.
  fileprivate func choosing(_ places: [Int]) -> SampleColumn {
    guard case .each(let values) = self else { return self }
    return .each(places.filter(values.indices.contains).map { values[$0] })
  }
}
