import TestSupport
import Testing

/// Chains that cannot be: one sentence each from the built command, before anything is laid out.
@Suite struct BrokenChainTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("family") }

  @Test(
    arguments: [
      ("orphan", 66, ["org.example.orphan", "org.example.nobody", "not on the search path"]),
      ("wants-minor", 76, ["org.example.wants-minor", "1.2.0", "1.1.0"]),
      ("wants-major", 76, ["org.example.wants-major", "2.0.0", "1.1.0"]),
      ("hen", 76, ["org.example.hen → org.example.egg → org.example.hen"]),
      ("self", 76, ["org.example.self → org.example.self"]),
      ("lazy", 76, ["org.example.lazy is lazy", "org.example.root"]),
      ("too-wide", 76, ["width, which is 10"]),
      ("no-such-parameter", 76, ["height"]),
    ] as [(String, Int32, [String])])
  func invalidChainIsReportedInOneSentence(
    _ name: String, _ status: Int32, _ parts: [String]
  ) throws {
    for command in [["layout", name, "--items", "3", "--trace"], ["layout", name, "-o", "x.svg"]] {
      let result = try Program.run(
        BuiltProducts.command.path, command,
        environment: ["TESSERA_PATH": library.folder.path])
      #expect(result.status == status)
      #expect(result.output.isEmpty)
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 1, "\(result.errors)")
      for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
    }
  }
}
