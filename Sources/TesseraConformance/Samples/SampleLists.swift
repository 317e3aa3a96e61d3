import TesseraHost
import TesseraScenario

extension Engine {
  /// Most random records are meaningless, such as a leaf with an inner node's choice.
  var acceptedLists: [String: [RecordList]] {
    let (tries, most, enough) = (240, 1200, 12)
    var accepted: [String: [RecordList]] = [:]
    guard !settableLists.isEmpty, let session = try? Session(self) else { return [:] }
    var sampling = Sampling(for: self, random: SeededNumbers(seed: 1, name: "lists"))
    try? LayoutInput(counts: [7, 0, 4]).apply(to: session)
    for list in settableLists {
      var found: [RecordList] = []
      for number in 0..<most where found.count < enough + (number < tries ? 0 : 4) {
        // A tree needs three records for two children; some kinds of records fit in few places.
        let records =
          number < tries || found.isEmpty
          ? sampling.records(of: list, count: number < 4 ? 1 : 2 + number % 11)
          : sampling.longer(sampling.random.pick(found), of: list)
        do throws(HostError) {
          try session.setList(list.name, to: records)
          _ = try session.contentSize()
          if !found.contains(records) { found.append(records) }
        } catch {
          if error.kind == .died { return accepted }
        }
      }
      try? session.setList(list.name, to: nil)
      accepted[list.name] = found
    }
    return accepted
  }
}

extension Sampling {
  mutating func acceptedRecords(of list: ListDescription) -> RecordList? {
    guard let found = lists[list.name], !found.isEmpty else { return nil }
    return random.pick(found)
  }

  /// In half of the trees, leaves share a choice that no inner node has.
  mutating func records(of list: ListDescription, count: Int) -> RecordList {
    let first = random.once(in: 2) ? 0 : -1
    var parents = (0..<count).map { record in
      record == 0 || first < 0 && random.once(in: 4)
        ? -1 : Int.random(in: first..<record, using: &random)
    }
    if random.once(in: 4) { parents = parents.reversed().map { $0 < 0 ? $0 : count - 1 - $0 } }
    let isInner = (0..<count).map { parents.contains($0) }
    var columns: [String: ValueColumn] = [:]
    for column in list.columns {
      if column == list.parent {
        columns[column.name] = .integers(parents.map(Int64.init))
      } else if column.type == .choice, list.parent != nil, random.once(in: 2) {
        let leaf = random.pick(column.choices)
        let inner = column.choices.filter { $0 != leaf }
        let others = inner.isEmpty ? [leaf] : [random.pick(inner), random.pick(inner)]
        columns[column.name] = .choices(isInner.map { $0 ? random.pick(others) : leaf })
      } else if random.once(in: 2) {
        // Some lengths are compared with the bounds.
        let isLong = column.type == .number && column.unit == "pt" && random.once(in: 3)
        columns[column.name] = ValueColumn(
          (0..<count).map { _ in
            let value = value(of: column)
            return isLong ? column.clamped(.number(16 * value.numbers[0])) : value
          }, type: column.type)
      }
    }
    return RecordList(count: count, columns: columns)
  }

  fileprivate mutating func longer(_ records: RecordList, of list: ListDescription) -> RecordList {
    let last = records.count
    var longer = records.repeated(last + 1) { min($0, last - 1) }
    for column in list.columns {
      let value =
        column == list.parent
        ? Value.integer(Int64.random(in: 0..<Int64(last), using: &random)) : value(of: column)
      longer = longer.with([last: value], of: column)
    }
    return longer
  }

  /// One list per sample: initial values, then random ones.
  mutating func lists(ofLengths lengths: [Int]) -> [LayoutInput] {
    engine.settableLists.flatMap { list in
      lengths.flatMap { length in
        [RecordList(count: length), records(of: list, count: length)].map { records in
          LayoutInput(counts: [7, 0, 5]).with { $0.lists[list.name] = records }
        }
      }
    }
  }

  func longLists(_ count: Int) -> [LayoutInput] {
    engine.settableLists.flatMap { list in
      Self.shapes.flatMap { shape -> [LayoutInput] in
        guard let records = grown(list, count: count, shape.parent) else { return [] }
        return [[7, 0, 5], [count]].map { counts in
          LayoutInput(counts: counts).with { $0.lists[list.name] = records }
        }
      }
    }
  }

  mutating func oddLists() -> [LayoutInput] {
    engine.settableLists.flatMap { list in
      let odd = list.columns.flatMap { column in
        column.odd(isParent: column == list.parent).flatMap { value in
          let usual = acceptedRecords(of: list) ?? records(of: list, count: 4)
          let all = Array(0..<usual.count)
          return [[0], [usual.count - 1], all].map { places in
            usual.with(Dictionary(uniqueKeysWithValues: places.map { ($0, value) }), of: column)
          } + [usual.prefix(1).with([0: value], of: column)]
        }
      }
      return (odd + oddTrees(of: list)).map { records in
        LayoutInput(counts: [7, 0, 5]).with { $0.lists[list.name] = records }
      }
    }
  }

