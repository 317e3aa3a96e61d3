extension RecordList {
  /// With an int column `parent`, records may be nested as `children`; parents come first.
  init(
    _ node: JSONNode, of list: ListDescription, in environment: ExpressionEnvironment
  ) throws(HostError) {
    let known = list.columns.map(\.name) + (list.parent == nil ? [] : ["children"])
    var rows: [[Value?]] = []
    var nested: JSONNode?
    var referring: JSONNode?
    // A stack.
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
        let value = try Formula(
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
    // Nesting would change indices in the list.
    if let nested, let referring {
      throw HostError(
        .invalidScenario,
        "\(referring.source) names a parent, and \(nested.source) nests records; write all records in one of the two ways"
      )
    }
    self.init(rows, of: list)
  }
}
