/// A record of a list and, in a tree, its children.
///
///     ["kind": .choice("horizontal"), "height": .number(120)]
public struct ListRecord: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The values by column name; missing ones are initial.
  public var values: [String: Value]
  /// The child records, in order.
  public var children: [ListRecord]

  /// Creates a record with values by column name.
  public init(_ values: [String: Value] = [:], children: [ListRecord] = []) {
    (self.values, self.children) = (values, children)
  }

  /// Creates a record without children.
  public init(dictionaryLiteral values: (String, Value)...) { self.init(Dictionary(values) { $1 }) }
}

extension RecordList {
  /// Nil stands for a column's initial value.
  package init(_ rows: [[Value?]], of list: ListDescription) {
    var columns: [String: ValueColumn] = [:]
    for (place, column) in list.columns.enumerated()
    where rows.contains(where: { $0[place] != nil }) {
      columns[column.name] = ValueColumn(
        rows.map { $0[place] ?? column.initial }, type: column.type)
    }
    self.init(count: rows.count, columns: columns)
  }

  /// Flattens records, parents first; throws `.invalidInput`.
  package init(_ records: [ListRecord], of list: ListDescription) throws(HostError) {
    let parent = list.parent.flatMap { list.columns.firstIndex(of: $0) }
    let isNested = records.contains { !$0.children.isEmpty }
    var rows: [[Value?]] = []
    // A stack.
    var waiting = records.reversed().map { (record: $0, above: -1) }
    while let (record, above) = waiting.popLast() {
      var row: [Value?] = Array(repeating: nil, count: list.columns.count)
      for (name, value) in record.values.sorted(by: { $0.key < $1.key }) {
        guard let place = list.columns.firstIndex(where: { $0.name == name }) else {
          throw .unknownName(
            name, "column", of: "the list \(list.name)", known: list.columns.map(\.name))
        }
        if let problem = list.columns[place].problem(with: value) {
          throw .invalidValue("\(name) of record \(rows.count) of \(list.name)", problem)
        }
        row[place] = value
      }
      if isNested {
        guard let parent else {
          throw .invalidValue(
            list.name,
            "has records below others; it has no int column parent, so give all in one array")
        }
        guard row[parent] == nil else {
          throw .invalidValue(
            "record \(rows.count) of \(list.name)",
            "names a parent, and others have children; write all records in one of the two ways")
        }
        row[parent] = .integer(Int64(above))
      }
      let place = rows.count
      waiting += record.children.reversed().map { ($0, place) }
      rows.append(row)
    }
    self.init(rows, of: list)
  }
}
