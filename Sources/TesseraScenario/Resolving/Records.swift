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
    let known = list.columns.map(\.name) + (list.parent == nil ? [] : ["children"])
    var rows: [[Value?]] = []
    // A record that is nested, and one that names its parent, if there are any.
    var nested: JSONNode?
    var referring: JSONNode?
    // The records that are still to be read, the next one last.
    var waiting = try node.elements("a list of records").reversed().map { (node: $0, parent: -1) }
    while let (record, parent) = waiting.popLast() {
      try record.checkKeys(known, of: "a record of \(list.name)")
      var row: [Value?] = []
      for column in list.columns {
        guard let node = record[column.name] else {
          row.append(parent >= 0 && column == list.parent ? .integer(Int64(parent)) : nil)
          continue
        }
        if column == list.parent { referring = referring ?? node }
        let value = try CompiledValue(
          node, type: column.type, choices: column.choices, scope: .layout
        ).value(in: environment)
        if let problem = column.problem(with: value) {
          throw HostError(.invalidValue, "\(node.source) \(problem)")
        }
        row.append(value)
      }
      if let children = record["children"] {
        nested = nested ?? children
        let place = rows.count
        waiting += try children.elements("a list of records").reversed().map { ($0, place) }
      }
      rows.append(row)
    }
    // Nesting would change places in the list.
    if let nested, let referring {
      throw HostError(
        .invalidScenario,
        "\(referring.source) names a parent, and \(nested.source) nests records; write all records in one of the two ways"
      )
    }
    self.init(rows, of: list)
  }
}
