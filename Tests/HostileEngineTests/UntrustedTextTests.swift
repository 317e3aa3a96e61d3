import Foundation
import TestSupport
import Testing

/// Control and format characters of file contents are escaped in all messages.
extension HostileEngineTests {
  @Suite struct UntrustedTextTests {
    /// Clears a terminal, reorders text, and imitates a message of the command.
    private static let evil = "A\u{1B}[2JB\u{202E}C\u{2066}D\u{7}E\u{2028}F\ntessera: all is well"
    private static let json = #""A\u001B[2JB\u202EC\u2066D\u0007E\u2028F\ntessera: all is well""#

    private let library: HostileLibrary
    private let folder: TemporaryFolder

    init() throws {
      library = try HostileLibrary(HostileCase("honest", .lays))
      folder = try TemporaryFolder()
    }

    private func expectHarmless(
      _ arguments: [String], at location: SourceLocation = #_sourceLocation
    ) throws {
      let result = try Program.run(
        BuiltProducts.command.path, arguments, in: folder.path,
        environment: ["TESSERA_PATH": "", "XDG_CONFIG_HOME": folder.path])
      let text = result.output + result.errors
      #expect(!text.isEmpty && !result.wasKilled, sourceLocation: location)
      for scalar in text.unicodeScalars where scalar != "\n" {
        let category = scalar.properties.generalCategory
        let isObeyed = [.control, .format, .lineSeparator].contains(category)
        #expect(!isObeyed, "\(arguments): \(scalar.value)", sourceLocation: location)
      }
      for line in text.split(separator: "\n") {
        #expect(!line.hasPrefix("tessera: all is well"), "\(arguments)", sourceLocation: location)
      }
    }

    @Test func fileNameIsEscaped() throws {
      let names = ["lib\(Self.evil).so", "libA\u{1B}[2J.so", "libB\u{202E}.so"]
      for name in names {
        let path = folder.path("engines/\(name)")
        try folder.makeFolder("engines")
        try FileManager.default.copyItem(atPath: library.path, toPath: path)
        try expectHarmless(["info", path])
        try expectHarmless(["check", path, "--filter", "library-*"])
        try expectHarmless(["trust", "add", path])
        try expectHarmless(["replay", path])
      }
      try folder.write("engines/libbad\(Self.evil).so", "no library")
      try expectHarmless(["list", "--engines", folder.path("engines")])
      try expectHarmless(["doctor", "--engines", folder.path("engines")])
      try expectHarmless(["trust", "list"])
    }

    @Test func keysAndValuesOfScenariosAreEscaped() throws {
      for (number, text) in [
        #"{EVIL: 1}"#, #"{"sections": [{"items": 3, EVIL: 2}]}"#, #"{"direction": EVIL}"#,
        #"{"parameters": {EVIL: 3}}"#, #"{"parameters": {"amount": EVIL}}"#,
        #"{"sections": [{"items": 1, "itemValues": {EVIL: [1]}}]}"#, #"{"sections": EVIL}"#,
      ].enumerated() {
        let path = try folder.write(
          "\(number).json", text.replacingOccurrences(of: "EVIL", with: Self.json))
        try expectHarmless(["layout", library.path, "--scenario", path])
      }
    }

    @Test func columnsOfTablesAreEscaped() throws {
      let quoted = "\"\(Self.evil)\""
      for (name, text) in [
        ("a.csv", "\(quoted),b\n1,2\n"), ("b.csv", "weight\n\(quoted)\n"),
        ("c.ndjson", "{\(Self.json): 1}\n"), ("d.ndjson", "{\"weight\": \(Self.json)}\n"),
      ] {
        let path = try folder.write(name, text)
        try expectHarmless(["layout", library.path, "--format", "table", "--items-from", path])
      }
    }

    @Test func textOfARecordingIsEscaped() throws {
      let path = folder.path("recording.jsonl")
      let result = try Program.run(
        BuiltProducts.command.path,
        ["layout", library.path, "--items", "2", "--item", "weight=1", "--record", path],
        environment: ["TESSERA_PATH": ""])
      try #require(result.status == 0)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      var strings: Set<Substring> = []
      for match in text.matches(of: /"[^"]*"/) { strings.insert(match.output) }
      #expect(strings.count > 10)
      for string in strings.sorted() {
        let changed = try folder.write(
          "changed.jsonl", text.replacingOccurrences(of: String(string), with: Self.json))
        try expectHarmless(["replay", changed])
      }
    }
  }
}
