import TesseraGeometry
import TesseraHost

// A sample is the input of a case.

extension LayoutInput {
  func with(_ change: (inout LayoutInput) -> Void) -> LayoutInput {
    var copy = self
    change(&copy)
    return copy
  }

  var paths: [ItemPath] {
    counts.enumerated().flatMap { section, count in
      (0..<count).map { ItemPath(section: section, item: $0) }
    }
  }

  /// Index of each section's first item, then the item count.
  var starts: [Int] { counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) } }

  func count(of description: ValueDescription) -> Int {
    description.scope == .section ? counts.count : itemCount
  }

  /// Sets a separate value for each section or item, by its place among all.
  mutating func set(_ description: ValueDescription, _ value: (Int) -> Value) {
    let values = (0..<count(of: description)).map(value)
    self[description] = values.isEmpty ? nil : ValueColumn(values, type: description.type)
  }

  var extent: Size {
    Size(
      width: max(0, self.bounds.width - self.contentInsets.left - self.contentInsets.right),
      height: max(0, self.bounds.height - self.contentInsets.top - self.contentInsets.bottom))
  }

  func prefix(items count: Int) -> LayoutInput {
    var (kept, left) = ([Int](), count)
    for section in counts where left > 0 {
      kept.append(min(section, left))
      left -= min(section, left)
    }
    return with(counts: kept)
  }

  /// Removes whatever a message names; nil if it names nothing.
  func without(namesIn sentence: String) -> LayoutInput? {
    let words = Set(sentence.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    var result = self
    result.parameters = parameters.filter { !words.contains($0.key) }
    result.lists = lists.filter { !words.contains($0.key) }
    result.sectionValues = sectionValues.filter { !words.contains($0.key) }
    result.itemValues = itemValues.filter { !words.contains($0.key) }
    return result == self ? nil : result
  }

  /// Separate values are repeated in order.
  func with(counts: [Int]) -> LayoutInput {
    var result = self
    result.counts = counts
    result.sectionValues = sectionValues.compactMapValues { $0.dealt(to: counts.count) }
    result.itemValues = itemValues.compactMapValues { $0.dealt(to: result.itemCount) }
    return result
  }
}

extension ValueColumn {
  /// Repeats values as needed; nil without values.
  fileprivate func dealt(to count: Int) -> ValueColumn? {
    guard let values = each else { return self }
    guard !values.isEmpty, count > 0 else { return nil }
    return ValueColumn((0..<count).map { values[$0 % values.count] }, type: type)
  }
}
