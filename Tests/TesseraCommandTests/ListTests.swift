import Foundation
import TestSupport
import Testing

@Suite struct ListTests {
  @Test func jsonHasTheDocumentedShape() throws {
    let folder = try TemporaryFolder()
    let library = try CEngine().build(in: folder)
    let text = try folder.write("notes.so", "not a library")
    let result = try Program.tessera(
      "list", "--format", "json", environment: ["TESSERA_PATH": folder.path])
    #expect(result.status == 0)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
    let refused = try #require((json["refused"] as? [NSDictionary])?.first)
    let expected: NSDictionary = [
      "engines": [
        [
          "id": "org.example.column", "name": "Column", "version": "1.0.0", "library": library,
          "abi": "1.0", "base": NSNull(), "traits": [], "laws": [],
          "shadowedBy": NSNull(),
        ] as NSDictionary
      ],
      "refused": [
        ["file": text, "reason": refused["reason"] ?? "", "status": 76] as NSDictionary
      ],
    ]
    #expect(json == expected)
    #expect((refused["reason"] as? String)?.isEmpty == false)
  }

  @Test func shadowedEngineIsMarked() throws {
    let folder = try TemporaryFolder()
    for name in ["first", "second"] {
      try folder.makeFolder(name)
      try CEngine().build(in: folder, as: "\(name)/libcolumn.so")
    }
    let result = try Program.tessera(
      "list", "--engines", folder.path("first"), "--engines", folder.path("second"),
      environment: ["TESSERA_PATH": "/nonexistent"])
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[1].hasSuffix("  \(folder.path("first/libcolumn.so"))"))
    #expect(lines[2].hasSuffix("shadowed by \(folder.path("first/libcolumn.so"))"))
  }

  @Test func engineIsAcceptedByItsListedNames() throws {
    for name in ["org.tessera.cover-flow", "cover-flow", "Cover Flow"] {
      let result = try Program.tessera("info", name)
      #expect(result.status == 0 && result.output.hasPrefix("Cover Flow "), "\(result.errors)")
    }
    let missing = try Program.tessera("info", "Cover Flaw")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("did you mean cover-flow?"), "\(missing.errors)")
  }
}
