import Foundation
import TestSupport
import Testing

@Suite struct ManualTests {
  private let prefix: Installation

  init() throws { prefix = try Installation.shared() }

  private var pages: String { "\(prefix.path)/share/man/man1" }

  private static let commands: [[String]] = [
    [], ["list"], ["info"], ["layout"], ["update"], ["transition"], ["snap"], ["call"],
    ["check"], ["replay"], ["diff"], ["doctor"], ["trust"], ["trust", "add"],
    ["trust", "list"],
    ["trust", "remove"], ["install"], ["uninstall"], ["new"], ["link"],
  ]

  private func page(_ command: [String]) throws -> String {
    let path = "\(pages)/\((["tessera"] + command).joined(separator: "-")).1"
    let text = try Program.run("groff", ["-man", "-Tascii", "-P-cbou", "-rLL=900n", path])
    try #require(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
    return Self.words(text.output)
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: commands)
  func pagesHoldEveryOptionOfTheHelp(command: [String]) throws {
    let help = try prefix.tessera(arguments: command + ["--help"]).output
    let page = try page(command)
    let options = Set(help.matches(of: /(?m)^  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) })
    #expect(options.count >= 2)
    for option in options { #expect(page.contains(" \(option) "), "\(option)") }
    let overview = try #require(help.split(separator: "OVERVIEW: ").first)
      .components(separatedBy: "\n\nEXAMPLES")[0].components(separatedBy: "\n\n")
    for paragraph in overview { #expect(page.contains(Self.words(paragraph)), "\(paragraph)") }
    #expect(page.contains(" EXAMPLES $ tessera "))
  }

  @Test func pagesAreReadWithoutWarnings() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: pages).sorted()
    let expected = Self.commands.map { (["tessera"] + $0).joined(separator: "-") + ".1" }
    #expect(names == expected.sorted())
    let files = names.map { "\(pages)/\($0)" }
    let groff = try Program.run("groff", ["-ww", "-man", "-Tutf8", "-z"] + files)
    #expect(groff.status == 0 && groff.errors.isEmpty, "\(groff.errors)")
    let mandoc = try Program.run("mandoc", ["-T", "lint", "-W", "warning"] + files)
    #expect(mandoc.status == 0, "\(mandoc.output)")
  }

  private static let completions = [
    "bash": "share/bash-completion/completions/tessera",
    "zsh": "share/zsh/site-functions/_tessera",
    "fish": "share/fish/vendor_completions.d/tessera.fish",
  ]

  @Test(arguments: completions.keys.sorted())
  func completionsAreThoseOfTheCommand(shell: String) throws {
    let file = "\(prefix.path)/\(try #require(Self.completions[shell]))"
    let script = try prefix.tessera("--generate-completion-script", shell)
    #expect(script.status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == script.output)
    let answer = try prefix.tessera("---complete", shell, "layout", "fl")
    #expect(shell == "bash" || answer.output.contains("\nflow"), "\(answer.output)")
    let parsed = try Program.run(shell, ["-n", file])
    #expect(parsed.status == 0 && parsed.errors.isEmpty, "\(parsed.errors)")
  }
}
