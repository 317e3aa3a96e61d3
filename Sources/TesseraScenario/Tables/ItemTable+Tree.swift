extension ItemTable {
  /// A tree of the files and folders in the column `path`, for engines with parents.
  ///
  /// Nil without such a column, or with a column `parent`. Adds missing folders except the root.
  /// The new column `weight` is a folder's weight besides its items, from `weight`, `bytes`, `size`
  /// or the number of rows. Folders precede their items, largest first.
  public func tree() throws(HostError) -> ItemTable? {
    guard let paths = texts(of: "path"), column(named: "parent") == nil, itemCounts.count == 1,
      pictures.isEmpty
    else { return nil }
    let weights = ["weight", "bytes", "size"].lazy.compactMap { self.column(named: $0) }.first
    let numbers = try weights.map { column throws(HostError) in try self.numbers(column) }
    // The root's parent is -1.
    var nodes:
      [(
        name: String, parent: Int, row: Int?, given: Double, total: Double, inside: Double,
        children: [String: Int]
      )] = [("", -1, nil, 0, 0, 0, [:])]
    for (row, path) in paths.enumerated() {
      var node = 0
      for part in path.split(separator: "/") where part != "." {
        let name = String(part)
        if let next = nodes[node].children[name] {
          node = next
        } else {
          nodes[node].children[name] = nodes.count
          nodes.append((name, node, nil, 0, 0, 0, [:]))
          node = nodes.count - 1
        }
      }
      nodes[node].row = nodes[node].row ?? row
      nodes[node].given += numbers?[row] ?? 1
    }
    for index in nodes.indices.reversed() {
      let node = nodes[index]
      nodes[index].total = node.given >= node.inside ? node.given : node.given + node.inside
      if node.parent >= 0 { nodes[node.parent].inside += nodes[index].total }
    }
    var top = 0
    while nodes[top].children.count == 1, let only = nodes[top].children.values.first,
      !nodes[only].children.isEmpty
    {
      top = only
    }
    func sorted(_ node: Int) -> [Int] {
      nodes[node].children.values.sorted {
        (-nodes[$0].total, nodes[$0].name) < (-nodes[$1].total, nodes[$1].name)
      }
    }
    var (order, parents) = (sorted(top), nodes[top].children.map { _ in -1 })
    var next = 0
    while next < order.count {
      let items = sorted(order[next])
      order += items
      parents += items.map { _ in next }
      next += 1
    }

    let kept = columns.filter { !["weight", "label"].contains($0.name) }
    let labels = column(named: "label")
    let texts = kept.map(\.name) + ["label", "weight", "parent"]
    var cells: [JSON] = []
    cells.reserveCapacity(order.count * texts.count)
    for (node, parent) in zip(order.map({ nodes[$0] }), parents) {
      for column in kept {
        cells.append(
          column.name == weights?.name
            ? .number(node.total) : node.row.map { cell(column, $0) } ?? .null)
      }
      cells.append(
        labels.flatMap { labels in node.row.map { cell(labels, $0) } } ?? .text(node.name))
      cells.append(.number(node.total - node.inside))
      cells.append(.integer(parent))
    }
    let shown = texts.enumerated().map { place, name in
      let isUsed = name == "path" || name == weights?.name && name != "weight"
      return Column(name: name, place: place, isMeasured: isUsed)
    }
    return ItemTable(
      name: name, itemCounts: [order.count], columns: shown, pictures: [],
      rows: TableRows(width: shown.count, cells: cells), order: nil)
  }
}
