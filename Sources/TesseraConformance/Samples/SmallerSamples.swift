import TesseraGeometry
import TesseraHost

extension LayoutInput {
  /// Simpler samples, simplest first.
  func smaller() -> [LayoutInput] {
    [
      plainer, withFewerSections, withFewerItems, withoutNames, withFewerRecords, withConstants,
      withRounderNumbers,
    ].flatMap(\.self)
  }

  private var plainer: [LayoutInput] {
    let plain = Viewport()
    let resets: [(inout LayoutInput) -> Void] = LayoutField.settings.map { field in
      { field.set(field.value(in: plain), in: &$0.viewport) }
    }
    let changes = resets + [{ $0.measure = nil }]
    let all = with { sample in for change in changes { change(&sample) } }
    return ([all] + changes.map(with)).filter { $0 != self }
  }

  private var withoutNames: [LayoutInput] {
    let names =
      parameters.count + lists.count + sectionValues.count + itemValues.count + delegate.count
    let all = with {
      ($0.parameters, $0.lists, $0.delegate) = ([:], [:], [:])
      ($0.sectionValues, $0.itemValues) = ([:], [:])
    }
    return (names > 1 ? [all] : []) + parameters.keys.sorted().map { without(\.parameters, $0) }
      + lists.keys.sorted().map { without(\.lists, $0) } + columns.map { without($0.path, $0.name) }
      + delegate.keys.sorted().map { without(\.delegate, $0) }
  }

  private func without<Value>(
    _ path: WritableKeyPath<LayoutInput, [String: Value]>, _ name: String
  ) -> LayoutInput {
    with { $0[keyPath: path][name] = nil }
  }

  private typealias Columns = WritableKeyPath<LayoutInput, [String: ValueColumn]>

  private var columns: [(path: Columns, name: String, column: ValueColumn)] {
    let paths: [Columns] = [\.itemValues, \.sectionValues]
    return paths.flatMap { path in
      self[keyPath: path].sorted { $0.key < $1.key }.map { (path, $0.key, $0.value) }
    }
  }

  private var withFewerRecords: [LayoutInput] {
    lists.sorted { $0.key < $1.key }.flatMap { name, records in
      let shorter = Set([0, 1, records.count / 2, records.count - 1]).sorted()
        .filter { 0..<records.count ~= $0 }.map { records.prefix($0) }
      let narrower = records.columns.keys.sorted().map { column in
        RecordList(count: records.count, columns: records.columns.filter { $0.key != column })
      }
      return (shorter + narrower).map { list in with { $0.lists[name] = list } }
    }
  }

  private var withConstants: [LayoutInput] {
    columns.compactMap { path, name, column in
      column.each?.first.map { first in with { $0[keyPath: path][name] = .constant(first) } }
    }
  }
}

extension LayoutInput {
  var withFewerSections: [LayoutInput] {
    guard counts.count > 1 else { return [] }
    let all = Array(counts.indices)
    let half = counts.count / 2
    var kept: [[Int]] = counts.count <= 16 ? all.map { [$0] } : []
    kept += [Array(all[..<half]), Array(all[half...])]
    if counts.count <= 16 { kept += all.map { left in all.filter { $0 != left } } }
    return kept.map { keeping(sections: $0) }
  }

  /// Removes fewer and fewer items, from the end, start and middle.
  var withFewerItems: [LayoutInput] {
    counts.indices.filter { counts[$0] > 0 }.prefix(16).flatMap { section in
      let count = counts[section]
      var result: [LayoutInput] = []
      var taken = count
      while taken > 0 {
        // Without separate values, only the number of items matters.
        let isUniform = itemValues.values.allSatisfy { $0.count == nil }
        let starts =
          isUniform ? [count - taken] : Array(stride(from: count - taken, through: 0, by: -taken))
        result += starts.prefix(16).map { dropping($0..<$0 + taken, of: section) }
        taken /= 2
      }
      return result
    }
  }

  private func keeping(sections: [Int]) -> LayoutInput {
    var result = self
    result.counts = sections.map { counts[$0] }
    result.sectionValues = sectionValues.mapValues { column in column.choosing(sections) }
    let starts = self.starts
    result.itemValues = itemValues.mapValues { column in
      column.choosing(sections.flatMap { Array(starts[$0]..<starts[$0] + counts[$0]) })
    }
    return result
  }

