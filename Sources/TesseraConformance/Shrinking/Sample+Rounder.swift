import TesseraGeometry
import TesseraHost

extension Sample {
  /// The same with one number rounder, each number in turn.
  var withRounderNumbers: [Sample] {
    var result: [Sample] = []
    func add(_ value: Value, _ set: (inout Sample, Value) -> Void) {
      for rounder in value.rounder {
        var copy = self
        set(&copy, rounder)
        result.append(copy)
      }
    }
    // Bounds as everything starts count as round: whoever reads a report knows them.
    if bounds != Sample().bounds {
      add(.size(bounds)) { if case .size(let size) = $1 { $0.bounds = size } }
    }
    add(.point(offset)) { if case .point(let point) = $1 { $0.offset = point } }
    for path in [\Sample.contentInsets, \.safeAreaInsets, \.layoutMargins] {
      add(.insets(self[keyPath: path])) {
        if case .insets(let insets) = $1 { $0[keyPath: path] = insets }
      }
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      add(value) { $0.parameters[name] = $1 }
    }
    for (name, column) in itemValues.sorted(by: { $0.key < $1.key }) {
      for (place, value) in column.shownValues {
        add(value) { $0.itemValues[name] = column.replacing(place, with: $1) }
      }
    }
    for (name, column) in sectionValues.sorted(by: { $0.key < $1.key }) {
      for (place, value) in column.shownValues {
        add(value) { $0.sectionValues[name] = column.replacing(place, with: $1) }
      }
    }
    return result
  }
}

extension SampleColumn {
  /// The values that are worth rounding, by their places: of many, the first.
  fileprivate var shownValues: [(Int, Value)] {
    switch self {
    case .constant(let value): [(0, value)]
    case .each(let values): Array(values.enumerated().prefix(8)).map { ($0.offset, $0.element) }
    }
  }

  fileprivate func replacing(_ place: Int, with value: Value) -> SampleColumn {
    guard case .each(var values) = self else { return .constant(value) }
    values[place] = value
    return .each(values)
  }
}

extension Value {
  /// The value with rounder numbers: all components at once, then one by one.
  fileprivate var rounder: [Value] {
    if case .choice = self { return [] }
    let numbers = numbers
    var result: [Value] = []
    let ways: [(Double) -> [Double]] = [
      { [$0.rounded()] }, { $0.simpler },
    ]
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
  /// Simpler numbers near this one and small ones, the simplest first.
  fileprivate var simpler: [Double] {
    guard isFinite else { return [0] }
    var candidates = [0, 1, 10, 100, (self / 100).rounded() * 100, (self / 10).rounded() * 10]
    candidates += [rounded(), (self * 2).rounded() / 2, rounded(.down), rounded(.up)]
    // Towards the threshold of what fails, by halves: the shortest that still does is kept.
    if self == rounded(), magnitude > 1 {
      candidates += [(self / 2).rounded(), self - (self / 4).rounded(), self - (self < 0 ? -1 : 1)]
    }
    var known = Set<Double>()
    return candidates.filter { $0.isSimpler(than: self) && known.insert($0).inserted }
  }

  /// Fewer digits to write, or as many and nearer to 0.
  fileprivate func isSimpler(than other: Double) -> Bool {
    let (mine, others) = (shortText.utf8.count, other.shortText.utf8.count)
    return mine < others || mine == others && magnitude < other.magnitude
  }
}
