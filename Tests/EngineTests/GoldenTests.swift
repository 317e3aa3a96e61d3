import Foundation
import TesseraHost
import TesseraScenario
import TestSupport
import Testing

@Suite struct GoldenTests {
  struct Golden: CustomTestStringConvertible, Sendable {
    let engine: String
    let name: String
    let scenario: Scenario
    let expected: LayoutDocument
    let tolerance: Double
    let isPartial: Bool

    var testDescription: String { name }
  }

  static let all: [Golden] = {
    do { return try files().flatMap(read) } catch { fatalError("\(error)") }
  }()

  @Test(arguments: all)
  func layoutIsTheGolden(_ golden: Golden) throws {
    let session = try ShippedEngines.session(golden.engine)
    try golden.scenario.apply(to: session)
    let elements = try session.elements()
    let actual = LayoutDocument(
      engine: golden.engine, contentSize: try session.contentSize(), elements: elements,
      attributes: elements.attributes)
    let differences = golden.expected.differences(
      from: actual, tolerance: golden.tolerance, isPartial: golden.isPartial)
    let text = differences.map(\.description).joined(separator: "\n")
    #expect(differences.isEmpty, "\(golden.name): \(text)")
  }

  /// An element of zero length is absent, not empty; a golden's section header of that length is
  /// listed.
  @Test(arguments: all.filter(\.isPartial))
  func supplementaryElementsAreThoseOfTheGolden(_ golden: Golden) throws {
    let session = try ShippedEngines.session(golden.engine)
    try golden.scenario.apply(to: session)
    func supplementary(_ identities: [ElementIdentity]) -> Set<ElementIdentity> {
      Set(identities.filter { $0.category == .supplementary })
    }
    #expect(
      supplementary(try session.elements().map(\.identity))
        == supplementary(golden.expected.elements.map(\.identity)))
  }

  private static func files() throws -> [URL] {
    let folder = BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/goldens")
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
  }

  /// A scenario with its expected layout, or a list under "cases"; partial unless "isComplete".
  private static func read(_ file: URL) throws -> [Golden] {
    let name = file.deletingPathExtension().lastPathComponent
    let root = try object(JSON(parsing: try Data(contentsOf: file), name: name))
    guard case .text(let engine)? = root["engine"] else { throw Malformed(file: name) }
    var tolerance = 0.01
    if case .number(let given)? = root["tolerance"] { tolerance = given }
    if case .list(let cases)? = root["cases"] {
      let isPartial = root["isComplete"] != .bool(true)
      return try cases.map { entry in
        let members = try object(entry)
        guard case .text(let title)? = members["name"] else { throw Malformed(file: name) }
        return try golden(engine, "\(name) \(title)", members, tolerance, isPartial: isPartial)
      }
    }
    return [try golden(engine, name, root, min(tolerance, 1e-9), isPartial: false)]
  }

  private static func golden(
    _ engine: String, _ name: String, _ members: [String: JSON], _ tolerance: Double,
    isPartial: Bool
  ) throws -> Golden {
    guard let scenario = members["scenario"], let expected = members["expected"] else {
      throw Malformed(file: name)
    }
    return Golden(
      engine: engine, name: name, scenario: try Scenario(scenario),
      expected: try LayoutDocument(withElements(expected)), tolerance: tolerance,
      isPartial: isPartial)
  }

  private static func withElements(_ expected: JSON) throws -> JSON {
    guard case .list(let frames)? = expected["cells"], case .object(let members) = expected else {
      return expected
    }
    let elements = frames.enumerated().map { item, frame in
      JSON.object([
        ("category", .text("cell")), ("section", .integer(0)), ("item", .integer(item)),
        ("frame", frame),
      ])
    }
    return .object(members.filter { $0.name != "cells" } + [("elements", .list(elements))])
  }

  private static func object(_ json: JSON) throws -> [String: JSON] {
    guard case .object(let members) = json else { throw Malformed(file: "\(json)") }
    return Dictionary(
      members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private struct Malformed: Error { let file: String }
}
