// The records of a list, as a scenario writes them: a list of objects, which may be nested as `children`
// where the list is a tree.

extension RecordList {
  /// Evaluates the records that a scenario or a file gives for a list.
  ///
  /// Where the list has an int column `parent`, records may be nested as `children`. They are numbered
  /// in the order in which they are written, each before its children.
  ///
  /// - Throws: `.invalidInput`, naming the record's key, what was found and what was expected.
  /// - Complexity: O(*n*) in the records.
  init(
    _ node: JSONNode, of list: ListDescription, in environment: ExpressionEnvironment
  ) throws(HostError) {
    var reader = RecordReader(list: list, environment: environment)
    try reader.read(node)
    try reader.checkParents()
    self.init(reader.rows, of: list)
  }
}

/// Reads records, and gives each a place in the list.
private struct RecordReader {
  private static let children = "children"

  let list: ListDescription
  let environment: ExpressionEnvironment
  /// The value of each column, or nil for the initial one, of each record so far.
  private(set) var rows: [[Value?]] = []
  /// A record that is nested, and one that names its parent, if there are any.
  private var nested, referring: JSONNode?

  init(list: ListDescription, environment: ExpressionEnvironment) {
    (self.list, self.environment) = (list, environment)
  }

  mutating func read(_ node: JSONNode) throws(HostError) {
    // The records that are still to be read, the next one last.
    var waiting: [(node: JSONNode, parent: Int)] = []
    func add(_ node: JSONNode, under parent: Int) throws(HostError) {
      waiting += try node.elements("a list of records").reversed().map { ($0, parent) }
    }
    try add(node, under: -1)
    while let (record, parent) = waiting.popLast() {
      let place = rows.count
      try read(record, parent: parent)
      if let children = record[Self.children] {
        nested = nested ?? children
        try add(children, under: place)
      }
    }
  }

  private mutating func read(_ record: JSONNode, parent: Int) throws(HostError) {
    let known = list.columns.map(\.name) + (list.parent == nil ? [] : [Self.children])
    try record.checkKeys(known, of: "a record of \(list.name)")
    var row: [Value?] = []
    for column in list.columns {
      if let node = record[column.name] {
        if column == list.parent { referring = referring ?? node }
        let compiled = try CompiledValue(
          node, type: column.type, choices: column.choices, scope: .layout)
        let value = try compiled.value(in: environment)
        if let problem = column.problem(with: value) {
          throw HostError(.invalidValue, "\(node.source) \(problem)")
        }
        row.append(value)
      } else {
        row.append(parent >= 0 && column == list.parent ? .integer(Int64(parent)) : nil)
      }
    }
    rows.append(row)
  }

  /// Rejects places in the list that nesting would change.
  func checkParents() throws(HostError) {
    guard let nested, let referring else { return }
    throw HostError(
      .invalidScenario,
      "\(referring.source) names a parent, and \(nested.source) nests records; write all records in one of the two ways"
    )
  }
}
