import TestSupport
import Testing

@testable import TesseraScenario

/// Scripts applied to shipped engines.
///
/// Table rows are stacked, so their y is the sum of the heights above.
@Suite struct ResolvedUpdateTests {
  private func animation(
    _ text: String, options: Scenario = Scenario()
  ) throws -> (animation: LayoutAnimation, session: Session) {
    let script = try UpdateScript(parsing: Array(text.utf8), name: "script.json")
    let library = BuiltProducts.engine("Table").path
    let session = try Session(
      Host(
        searchPath: SearchPath(folders: []),
        configuration: HostConfiguration(isolation: .none)
      ).engine(library))
    let update = try script.resolved(for: session.engine.chain, options: options)
    try update.before.apply(to: session)
    return (try update.apply(to: SessionDriver(session)), session)
  }

  private func rows(_ animation: LayoutAnimation) -> [[Double?]] {
    animation.tracks.filter { $0.identity.category == .cell }.map { track in
      [
        track.before.map { Double($0.item) }, track.after.map { Double($0.item) },
        track.from.frame.y, track.from.frame.height, track.to.frame.y, track.to.frame.height,
      ]
    }
  }

  static let plain = #""parameters": { "sectionHeaderHeight": 0, "rowHeight": 10 }"#

  @Test("items are inserted, deleted and moved, and keep what the script says of them")
  func operations() throws {
    let (animation, session) = try animation(
      """
      { "before": { \(Self.plain), "sections": [
          { "items": 3, "itemValues": { "height": [10, 20, 30] } }] },
        "after": { "sections": [{ "items": 3, "itemValues": { "height": [30, 10, 40] } }] },
        "operations": [{ "delete": [0, 1] }, { "insert": [0, 2] },
          { "move": [0, 2], "to": [0, 0] }] }
      """)
    #expect(
      rows(animation) == [
        [2, 0, 30, 30, 0, 30], [0, 1, 0, 10, 30, 10], [1, nil, 10, 20, 10, 20],
        [nil, 2, 40, 40, 40, 40],
      ])
    #expect(animation.contentSizeBefore.height == 60)
    #expect(animation.contentSizeAfter.height == 80)
    #expect(session.itemCounts == [3])
  }

  @Test("parameters, viewport and expressions are those of the side")
  func sides() throws {
    let found = try animation(
      """
      { "before": { "bounds": [100, 50], \(Self.plain), "sections": [
          { "items": 1, "itemValues": { "height": "width / 10" } }] },
        "after": { "bounds": [200, 50], "parameters": { "separatorHeight": 2 } },
        "operations": [] }
      """
    )
    #expect(rows(found.animation) == [[0, 0, 0, 10, 0, 20]])
    #expect(found.animation.tracks[0].to.frame.width == 200)
    #expect(found.session.bounds == Size(width: 200, height: 50))
  }

  private func heights(_ text: String, options: Scenario = Scenario()) throws -> [Double] {
    let found = try animation(text, options: options)
    return found.animation.tracks.filter { $0.after?.category == .cell }
      .sorted { ($0.after!.section, $0.after!.item) < ($1.after!.section, $1.after!.item) }
      .map(\.to.frame.height)
  }

  static let three =
    #""before": { \#(plain), "sections": [{ "items": 3, "itemValues": { "height": [10, 20, 30] } }] }"#

  @Test func itemValuesStayAroundInsertedAndDeletedItems() throws {
    let text = """
      { \(Self.three), "after": { "sections": [{ "items": 3 }] },
        "operations": [{ "delete": [0, 0] }, { "insert": [0, 1] }] }
      """
    #expect(try heights(text) == [20, 10, 30])
    let byIdentity = """
      { \(Self.three), "identities": { "before": [["a", "b", "c"]], "after": [["c", "x", "b"]] } }
      """
    #expect(try heights(byIdentity) == [30, 10, 20])
  }

  @Test func insertedItemGetsTheFallbackAfterTheUpdate() throws {
    let text = """
      { \(Self.three), "after": { "parameters": { "rowHeight": 44 }, "sections": [{ "items": 4 }] },
        "operations": [{ "insert": [0, 0] }] }
      """
    #expect(try heights(text) == [44, 10, 20, 30])
  }

  @Test func expressionKeepsTheOldNumbersOfItems() throws {
    let text = """
      { "before": { \(Self.plain), "sections": [
          { "items": 3, "itemValues": { "height": "10 + item * 10" } }] },
        "after": { "sections": [{ "items": 4 }] },
        "operations": [{ "insert": [0, 1] }, { "move": [0, 2], "to": [0, 0] }] }
      """
    // An item inserted at index 1 gets the expression's value there.
    #expect(try heights(text) == [30, 20, 10, 20])
    var options = Scenario()
    options.itemValues["height"] = JSONNode(text: "5 + index", source: "--item height")
    #expect(try heights(text, options: options) == [7, 6, 5, 6])
  }

  @Test func valuesOfTheScenarioAfterWin() throws {
    let text = """
      { "before": { \(Self.plain), "sections": [
          { "items": 2, "itemValues": { "height": [11, 12] } },
          { "items": 2, "itemValues": { "height": [21, 22] } }] },
        "after": { "sections": [{ "items": 2, "itemValues": { "height": [1, 2] } }, { "items": 2 }] },
        "operations": [{ "move": [0, 0], "to": [1, 1] }, { "move": [1, 0], "to": [0, 0] }] }
      """
    #expect(try heights(text) == [1, 2, 22, 11])
  }

  @Test func valuesFollowMovedSections() throws {
    let text = """
      { "before": { "parameters": { "sectionHeaderHeight": 4, "rowHeight": 10 }, "sections": [
          { "items": 1, "values": { "headerHeight": 7 }, "itemValues": { "height": [11] } },
          { "items": 1, "values": { "headerHeight": 8 }, "itemValues": { "height": 12 } }] },
        "after": { "sections": [{ "items": 1 }, { "items": 1 }, { "items": 2 }] },
        "operations": [{ "moveSection": 1, "to": 0 }, { "insertSection": 1 },
          { "insert": [2, 1] }] }
      """
    #expect(try heights(text) == [12, 10, 11, 10])
    let found = try animation(text)
    let headers = found.animation.tracks.filter {
      $0.after?.category == .supplementary
        && $0.after?.kind?.lowercased().contains("header") == true
    }.sorted { $0.after!.section < $1.after!.section }
    #expect(headers.map(\.to.frame.height) == [8, 4, 7])
  }
}
