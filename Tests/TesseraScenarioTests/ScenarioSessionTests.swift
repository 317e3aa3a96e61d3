import Foundation
import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct ScenarioSessionTests {
  func session(_ engine: String) throws -> Session {
    let library = BuiltProducts.engine(engine)
    return try Session(
      Host(
        searchPath: SearchPath(folders: []),
        configuration: HostConfiguration(isolation: .none)
      ).engine(library.path))
  }

  @Test("all settings of a scenario reach the session")
  func viewport() throws {
    let session = try session("Flow")
    let scenario = try Scenario(
      parsing: Array(
        """
        { "bounds": [300, 400], "offset": [0, 5], "contentInsets": [1, 2, 3, 4], "scale": 3,
          "safeAreaInsets": [5, 6, 7, 8], "layoutMargins": [9, 10, 11, 12],
          "direction": "rightToLeft", "sections": [{ "items": 2 }, { "items": 0 }] }
        """.utf8), name: "scenario.json")
    #expect(try scenario.apply(to: session) == [])
    #expect(session.bounds == Size(width: 300, height: 400))
    #expect(session.offset == Point(x: 0, y: 5))
    #expect(session.contentInsets == Insets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(session.safeAreaInsets == Insets(top: 5, left: 6, bottom: 7, right: 8))
    #expect(session.layoutMargins == Insets(top: 9, left: 10, bottom: 11, right: 12))
    #expect(session.scale == 3)
    #expect(session.direction == .rightToLeft)
    #expect(session.itemCounts == [2, 0])

    try Scenario().apply(to: session)
    #expect(session.bounds == Size(width: 375, height: 667))
    #expect(session.contentInsets == .zero)
    #expect(session.direction == .leftToRight)
    #expect(session.itemCounts == [20])
  }

  @Test("a section without a value falls back to the parameter")
  func fallbacksTakeTheParameter() throws {
    let session = try session("Flow")
    let scenario = try Scenario(
      parsing: Array(
        """
        { "bounds": [100, 100], "parameters": { "itemSize": [30, 20] }, "sections": [
          { "items": 1, "itemValues": { "size": [[10, 10]] } }, { "items": 1 }] }
        """.utf8), name: "scenario.json")
    try scenario.apply(to: session)
    let frames = try session.elements().map(\.frame.size)
    #expect(frames == [Size(width: 10, height: 10), Size(width: 30, height: 20)])
  }
}
