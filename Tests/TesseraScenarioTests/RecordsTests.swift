import Testing

@testable import TesseraScenario

@Suite struct RecordsTests {
  func records(_ lists: String, name: String = "nodes") throws -> RecordList? {
    let text = #"{"bounds": [320, 480], "lists": \#(lists)}"#
    let scenario = try Scenario(parsing: Array(text.utf8), name: "scenario.json")
    return try scenario.resolved(for: [Fixture.base]).input.lists[name]
  }

  @Test("records have the values of their keys, and the initial ones of the others")
  func keys() throws {
    #expect(
      try records(
        #"{"nodes": [{"kind": "branch"}, {"width": "width/4", "inset": [1, 2, 3, "scale"]}, {}]}"#)
        == RecordList(
          count: 3,
          columns: [
            "kind": .choices(["branch", "leaf", "leaf"]), "width": .numbers([1, 80, 1]),
            "inset": .insets([.zero, Insets(top: 1, left: 2, bottom: 3, right: 2), .zero]),
          ]))
    #expect(try records(#"{"nodes": []}"#) == RecordList(count: 0))
    #expect(try records(#"{"stops": [{"at": 5}]}"#) == nil)
    #expect(
      try records(#"{"stops": [{"at": 5}, {}]}"#, name: "stops")
        == RecordList(count: 2, columns: ["at": .numbers([5, 0])]))
  }

  /// Preorder: a 0, b 1 in a, c 2 in b, d 3 in a, e 4.
  @Test("nested records are numbered in the order in which they are written")
  func nesting() throws {
    let nested = #"""
      {"nodes": [{"width": 1, "children": [
        {"width": 2, "children": [{"width": 3, "children": []}]}, {"width": 4}]}, {"width": 5}]}
      """#
    #expect(
      try records(nested)
        == RecordList(
          count: 5,
          columns: [
            "width": .numbers([1, 2, 3, 4, 5]), "parent": .integers([-1, 0, 1, 0, -1]),
          ]))
    #expect(
      try records(#"{"nodes": [{"parent": 1}, {"parent": -1}]}"#)
        == RecordList(count: 2, columns: ["parent": .integers([1, -1])]))
    // Must not recurse.
    let deep = 100_000
    let text =
      #"{"nodes": ["# + String(repeating: #"{"children": ["#, count: 200)
      + String(repeating: "]}", count: 200) + "]}"
    #expect(try records(text)?.count == 200)
    let flat = (0..<deep).map { #"{"parent": \#($0 - 1)}"# }.joined(separator: ",")
    #expect(try records(#"{"nodes": [\#(flat)]}"#)?.count == deep)
  }

  @Test(
    "a mistake is named by its path",
    arguments: refusals(
      #"""
      {"nodes": 3}
      lists.nodes is the number 3; expected a list of records
      {"nodes": [{"wdth": 1}]}
      lists.nodes[0].wdth is not a key of a record of nodes; did you mean width?
      {"nodes": [{"children": [{}, {"kind": "tree"}]}]}
      lists.nodes[0].children[1].kind is "tree"; expected leaf or branch
      {"nodes": [{"children": []}, {"parent": 0}]}
      lists.nodes[1].parent names a parent, and lists.nodes[0].children nests records; write all records in one of the two ways
      {"node": []}
      lists.node: org.example.base has no list "node"; did you mean nodes?
      {"nodes": [{"width": "item"}]}
      lists.nodes[0].width: the expression "item"
      """#))
  func mistakes(lists: String, sentence: String) throws {
    let error = try #require(throws: HostError.self) { try records(lists) }
    #expect(error.kind == .invalidInput && error.message.contains(sentence), "\(error)")
  }

  @Test("a scenario with records reads back from its text, and goes over another key by key")
  func readsBack() throws {
    let text = #"{"lists": {"nodes": [{"width": 2, "children": [{"width": 3}]}], "stops": []}}"#
    let scenario = try Scenario(parsing: Array(text.utf8), name: "s")
    #expect(try Scenario(scenario.json) == scenario)
    let setup = try scenario.resolved(for: [Fixture.base]).input
    let again = try Scenario(
      .object([("lists", .object([("nodes", JSON(setup.lists["nodes"]!))]))]))
    #expect(try again.resolved(for: [Fixture.base]).input.lists["nodes"] == setup.lists["nodes"])
    let other = try Scenario(
      parsing: Array(#"{"lists": {"stops": [{"at": 1}], "nodes": []}}"#.utf8), name: "t")
    let over = scenario.over(other)
    #expect(over.lists["nodes"] == scenario.lists["nodes"])
    #expect(over.lists["stops"] == scenario.lists["stops"])
    #expect(Scenario().over(other).lists == other.lists)
  }
}
