struct BoundTable {
  fileprivate(set) var columns: [String: ValueColumn] = [:]
  /// The columns of an item value.
  fileprivate(set) var sources: [String: [String]] = [:]
  fileprivate let table: ItemTable
  fileprivate let values: [ValueDescription]

  var notes: [String] { notes(using: []) }

  func notes(using others: Set<String>) -> [String] {
    let used = others.union(sources.values.joined()).union(ItemTable.textColumns)
    let unused = table.columns.filter { !$0.isMeasured && !used.contains($0.name) }.map(\.name)
    guard !unused.isEmpty else { return [] }
    let shown =
      unused.count > 8
      ? "\(unused.prefix(8).joined(separator: ", ")) and \(unused.count - 8) more" : list(unused)
    let known = values.isEmpty ? "it takes none" : "it takes \(list(values.map(\.name)))"
    let name =
      table.column(named: "label") == nil
      ? unused.first { ["name", "title", "subject", "summary", "event"].contains($0.lowercased()) }
      : nil
    let hint = name.map { "; call column \($0) label to show it" } ?? ""
    return [
      "\(table.name): \(unused.count == 1 ? "column" : "columns") \(shown) left out, since the "
        + "engine has no such item value; \(known)\(hint)"
    ]
  }
}

extension ItemTable {
  /// Finds the columns of each item value.
  ///
  /// A column supplies the item value of its name; `size.width`, or `width` if unambiguous, a
  /// component; `width` and `height` an aspect ratio. Otherwise pictures supply an aspect ratio, or
  /// else a size, scaled to fit the fallback parameter if set, or else the bounds.
  ///
  /// - Parameter parameters: Set by the user or a derived engine.
  func bound(
    to values: [ValueDescription], parameters: [String: Value] = [:],
    bounds: Size = Viewport().bounds
  ) throws(HostError) -> BoundTable {
    var result = BoundTable(table: self, values: values)
    var used: Set<String> = []
    if let ratios = try aspectRatios(for: values) {
      used = ["width", "height"]
      result.columns["aspectRatio"] = ratios
      result.sources["aspectRatio"] = ["width", "height"]
    }
    for value in values where result.columns[value.name] == nil && !used.contains(value.name) {
      guard let sources = try sources(for: value, among: values) else { continue }
      used.formUnion(sources.map(\.name))
      result.columns[value.name] = try column(value, sources)
      result.sources[value.name] = sources.map(\.name)
    }
    if let (name, column) = measured(for: values, parameters, bounds), result.columns[name] == nil {
      result.columns[name] = column
      result.sources[name] = ["image"]
    }
    return result
  }

  /// Unknown sizes count as squares.
  private func measured(
    for values: [ValueDescription], _ parameters: [String: Value], _ bounds: Size
  ) -> (name: String, column: ValueColumn)? {
    guard !pictures.isEmpty else { return nil }
    let sizes = pictures.map { $0?.size ?? Size(width: 100, height: 100) }
    if values.contains(where: { $0.name == "aspectRatio" && $0.type == .number }) {
      return ("aspectRatio", .numbers(sizes.map { $0.width / $0.height }))
    }
    guard let value = values.first(where: { $0.name == "size" && $0.type == .size }) else {
      return nil
    }
    let room = value.fallback.flatMap { parameters[$0]?.numbers } ?? [bounds.width, bounds.height]
    let fitted = sizes.map { size -> Value in
      let scale = min(1, room[0] / size.width, room[1] / size.height)
      return .size(Size(width: size.width * scale, height: size.height * scale))
    }
    return ("size", ValueColumn(fitted, type: .size))
  }

  private func ownColumn(named name: String) -> Column? {
    column(named: name).flatMap { $0.isMeasured ? nil : $0 }
  }

  /// From columns of widths and heights, for engines that take no widths.
  private func aspectRatios(
    for values: [ValueDescription]
  ) throws(HostError) -> ValueColumn? {
    let takesWidth = values.contains {
      $0.name == "width" || $0.type.components.contains("width")
    }
    guard !takesWidth, values.contains(where: { $0.name == "aspectRatio" && $0.type == .number }),
      ownColumn(named: "aspectRatio") == nil, let width = ownColumn(named: "width"),
      let height = ownColumn(named: "height")
    else { return nil }
    let lengths = try [width, height].map { column throws(HostError) in
      try firstNumbers(column).prefix { $0 > 0 }
    }
    let first = min(lengths[0].count, lengths[1].count)
    guard first == count else {
      throw wrong(lengths[0].count == first ? width : height, first, "a number above 0")
    }
    return .numbers(zip(lengths[0], lengths[1]).map { $0 / $1 })
  }

