import FoundationEssentials

/// A change of the data in a file.
public struct UpdateScript: Equatable, Sendable {
  /// The scenario before.
  public var before: Scenario
  /// The keys that differ afterwards.
  public var after: Scenario
  /// The changes of the items, as given or computed from identities.
  public var operations: [UpdateOperation]
}

extension UpdateScript {
  /// Reads a script file; throws `.notFound` or `.invalidInput`.
  public init(contentsOf path: String) throws(HostError) {
    try self.init(parsing: try path.inputBytes(), name: path.inputName)
  }

  /// Reads a script; throws `.invalidInput` with the path of the key.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    let root = JSONNode(try JSON(parsing: bytes, name: name), source: "")
    try root.checkKeys(["before", "after", "operations", "identities"], of: "a script")
    var before = try Self.scenario(root["before"])
    var after = try Self.scenario(root["after"])
    if after.offset != nil {
      throw HostError(
        .invalidScenario,
        "after.offset has no meaning, since what was at the top stays at the top; leave it out")
    }
    switch (root["operations"], root["identities"]) {
    case (let node?, nil):
      operations = try node.elements("a list of operations").map { node throws(HostError) in
        try node.operation()
      }
    case (nil, let node?):
      try node.checkKeys(["before", "after"], of: "identities")
      let old = try node.identities("before")
      let new = try node.identities("after")
      try before.adopt(counts: old.map(\.count), of: "before")
      try after.adopt(counts: new.map(\.count), of: "after")
      do { operations = try UpdateBatch(from: old, to: new).operations } catch {
        throw error.about("identities")
      }
    case (nil, nil): throw root.missing("operations", "a list of operations; or give identities")
    default:
      throw HostError(.invalidScenario, "a script has operations and identities; give one of them")
    }
    (self.before, self.after) = (before, after)
  }

  private static func scenario(_ node: JSONNode?) throws(HostError) -> Scenario {
    guard let node else { return Scenario() }
    let scenario = try Scenario(node)
    guard scenario.rect == nil else {
      throw HostError(
        .invalidScenario,
        "\(node.source).rect has no meaning in an update of all elements; leave it out"
      )
    }
    return scenario
  }
}

extension Scenario {
  fileprivate mutating func adopt(counts: [Int], of key: String) throws(HostError) {
    guard content != nil else {
      content = .sections(counts.map { Section(items: $0) })
      return
    }
    let own = itemCounts
    guard own.count == counts.count else {
      throw HostError(
        .invalidScenario,
        "identities.\(key) has \(counted(counts.count, "section")) but \(key).sections "
          + "\(own.count); give as many, or leave \(key).sections out")
    }
    guard let section = own.indices.first(where: { own[$0] != counts[$0] }) else { return }
    throw HostError(
      .invalidScenario,
      "identities.\(key)[\(section)] has \(counted(counts[section], "item")) but "
        + "\(key).sections[\(section)] \(own[section]); give as many")
  }
}

extension JSONNode {
  fileprivate func identities(_ key: String) throws(HostError) -> [[String]] {
    let what = "a list of lists of texts, one a section"
    guard let node = self[key] else { throw missing(key, what) }
    return try node.elements(what).map { section throws(HostError) in
      try section.elements("a list of texts, one an item").map { item throws(HostError) in
        try item.string()
      }
    }
  }
}

extension JSONNode {
  private static let operations = [
    "insert", "delete", "move", "reload", "insertSection", "deleteSection", "moveSection",
    "reloadSection",
  ]

  /// An object with its name as key, and for moves also `to`.
  func operation() throws(HostError) -> UpdateOperation {
    try checkKeys(Self.operations + ["to"], of: "an operation")
    let names = Self.operations.filter { self[$0] != nil }
    guard names.count == 1, let name = names.first, let node = self[name] else {
      let found = names.isEmpty ? "names no operation" : "has \(list(names))"
      throw HostError(
        .invalidScenario, "\(source) \(found); expected one of \(list(Self.operations, "or"))")
    }
    let isMove = name == "move" || name == "moveSection"
    guard isMove == (self["to"] != nil) else {
      throw isMove
        ? missing("to", name == "move" ? "a section and an item" : "a section")
        : HostError(
          .invalidScenario, "\(source).to goes only with move and moveSection; leave it out")
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

/// An update script evaluated for one engine.
public struct ResolvedUpdate: Sendable {
  /// The scenario before.
  public let before: Scenario
  /// The scenario afterwards.
  public let after: Scenario
  /// The input afterwards.
  public let input: LayoutInput
  /// Notes for the user on the scenario afterwards.
  public let notes: [String]
  let batch: UpdateBatch
  let changes: [InputChange]
}

extension UpdateScript {
  /// Evaluates the script for an engine and its bases, the engine first.
  ///
  /// Omitted keys stay as before. Throws as `Scenario.resolved(for:)`.
  ///
  /// - Parameter options: Overrides both scenarios.
  public func resolved(
    for chain: [EngineDescription], options: Scenario = Scenario()
  ) throws(HostError) -> ResolvedUpdate {
    let old = options.over(before)
    let new = options.over(after.over(before))
    let parameters = try old.resolved(for: chain).input.parameters
    var (input, notes) = try new.resolved(for: chain)
    let batch: UpdateBatch
    do { batch = try UpdateBatch(operations, before: old.itemCounts, after: new.itemCounts) } catch
    {
      throw error.about("operations")
    }
    try CarriedValues(from: old, to: new, stated: after, options: options, batch, for: chain)
      .fill(&input)
    var changed = input
    changed.parameters = input.parameters.filter { parameters[$0.key] != $0.value }
    return ResolvedUpdate(
      before: old, after: new, input: input, notes: notes,
      batch: batch,
      changes: changed.changes(
        of: LayoutField.allCases.filter { ![.offset, .lists, .sections].contains($0) }))
  }
}

extension ResolvedUpdate {
  /// Applies the update to a session to which `before` was applied; O(*n*) in elements.
  public func apply(to driver: SessionDriver) throws(HostError) -> LayoutAnimation {
    let call = SessionCall.update(batch.operations, counts: batch.after, changes: changes)
    guard case .animation(let animation) = try driver.ask(call) else {
      preconditionFailure("an update is answered by an animation")
    }
    return animation
  }
}