  private func dropping(_ items: Range<Int>, of section: Int) -> LayoutInput {
    var result = self
    result.counts[section] -= items.count
    let start = starts[section]
    let dropped = start + items.lowerBound..<start + items.upperBound
    result.itemValues = itemValues.mapValues { column in
      guard let values = column.each else { return column }
      return ValueColumn(
        values.enumerated().filter { !dropped.contains($0.offset) }.map(\.element),
        type: column.type)
    }
    return result
  }
}

extension ValueColumn {
  fileprivate func choosing(_ places: [Int]) -> ValueColumn {
    guard let values = each else { return self }
    return ValueColumn(places.filter(values.indices.contains).map { values[$0] }, type: type)
  }
}

extension LayoutInput {
  var withRounderNumbers: [LayoutInput] {
    var result: [LayoutInput] = []
    func add(_ value: Value, _ set: (inout LayoutInput, Value) -> Void) {
      result += value.rounder.map { rounder in with { set(&$0, rounder) } }
    }
    // Default bounds count as round: readers know them.
    for field in LayoutField.settings where field.type.isVector {
      let value = field.value(in: viewport)
      guard field != .bounds || value != field.value(in: Viewport()) else { continue }
      add(value) { field.set($1, in: &$0.viewport) }
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      add(value) { $0.parameters[name] = $1 }
    }
    for (name, records) in lists.sorted(by: { $0.key < $1.key }) {
      for (title, column) in records.columns.sorted(by: { $0.key < $1.key }) {
        for (place, value) in column.shownValues {
          add(value) { sample, rounder in
            let columns = records.columns.merging([title: column.replacing(place, with: rounder)]) {
              $1
            }
            sample.lists[name] = RecordList(count: records.count, columns: columns)
          }
        }
      }
    }
    for (path, name, column) in columns {
      for (place, value) in column.shownValues {
        add(value) { $0[keyPath: path][name] = column.replacing(place, with: $1) }
      }
    }
    return result
  }
}

extension ValueColumn {
  fileprivate var shownValues: [(Int, Value)] { (0..<min(count ?? 1, 8)).map { ($0, self[$0]) } }

  fileprivate func replacing(_ place: Int, with value: Value) -> ValueColumn {
    guard var values = each else { return .constant(value) }
    values[place] = value
    return ValueColumn(values, type: type)
  }
}

extension Value {
  fileprivate var rounder: [Value] {
    if case .choice = self { return [] }
    let numbers = numbers
    var result: [Value] = []
    let ways: [(Double) -> [Double]] = [{ [$0.rounded()] }, { $0.simpler }]
    for way in ways {
      let all = numbers.map { number in way(number).first { $0.isSimpler(than: number) } ?? number }
      if all != numbers, let value = Value(type: type, numbers: all) { result.append(value) }
    }
    for index in numbers.indices {
      for candidate in numbers[index].simpler {
        var changed = numbers
        changed[index] = candidate
        if let value = Value(type: type, numbers: changed) { result.append(value) }
      }
    }
    return result
  }
}

extension Double {
  fileprivate var simpler: [Double] {
    guard isFinite else { return [0] }
    var candidates = [0, 1, 10, 100, (self / 100).rounded() * 100, (self / 10).rounded() * 10]
    candidates += [rounded(), (self * 2).rounded() / 2, rounded(.down), rounded(.up)]
    // Bisects towards the smallest failing number.
    if self == rounded(), magnitude > 1 {
      candidates += [(self / 2).rounded(), self - (self / 4).rounded(), self - (self < 0 ? -1 : 1)]
    }
    var known = Set<Double>()
    return candidates.filter { $0.isSimpler(than: self) && known.insert($0).inserted }
  }

  /// Fewer digits, or as many and closer to 0.
  fileprivate func isSimpler(than other: Double) -> Bool {
    let (mine, others) = (shortText.utf8.count, other.shortText.utf8.count)
    return mine < others || mine == others && magnitude < other.magnitude
  }
}
