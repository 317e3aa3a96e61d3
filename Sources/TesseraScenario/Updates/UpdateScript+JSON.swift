import Foundation

extension UpdateScript {
  /// Reads a script file.
  ///
  /// Throws `.notFound` where the file cannot be read, else as `init(parsing:name:)`.
  public init(contentsOf path: String) throws(HostError) {
    let file = InputFile(path: path)
    try self.init(parsing: try file.bytes(), name: file.name)
  }

  /// Reads a script from the bytes of a JSON document.
  ///
  /// Throws `.invalidInput`, naming the path of the key, what was expected and what was found.
  /// O(bytes). Whether the operations fit the counts is checked later, by `resolved(for:options:)`.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    let root = JSONNode(value: try JSONValue(parsing: bytes, name: name), path: "")
    try root.checkKeys(["before", "after", "operations", "identities"], of: "a script")
    var before = try Self.scenario(root["before"])
    var after = try Self.scenario(root["after"])
    if after.offset != nil {
      throw HostError(
        .invalidInput,
        "after.offset has no meaning, since what was at the top stays at the top; leave it out")
    }
    switch (root["operations"], root["identities"]) {
    case (let node?, nil):
      var operations: [UpdateOperation] = []
      for element in try node.elements("a list of operations") {
        operations.append(try element.operation())
      }
      change = .operations(operations)
    case (nil, let node?):
      try node.checkKeys(["before", "after"], of: "identities")
      let old = try node.identities("before")
      let new = try node.identities("after")
      try before.adopt(counts: old.map(\.count), of: "before")
      try after.adopt(counts: new.map(\.count), of: "after")
      change = .identities(before: old, after: new)
    case (nil, nil): throw root.missing("operations", "a list of operations; or give identities")
    default:
      throw HostError(.invalidInput, "a script has operations and identities; give one of them")
    }
    self.before = before
    self.after = after
  }

  private static func scenario(_ node: JSONNode?) throws(HostError) -> Scenario {
    guard let node else { return Scenario() }
    let scenario = try Scenario(node)
    guard scenario.rect == nil else {
      throw HostError(
        .invalidInput, "\(node.path).rect has no meaning in an update of all elements; leave it out"
      )
    }
    return scenario
  }
}

extension Scenario {
  /// Takes the sections from the identities of their items, or checks those that there are.
  fileprivate mutating func adopt(counts: [Int], of key: String) throws(HostError) {
    guard content != nil else {
      content = .sections(counts.map { Section(items: $0) })
      return
    }
    let own = itemCounts
    guard own.count == counts.count else {
      throw HostError(
        .invalidInput,
        "identities.\(key) has \(counted(counts.count, "section")) but \(key).sections "
          + "\(own.count); give as many, or leave \(key).sections out")
    }
    guard let section = own.indices.first(where: { own[$0] != counts[$0] }) else { return }
    throw HostError(
      .invalidInput,
      "identities.\(key)[\(section)] has \(counted(counts[section], "item")) but "
        + "\(key).sections[\(section)] \(own[section]); give as many")
  }
}

extension JSONNode {
  /// Lists of texts, one a section.
  fileprivate func identities(_ key: String) throws(HostError) -> [[String]] {
    let what = "a list of lists of texts, one a section"
    guard let node = self[key] else { throw missing(key, what) }
    var sections: [[String]] = []
    for section in try node.elements(what) {
      var items: [String] = []
      for item in try section.elements("a list of texts, one an item") {
        items.append(try item.string())
      }
      sections.append(items)
    }
    return sections
  }
}