  /// One, or one for each component.
  private func sources(
    for value: ValueDescription, among values: [ValueDescription]
  ) throws(HostError) -> [Column]? {
    if let whole = ownColumn(named: value.name) { return [whole] }
    let components = value.type.components
    let names = components.map { component in
      let full = "\(value.name).\(component)"
      let rivals = values.count { $0.name == component || $0.type.components.contains(component) }
      return ownColumn(named: full) == nil && rivals == 1 ? component : full
    }
    let found = names.compactMap(ownColumn(named:))
    guard let first = found.first else { return nil }
    guard found.count == components.count else {
      let missing = names.filter { ownColumn(named: $0) == nil }
      throw HostError(
        .invalidTable,
        "\(name) has a column \(first.name) but none for \(list(missing)); \(value.name) needs all "
          + "of \(list(components))")
    }
    return found
  }

  private func column(
    _ value: ValueDescription, _ sources: [Column]
  ) throws(HostError) -> ValueColumn {
    if value.type.component == .double, sources.count == value.type.width {
      return try numbers(value.type, sources)
    }
    try CountedMemory.require(count, size: value.type.stride)
    var builder = ColumnBuilder(type: value.type, count: count)
    for item in 0..<count {
      guard let read = whole(cell(sources[0], item), value) else {
        throw wrong(sources[0], item, wanted(value))
      }
      builder.append(read)
    }
    return builder.column
  }

  private func numbers(_ type: ValueType, _ sources: [Column]) throws(HostError) -> ValueColumn {
    let columns = try sources.map { source throws(HostError) in try firstNumbers(source) }
    let first = columns.map(\.count).min() ?? 0
    guard first == count else {
      if type == .number, let hours = hours(sources[0]) { return .numbers(hours) }
      let source = sources[columns.firstIndex { $0.count == first } ?? 0]
      let point = cell(source, first).labelText.replacing(",", with: ".")
      let hint = point.contains(".") && point.decimal != nil ? ", with a point as in \(point)" : ""
      throw wrong(source, first, "a number\(hint)")
    }
    if type == .number { return .numbers(columns[0]) }
    try CountedMemory.require(count, size: type.stride)
    var builder = ColumnBuilder(type: type, count: count)
    _ = builder.append(rows: count) { columns[$1][$0] }
    return builder.column
  }

  /// Hours since midnight of the item's day; nil if a cell is neither a time nor a number.
  private func hours(_ column: Column) -> [Double]? {
    let days = zip(itemCounts.indices, itemCounts).flatMap { section, count in
      Array(repeating: sectionDays.isEmpty ? nil : sectionDays[section], count: count)
    }
    var hours: [Double] = []
    for item in 0..<count {
      let cell = cell(column, item)
      if let number = number(cell) {
        hours.append(number)
      } else if case .text(let text) = cell, let hour = clockHours(of: text) {
        hours.append(hour)
      } else if case .text(let text) = cell, let day = calendarDays(of: text) {
        // Days are not exact to a second.
        hours.append(((day - (days[item] ?? day.rounded(.down))) * 86_400).rounded() / 3600)
      } else {
        return nil
      }
    }
    return hours
  }

  private func whole(_ cell: JSON, _ value: ValueDescription) -> Value? {
    let type = value.type
    if type == .choice {
      guard case .text(let name) = cell, value.choices.contains(name) else { return nil }
      return .choice(name)
    }
    if type == .bool {
      if case .bool(let bool) = cell { return .bool(bool) }
      return ["true", "false"].first { cell == .text($0) }.map { .bool($0 == "true") }
    }
    guard type.isVector else { return number(cell).flatMap { Value(type: type, numbers: [$0]) } }
    let numbers: [Double?]
    switch cell {
    case .list(let parts): numbers = parts.map(\.plainNumber)
    case .text(let text):
      let parts = text.split(omittingEmptySubsequences: false) {
        $0 == "," || $0 == type.separator
      }
      numbers = parts.map(\.decimal)
    default: return nil
    }
    return numbers.contains(nil) ? nil : Value(type: type, numbers: numbers.compactMap(\.self))
  }

  private func wanted(_ value: ValueDescription) -> String {
    let type = value.type
    if type == .bool { return "true or false" }
    if type == .choice { return list(value.choices, "or") }
    guard type.isVector else { return type.isWhole ? "a whole number" : "a number" }
    return type.separator == ","
      ? "\(list(type.components)) with commas"
      : "a \(type.name) such as 100\(type.separator)90"
  }
}

extension ItemTable {
  /// Replaces some numbers of a column; nil keeps a cell.
  public func setting(_ name: String, to numbers: [Double?]) -> ItemTable {
    guard let column = column(named: name), numbers.count == count else { return self }
    let kept = (0..<count).map { order?[$0] ?? $0 }
    let cells = zip(numbers, kept).map { number, row in
      number.map { JSON.number($0) } ?? rows.cell(column.place, row)
    }
    let columns = columns.map { other in
      other.name == name ? Column(name: name, place: rows.width) : other
    }
    return ItemTable(
      name: self.name, itemCounts: itemCounts, sectionNames: sectionNames, sectionDays: sectionDays,
      columns: columns, pictures: pictures, rows: rows.keeping(kept, adding: [cells]), order: nil)
  }
}