  /// Cycles of one to three records, trees that lead into a cycle, and children before parents.
  private mutating func oddTrees(of list: ListDescription) -> [RecordList] {
    guard let parent = list.parent else { return [] }
    let usual = lists[list.name]?.max { $0.count < $1.count } ?? records(of: list, count: 5)
    let count = usual.count
    let circles: [[Int: Int]] = [
      [0: 0], [1: 1], [0: 1, 1: 0], [0: 1, 1: 2, 2: 0], [1: 2, 2: 1],
      [0: 1, 1: 0, 2: 0, 3: 2], [0: count - 1], [0: 0, 1: 0, 2: 1],
    ]
    let circular = circles.filter { $0.keys.allSatisfy { $0 < count } && $0.values.max()! < count }
      .map { circle in usual.with(circle.mapValues { Value.integer(Int64($0)) }, of: parent) }
    return circular + [usual.reversed(parent)]
  }

  /// The parent of each record, by record and count.
  static let shapes: [(name: String, parent: @Sendable (Int, Int) -> Int)] = [
    ("records without parents", { _, _ in -1 }),
    ("records with one parent", { record, _ in record == 0 ? -1 : 0 }),
    ("records in a chain", { record, _ in record - 1 }),
    ("records in a chain from its end", { $0 + 1 == $1 ? -1 : $0 + 1 }),
  ]

  /// Grows a list in a shape by copying records with the same role; nil if a role is missing.
  func grown(_ list: ListDescription, count: Int, _ parentOf: (Int, Int) -> Int) -> RecordList? {
    let parents = (0..<count).map { parentOf($0, count) }
    guard let parent = list.parent else {
      let isFlat = parents.allSatisfy { $0 < 0 }
      return isFlat ? lists[list.name]?.first?.repeated(count) { _ in 0 } : nil
    }
    /// 0 to 3: alone, root, leaf, inner node.
    func roles(_ parents: [Int]) -> [Int] {
      let inner = Set(parents)
      return parents.enumerated().map { ($1 < 0 ? 0 : 2) + (inner.contains($0) ? 1 : 0) }
    }
    let needed = roles(parents)
    for model in lists[list.name] ?? [] {
      let known = roles((0..<model.count).map { model.parent(of: $0, parent) })
      let places = (0..<4).map { role in
        known.firstIndex(of: role) ?? (role == 3 ? known.firstIndex(of: 1) : nil)
      }
      guard Set(needed).allSatisfy({ places[$0] != nil }) else { continue }
      return model.repeated(count) { places[needed[$0]]! }.with(parent) { parents[$0] }
    }
    return nil
  }
}

extension LayoutInput {
  func withEveryColumn(of engine: Engine) -> LayoutInput {
    var sample = self
    for list in engine.settableLists {
      guard let records = lists[list.name] else { continue }
      for column in list.columns where records.columns[column.name]?.count == nil {
        sample.lists[list.name] = sample.lists[list.name]?.with([:], of: column)
      }
    }
    return sample
  }
}

extension RecordList {
  func with(_ changes: [Int: Value], of column: ParameterDescription) -> RecordList {
    var values = (0..<count).map { columns[column.name]?[$0] ?? column.initial }
    for (place, value) in changes { values[place] = value }
    let changed = ValueColumn(values, type: column.type)
    return RecordList(count: count, columns: columns.merging([column.name: changed]) { $1 })
  }

  fileprivate func repeated(_ count: Int, _ place: (Int) -> Int) -> RecordList {
    RecordList(
      count: count,
      columns: columns.mapValues { column in
        column.count == nil
          ? column : ValueColumn((0..<count).map { column[place($0)] }, type: column.type)
      })
  }

  fileprivate func with(_ parent: ParameterDescription, _ place: (Int) -> Int) -> RecordList {
    let places = (0..<count).map { Value.integer(Int64(place($0))) }
    let column = ValueColumn(places, type: parent.type)
    return RecordList(count: count, columns: columns.merging([parent.name: column]) { $1 })
  }

  fileprivate func parent(of record: Int, _ parent: ParameterDescription) -> Int {
    (columns[parent.name]?[record] ?? parent.initial).whole(Int.self) ?? -1
  }

  /// Parents come after their children.
  fileprivate func reversed(_ parent: ParameterDescription) -> RecordList {
    let last = count - 1
    return repeated(count) { last - $0 }.with(parent) { record in
      let old = self.parent(of: last - record, parent)
      return old < 0 ? old : last - old
    }
  }
}

extension ParameterDescription {
  fileprivate func odd(isParent: Bool) -> [Value] {
    let limits = [lowerLimit, upperLimit].compactMap(\.self)
    guard type.isOrdered else { return limits }
    let numbers: [Double] =
      isParent
      ? [-2, 0, 1, 3, 99, 0x1p32, 0x1p53]
      : type.isWhole
        ? [-1, 0, 256, 0x1p31, 0x1p32, 0x1p53] : [-1, 0, 1e12, .leastNonzeroMagnitude]
    return limits + numbers.compactMap(allowed)
  }

  /// Sets every component; nil outside the limits.
  func allowed(_ number: Double) -> Value? {
    let isAllowed = zip(minimum, maximum).allSatisfy { $0 <= number && number <= $1 }
    return isAllowed ? type.filled(with: number) : nil
  }
}
