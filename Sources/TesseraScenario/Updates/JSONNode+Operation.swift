extension JSONNode {
  private static let operations = [
    "insert", "delete", "move", "reload", "insertSection", "deleteSection", "moveSection",
    "reloadSection",
  ]

  /// One operation: an object with its name as key, and for moves also `to`.
  func operation() throws(HostError) -> UpdateOperation {
    try checkKeys(Self.operations + ["to"], of: "an operation")
    let names = Self.operations.filter { self[$0] != nil }
    guard names.count == 1, let name = names.first, let node = self[name] else {
      let found = names.isEmpty ? "names no operation" : "has \(list(names))"
      throw HostError(
        .invalidInput, "\(path) \(found); expected one of \(list(Self.operations, "or"))")
    }
    let isMove = name == "move" || name == "moveSection"
    guard isMove == (self["to"] != nil) else {
      throw isMove
        ? missing("to", name == "move" ? "a section and an item" : "a section")
        : HostError(.invalidInput, "\(path).to goes only with move and moveSection; leave it out")
    }
    let target = self["to"] ?? node
    return switch name {
    case "insert": .insert(try node.itemPath())
    case "delete": .delete(try node.itemPath())
    case "move": .move(try node.itemPath(), to: try target.itemPath())
    case "reload": .reload(try node.itemPath())
    case "insertSection": .insertSection(try node.count())
    case "deleteSection": .deleteSection(try node.count())
    case "moveSection": .moveSection(try node.count(), to: try target.count())
    default: .reloadSection(try node.count())
    }
  }

  private func itemPath() throws(HostError) -> ItemPath {
    let what = "a section and an item, such as [0, 3]"
    let parts = try elements(what)
    guard parts.count == 2 else { throw expected(what) }
    return ItemPath(section: try parts[0].count(), item: try parts[1].count())
  }
}
