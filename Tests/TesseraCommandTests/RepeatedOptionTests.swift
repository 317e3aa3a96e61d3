import Foundation
import TestSupport
import Testing

/// Options that are given twice.
@Suite struct RepeatedOptionTests {
  private struct Help: Decodable {
    struct Command: Decodable {
      let commandName: String
      let arguments: [Argument]?
      let subcommands: [Command]?
    }
    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }
      let kind: String
      let isRepeating: Bool
      let names: [Name]?
    }
    let command: Command

    /// The options of all commands by their first long names, and the first long name of each other
    /// name.
    static func read() throws -> (
      repeating: Set<String>, single: Set<String>, otherNames: [String: String]
    ) {
      let dump = try Program.tessera("--experimental-dump-help")
      let help = try JSONDecoder().decode(Help.self, from: Data(dump.output.utf8))
      var found: (repeating: Set<String>, single: Set<String>, otherNames: [String: String]) = (
        [], [], [:]
      )
      var commands = [help.command]
      while let command = commands.popLast() {
        commands += command.subcommands ?? []
        for argument in command.arguments ?? [] where argument.kind == "option" {
          let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
          let first = try #require(names.first { $0.hasPrefix("--") })
          for other in names where other != first { found.otherNames[other] = first }
          if argument.isRepeating {
            found.repeating.insert(first)
          } else {
            found.single.insert(first)
          }
        }
      }
      return found
    }
  }

  /// The second names of options are those that the parser knows.
  @Test func secondNamesAreTheParsers() throws {
    let help = try Help.read()
    #expect(help.repeating.count > 5 && help.single.count > 30)
    #expect(help.repeating.isDisjoint(with: help.single))
    let source = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent(
        "Sources/TesseraCommand/CommandProgram.swift"),
      encoding: .utf8)
    let start = try #require(source.range(of: "static let otherNames"))
    let names = source[start.upperBound...].prefix { $0 != "]" }
      .matches(of: /"(-[a-z-]+)": "(--[a-z-]+)"/)
    #expect(
      Dictionary(uniqueKeysWithValues: names.map { (String($0.output.1), String($0.output.2)) })
        == help.otherNames)
  }

  /// Every option with one value, given twice in every spelling.
  @Test func singleOptionIsRefusedTwice() throws {
    let help = try Help.read()
    for option in help.single.sorted() {
      // Each takes a process: one spelling of each option, and all spellings of those with two names.
      var spellings = [["\(option)=1", option, "2"]]
      for (other, first) in help.otherNames where first == option {
        spellings += [
          [option, "1", option, "2"], ["\(option)=1", "\(option)=2"], [other, "1", other, "2"],
          [other, "1", option, "2"], ["\(option)=1", other, "2"],
        ]
      }
      for spelling in spellings {
        // Layouts have no style, only animations.
        let command =
          ["--width", "--columns", "--theme"].contains(option)
          ? ["transition", "flow", "grid"] : ["layout", "flow"]
        let result = try Program.tessera(command + spelling)
        #expect(result.status == 64)
        #expect(
          result.errors.hasPrefix(
            "tessera: \(option) is given twice, as \"1\" and as \"2\"; give it once"),
          "\(spelling): \(result.errors)")
      }
    }
  }

  @Test func optionThatRepeatsIsAccepted() throws {
    let result = try Program.tessera(
      "layout", "flow", "--items", "2", "--set", "minimumLineSpacing=3",
      "--set=minimumInteritemSpacing=4",
      "--item", "size='10,10'", "--section", "sectionInset='1,1,1,1'",
      "--engines", "/none", "--engines", BuiltProducts.folder.path)
    #expect(!result.errors.contains("twice"), "\(result.errors)")
    let check = try Program.tessera("check", "--list", "--filter", "query*", "--filter", "counts*")
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test(
    arguments: [
      ("--set", "minimumLineSpacing"), ("--item", "size"), ("--section", "sectionInset"),
      ("--delegate", "sizeForItem"),
    ])
  func settingOfANameIsRefusedTwice(option: String, name: String) throws {
    let result = try Program.tessera(
      "layout", "flow", "--items", "2", option, "\(name)=1", option, "\(name)=1")
    #expect(result.status == 65)
    #expect(result.errors == "tessera: \(option) \(name) is given twice; give it once\n")
  }

  /// After --, and as the value of an option, a text that looks like an option is none.
  @Test func textAfterTheOptionsIsNoOption() throws {
    let result = try Program.tessera("info", "--", "--items")
    #expect(result.status == 66, "\(result.errors)")
  }
}
