import Testing

@testable import TesseraScenario

@Suite struct UpdateScriptTests {
  private func read(_ text: String) throws -> UpdateScript {
    try UpdateScript(parsing: Array(text.utf8), name: "script.json")
  }

  @Test("every operation is read with its places")
  func operations() throws {
    let script = try read(
      """
      { "before": { "scale": 3, "sections": [{ "items": 5 }] },
        "after": { "sections": [{ "items": 6 }] },
        "operations": [
          { "insert": [0, 1] }, { "delete": [2, 3] }, { "move": [0, 4], "to": [1, 5] },
          { "reload": [6, 7] }, { "insertSection": 1 }, { "deleteSection": 2 },
          { "moveSection": 3, "to": 4 }, { "reloadSection": 5 }] }
      """)
    func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }
    #expect(
      script.operations == [
        .insert(path(0, 1)), .delete(path(2, 3)), .move(path(0, 4), to: path(1, 5)),
        .reload(path(6, 7)), .insertSection(1), .deleteSection(2), .moveSection(3, to: 4),
        .reloadSection(5),
      ])
    #expect(script.before.scale == 3)
    #expect(script.after.scale == nil)
    #expect(script.after.itemCounts == [6])
  }

  @Test("identities give the sections where the scenarios do not")
  func identities() throws {
    let script = try read(
      #"{"identities": {"before": [["a", "b"], []], "after": [["b"], ["c"]]}}"#)
    let places = [ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 0)]
    #expect(script.operations == [.delete(places[0]), .insert(places[1])])
    #expect(script.before.itemCounts == [2, 0])
    #expect(script.after.itemCounts == [1, 1])
  }

  private static let mistakes = refusals(
    #"""
    []
    a script is a list of 0; expected an object
    {}
    operations is missing; expected a list of operations; or give identities
    {"operations": [], "identities": {"before": [], "after": []}}
    a script has operations and identities; give one of them
    {"operations": [{"insert": [0, 1], "delete": [0, 1]}]}
    operations[0] has insert and delete; expected one of insert,
    {"operations": [{"reload": [0, 1]}, {"insert": [0, -1]}]}
    operations[1].insert[1] is the number -1; expected a whole number from 0
    {"operations": [{"move": [0, 1]}]}
    operations[0].to is missing; expected a section and an item
    {"before": {"bonds": [1, 2]}, "operations": []}
    before.bonds is not a key of a scenario
    {"after": {"offset": [1, 2]}, "operations": []}
    after.offset has no meaning, since what was at the top stays at the top; leave it out
    {"before": {"rect": [1, 2, 3, 4]}, "operations": []}
    before.rect has no meaning in an update of all elements; leave it out
    {"after": {"sections": [{"items": 2}]}, "identities": {"before": [], "after": [["a"]]}}
    identities.after[0] has 1 item but after.sections[0] 2; give as many
    {"before": {"sections": []}, "identities": {"before": [[]], "after": []}}
    identities.before has 1 section but before.sections 0; give as many, or leave before.sections out
    """#)

  @Test("what cannot be is told by the path of its key", arguments: mistakes)
  func refused(text: String, sentence: String) {
    let found = message { _ = try read(text) }
    #expect(found.hasPrefix(sentence), "\(found)")
  }

  @Test("operations that contradict the counts are refused by their key, before anything happens")
  func contradictions() throws {
    let counts = try read(
      #"{"before": {"sections": [{"items": 3}]}, "operations": [{"insert": [0, 1]}]}"#)
    let message = message { _ = try counts.resolved(for: [Fixture.base]) }
    #expect(message.hasPrefix("operations: "), "\(message)")
    #expect(message.contains("section 0"))
    let twice = TesseraScenarioTests.message {
      _ = try read(#"{"identities": {"before": [["a", "a"]], "after": []}}"#)
    }
    #expect(twice.hasPrefix("identities: "), "\(twice)")
  }

  @Test("what the scenario after leaves out is as before; values of the command line win over both")
  func layers() throws {
    let script = try read(
      """
      { "before": { "scale": 3, "parameters": { "spacing": 1, "columns": 2 },
          "sections": [{ "items": 1, "itemValues": { "weight": 4 } }] },
        "after": { "parameters": { "spacing": 5 } }, "operations": [{ "reload": [0, 0] }] }
      """)
    let update = try script.resolved(for: [Fixture.base])
    #expect(update.before.scale == 3)
    #expect(update.after.scale == 3)
    #expect(parameters(of: update) == [.parameter("spacing", .number(5))])
    #expect(update.input.itemValues["weight"] == .constant(.number(4)))
    var options = Scenario()
    options.scale = 1
    options.parameters["spacing"] = JSONNode(text: "9", source: "--set spacing")
    let forced = try script.resolved(for: [Fixture.base], options: options)
    #expect(forced.after.scale == 1)
    #expect(parameters(of: forced).isEmpty)
    #expect(forced.input.parameters["spacing"] == .number(9))
  }

  private func parameters(of update: ResolvedUpdate) -> [InputChange] {
    update.changes.filter { if case .parameter = $0 { true } else { false } }
  }
}
