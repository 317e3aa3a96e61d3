import Synchronization
import TesseraHost
import TesseraScenario

/// Lists that an engine accepts, for random samples, found once in a run.
///
/// Most random records mean nothing to an engine, such as a leaf of a tree that has the choice of an
/// inner record. Samples therefore have lists that were laid out before.
final class AcceptedLists: Sendable {
  private let known = Mutex<[String: [RecordList]]?>(nil)

  private static let tries = 48
  private static let enough = 12

  /// The lists by name; none for an engine without lists, or one whose process ends.
  func lists(of engine: Engine) -> [String: [RecordList]] {
    guard !engine.settableLists.isEmpty else { return [:] }
    return known.withLock { known in
      let found = known ?? Self.find(engine)
      known = found
      return found
    }
  }

  private static func find(_ engine: Engine) -> [String: [RecordList]] {
    var sampling = Sampling(for: engine, random: SeededNumbers(seed: 1, name: "lists"))
    var accepted: [String: [RecordList]] = [:]
    guard let session = try? Session(engine) else { return [:] }
    try? LayoutInput(counts: [7, 0, 4]).apply(to: session)
    for list in engine.settableLists {
      var found: [RecordList] = []
      for number in 0..<tries where found.count < enough {
        let records = sampling.records(of: list, count: number < 4 ? 1 : 1 + number / 4)
        do throws(HostError) {
          try session.setList(list.name, to: records)
          _ = try session.contentSize()
          if !found.contains(records) { found.append(records) }
        } catch {
          // Other cases report it.
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
  /// One of the lists that the engine accepts, or nil for an empty one.
  mutating func acceptedRecords(of list: ListDescription) -> RecordList? {
    guard let found = lists[list.name], !found.isEmpty else { return nil }
    return random.pick(found)
  }

  /// Random records, in a tree if the list is one.
  ///
  /// In half of them, the leaves of a tree share a choice that no inner record has.
  mutating func records(of list: ListDescription, count: Int) -> RecordList {
    let parents = (0..<count).map { record in
      random.once(in: 4) ? -1 : Int.random(in: -1..<record, using: &random)
    }
    let isInner = (0..<count).map { parents.contains($0) }
    var columns: [String: ValueColumn] = [:]
    for column in list.columns {
      if column == list.parent {
        columns[column.name] = .integers(parents.map(Int64.init))
      } else if column.type == .choice, list.parent != nil, random.once(in: 2) {
        let leaf = random.pick(column.choices)
        let others = column.choices.count > 1 ? column.choices.filter { $0 != leaf } : [leaf]
        columns[column.name] = .choices(isInner.map { $0 ? random.pick(others) : leaf })
      } else if random.once(in: 2) {
        columns[column.name] = ValueColumn(
          (0..<count).map { _ in value(of: column) }, type: column.type)
      }
    }
    return RecordList(count: count, columns: columns)
  }

  /// Samples with one list each of so many records: all with the initial values, and random ones.
  mutating func lists(ofLengths lengths: [Int]) -> [LayoutInput] {
    engine.settableLists.flatMap { list in
      lengths.flatMap { length in
        [RecordList(count: length), records(of: list, count: length)].map { records in
          var sample = LayoutInput(counts: [7, 0, 5])
          sample.lists[list.name] = records
          return sample
        }
      }
    }
  }

  /// Samples with lists in which one column has a value at a limit, or a place that is no record's.
  mutating func oddLists() -> [LayoutInput] {
    engine.settableLists.flatMap { list in
      list.columns.flatMap { column in
        column.odd(isParent: column == list.parent).flatMap { value in
          let usual = acceptedRecords(of: list) ?? records(of: list, count: 4)
          return [0, usual.count - 1].map { place in
            let old = (0..<usual.count).map { usual.columns[column.name]?[$0] ?? column.initial }
            var values = old
            values[place] = value
            var columns = usual.columns
            columns[column.name] = ValueColumn(values, type: column.type)
            var sample = LayoutInput(counts: [7, 0, 5])
            sample.lists[list.name] = RecordList(count: usual.count, columns: columns)
            return sample
          }
        }
      }
    }
  }
}

extension ParameterDescription {
  /// Values of a record that an engine may not expect.
  fileprivate func odd(isParent: Bool) -> [Value] {
    let limits = [lowerLimit, upperLimit].compactMap(\.self)
    guard type.isOrdered else { return limits }
    let numbers: [Double] =
      isParent ? [-2, 0, 1, 3, 99, 0x1p53] : type.isWhole ? [-1, 0, 0x1p53] : [-1, 0, 1e12]
    return limits
      + numbers.compactMap { number in
        let isAllowed = zip(minimum, maximum).allSatisfy { $0 <= number && number <= $1 }
        return isAllowed ? Value(type: type, numbers: initial.numbers.map { _ in number }) : nil
      }
  }
}

extension Engine {
  /// The lists that a user can set.
  public var settableLists: [ListDescription] {
    var known = Set<String>()
    return chain.flatMap(\.lists).filter { known.insert($0.name).inserted }
  }
}
