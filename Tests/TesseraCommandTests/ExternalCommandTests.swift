import Foundation
import TestSupport
import Testing

/// `tessera NAME` runs `tessera-NAME`.
@Suite struct ExternalCommandTests {
  private let folder: TemporaryFolder
  private var environment: [String: String] { ["PATH": "\(folder.path):/usr/bin:/bin"] }

  init() throws {
    folder = try TemporaryFolder()
    try put(
      "hello", "echo 'OVERVIEW: Says hello.'",
      "printf '<%s>' \"$@\"\nkill -s ${1:-0} $$\nexit 7")
  }

  private func put(_ name: String, _ help: String, _ body: String) throws {
    let file = try folder.write(
      "tessera-\(name)", "#!/bin/sh\nif [ \"$1\" = --help ]; then \(help); exit 0; fi\n\(body)\n")
    try #require(chmod(file, 0o755) == 0)
  }

  @Test func passesArgumentsOnAndReturnsTheStatus() throws {
    let result = try Program.tessera(
      ["hello", "0", "b c", "", "--", "--help"], environment: environment)
    #expect(result.status == 7 && result.errors.isEmpty)
    #expect(result.output == "<0><b c><><--><--help>")
    // The process is replaced by exec.
    let killed = try Program.run(
      "bash", ["-c", "'\(Program.tessera)' hello SEGV; echo $?"], environment: environment)
    #expect(killed.output.hasSuffix("139\n"), "\(killed)")
  }

  @Test func helpAndCompletionsNameIt() throws {
    let help = try Program.tessera(["--help"], environment: environment)
    #expect(help.output.contains(#/\n  hello +Says hello\.\n/#))
    let own = try Program.tessera(["help", "hello"], environment: environment)
    #expect(own.output == "OVERVIEW: Says hello.\n")
    let words = try Program.tessera(["---complete", "zsh", "h"], environment: environment)
    #expect(words.output.split(separator: "\n").contains("hello"))
    let files = try Program.tessera(["---complete", "zsh", "hello", ""], environment: environment)
    #expect(files.output == "files\n\n")
  }

  @Test(arguments: ["worker", "pictures", "../hello", "Hello", "nothing"])
  func runsNothingElse(_ name: String) throws {
    for name in ["worker", "pictures", "layout"] {
      try put(name, "echo help", "echo replaced; exit 0")
    }
    let result = try Program.tessera([name], environment: environment)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(
      result.errors.contains("there is no command \"\(name)\""), "\(result.errors)")
    let layout = try Program.tessera(["layout", "--help"], environment: environment)
    #expect(layout.output.contains("USAGE: tessera layout"))
  }

  @Test func refusesWhatOthersCanChange() throws {
    try #require(chmod(folder.path("tessera-hello"), 0o757) == 0)
    var result = try Program.tessera(["hello"], environment: environment)
    #expect(result.status == 77 && result.errors.contains("can be changed by everyone"))
    try #require(chmod(folder.path("tessera-hello"), 0o755) == 0)
    try #require(chmod(folder.path, 0o777) == 0)
    result = try Program.tessera(["hello"], environment: environment)
    #expect(result.status == 77 && result.output.isEmpty)
    result = try Program.run(
      Program.tessera, ["hello"], in: folder.path, environment: ["PATH": ".::/usr/bin"])
    #expect(result.status == 64)
  }
}
