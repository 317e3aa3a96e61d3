extension ByteWriter {
  /// A description, without loss for all that `DescriptionReader` can read.
  mutating func put(_ description: EngineDescription) {
    for text in [
      description.id, description.name, description.version, description.author,
      description.license, description.summary,
    ] {
      put(text)
    }
    put(description.base)
    put(description.baseVersion)
    put(description.traits.rawValue)
    put(description.columns.rawValue)
    put(description.adjustedColumns.rawValue)
    put(description.abilities.rawValue)
    put(description.parameters) { $0.put($1) }
    put(description.values) { $0.put($1) }
    put(description.functions) { $0.put($1) }
    put(description.attributes) { $0.put($1) }
    put(description.kinds) { $0.put($1) }
    put(description.defaults) { $0.put($1) }
  }

  /// Several descriptions after their count.
  mutating func put(_ descriptions: [EngineDescription]) {
    put(descriptions) { $0.put($1) }
  }

  private mutating func put<Entry>(
    _ entries: [Entry], _ putOne: (inout ByteWriter, Entry) -> Void
  ) {
    put(count: entries.count)
    for entry in entries { putOne(&self, entry) }
  }
}

extension ByteReader {
  /// A description that keeps every rule that one read from a library keeps.
  ///
  /// - Throws: `.brokenContract` where the bytes are no description, `.cannotLoad` with the rule that
  ///   it breaks.
  mutating func engineDescription() throws(HostError) -> EngineDescription {
    let description = EngineDescription(
      id: try string(), name: try string(), version: try string(), author: try string(),
      license: try string(), summary: try string(),
      base: try optionalString(), baseVersion: try optionalString(),
      traits: EngineTraits(rawValue: try uint32()),
      columns: BuiltInColumns(rawValue: try uint32()),
      adjustedColumns: BuiltInColumns(rawValue: try uint32()),
      abilities: try abilities(),
      parameters: try entries { (reader) throws(HostError) in try reader.parameter() },
      values: try entries { (reader) throws(HostError) in try reader.valueDescription() },
      functions: try entries { (reader) throws(HostError) in try reader.function() },
      attributes: try entries { (reader) throws(HostError) in try reader.attribute() },
      kinds: try entries { (reader) throws(HostError) in try reader.kind() },
      defaults: try entries { (reader) throws(HostError) in try reader.default() })
    try DescriptionRules(description: description).check()
    return description
  }

  /// Several descriptions after their count.
  mutating func engineDescriptions() throws(HostError) -> [EngineDescription] {
    try entries { (reader) throws(HostError) in try reader.engineDescription() }
  }

  private mutating func abilities() throws(HostError) -> EngineAbilities {
    let abilities = EngineAbilities(rawValue: try uint32())
    guard EngineAbilities.all.isSuperset(of: abilities) else {
      throw Self.broken("holds abilities that nobody knows (\(abilities.rawValue))")
    }
    return abilities
  }

  /// As many entries as a library may declare; the shortest, a kind with an empty name, has 8 bytes.
  private mutating func entries<Entry>(
    _ one: (inout ByteReader) throws(HostError) -> Entry
  ) throws(HostError) -> [Entry] {
    let count = try count(ofAtLeast: 8)
    guard count <= DescriptionReader.entryLimit else {
      throw Self.broken(
        "holds \(count) declarations of one sort; expected at most \(DescriptionReader.entryLimit)")
    }
    var entries: [Entry] = []
    for _ in 0..<count { entries.append(try one(&self)) }
    return entries
  }
}
