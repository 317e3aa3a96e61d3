import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
  private struct Place {
    let folder: TemporaryFolder
    let environment: [String: String]

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("engines")
      for name in ["Flow", "CoverFlow", "Grid"] {
        try folder.link("engines/lib\(name).so", to: BuiltProducts.engine(name).path)
      }
      for name in ["scenario one.json", "scenario.txt", "items.csv", "libspiral.so"] {
        try folder.write(name, "")
      }
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      environment = [
        "HOME": try folder.makeFolder("home"), "TESSERA_PATH": folder.path("engines"),
        "PATH": "\(BuiltProducts.folder.path):\(path)", "TERM": "dumb", "LC_ALL": "C.UTF-8",
      ]
      let listed = try Program.tessera("list", environment: environment)
      try #require(listed.status == 0 && listed.errors.isEmpty, "\(listed.errors)")
    }

    static let shared = Result { try Place() }
  }

  private let place: Place

  init() throws { place = try Place.shared.get() }

  // MARK: - The command's answers

  /// Answers for bash, which replaces only text after a space, `=` or `:`.
  private func answer(
    _ line: String, environment: [String: String] = [:]
  ) throws -> [String] {
    let text = line.suffix { !" =:".contains($0) }
    let result = try Program.tessera(
      ["---complete", "bash", "tessera " + line, text], in: place.folder,
      environment: place.environment.merging(environment) { $1 })
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  static let answers: [(line: String, answer: [String])] = [
    ("la", ["words", "layout"]),
    ("trust r", ["words", "remove"]),
    ("layout ", ["words", "cover-flow", "flow", "grid"]),
    ("layout org.tessera.f", ["words", "org.tessera.flow"]),
    ("layout Cover", ["words", "Cover\\ Flow"]),
    ("new a -l c --base gr", ["words", "grid"]),
    ("layout grid --set ", ["names", "columns=", "itemSize=", "spacing="]),
    ("layout --set columns=3 --items 4 grid --set ", ["names", "itemSize=", "spacing="]),
    ("layout flow --set scrollDirection=", ["words", "vertical", "horizontal"]),
    ("layout flow --set=scrollDirection=h", ["words", "horizontal"]),
    ("layout flow --item ", ["names", "size="]),
    ("layout flow --section sectionI", ["names", "sectionInset="]),
    ("transition flow grid --to-set spac", ["names", "spacing="]),
    ("call cover-flow ", ["words", "restingOffset"]),
    ("list --isolation ", ["words", "sandbox", "process", "none"]),
    ("layout flow --format=sv", ["words", "svg"]),
    ("check --filter library-lays", ["words", "library-lays-out"]),
    ("new a --licence B", ["words", "BSD-3-Clause"]),
    ("layout flow --trace --trac", ["words"]),
    ("layout flow --items 3 --item", ["words", "--items-from", "--item"]),
    ("layout flow --bounds ", []),
    ("layout flow --scenario ", ["files", "", "json"]),
    ("layout flow --items-from=", ["files", "--items-from=", "csv", "tsv", "ndjson"]),
    ("layout flow --engines ", ["folders", ""]),
    // Options that only --help-hidden shows.
    ("layout flow --allowlist ", ["files", ""]),
    ("layout --row-limit 5 gri", ["words", "grid"]),
    ("layout ./", ["files", "", "so"]),
  ]

  @Test(arguments: answers)
  func answerHoldsWhatFits(line: String, answer expected: [String]) throws {
    #expect(try answer(line) == expected)
  }

  @Test func everyOptionOfACommandIsOffered() throws {
    let help = try Program.tessera("layout", "--help").output
    let options = Set(help.matches(of: /(?m)^  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) })
    let offered = try answer("layout flow --").dropFirst()
    #expect(options.count > 25)
    // --version is offered without a command only.
    #expect(Set(offered) == options.subtracting(["--version"]))
    #expect(try answer("--") == ["words", "--version", "--help"])
    #expect(try answer("layout flow ").contains("-o"))
  }

  @Test func helpIsPassedToTheShellsThatShowIt() throws {
    func lines(_ shell: String, _ words: String...) throws -> [Substring] {
      try Program.tessera(["---complete", shell] + words, environment: place.environment)
        .output.split(separator: "\n")
    }
    let columns = "How many cells lie side by side; 0: as many as fit, at least one."
    #expect(try lines("fish", "layout", "grid", "--set", "").contains("columns=\t\(columns)"))
    #expect(try lines("zsh", "layout", "grid", "--set", "").contains("columns=:\(columns)"))
    #expect(
      try lines("fish", "la").contains("layout\tLays out items, and prints or draws the result."))
  }

  /// The worker cannot start, so descriptions come from the cache.
  @Test func cachedDescriptionsStartNoWorker() throws {
    let broken = ["TESSERA_WORKER": "/bin/false"]
    #expect(try answer("layout grid --set sp", environment: broken) == ["names", "spacing="])
    let other = broken.merging(["HOME": place.folder.path("none")]) { $1 }
    #expect(try answer("layout grid --set sp", environment: other) == ["names"])
  }

  /// A name with shell syntax.
  @Test func namesOfEnginesAreNotEvaluated() throws {
    let folder = try TemporaryFolder()
    try CEngine(id: "org.example.bait", name: "$(touch run); `touch run`").build(in: folder)
    let path = ["TESSERA_PATH": folder.path]
    #expect(
      try answer("layout \\$", environment: path)
        == ["words", "\\$\\(touch\\ run\\)\\;\\ \\`touch\\ run\\`"])
    #expect(try answer("layout '$", environment: path) == ["words"])
    let typed = try bash(["tessera layout \\$\t"], environment: path)
    #expect(typed == ["[layout][$(touch run); `touch run`]"])
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("run")))
  }

  // MARK: - The shells

  static let typed: [(keys: String, arguments: String)] = [
    ("tessera lay\tfl\t", "[layout][flow]"),
    ("tessera layout 'Cover F\t", "[layout][Cover Flow]"),
    ("tessera layout flow --set scrollD\th\t", "[layout][flow][--set][scrollDirection=horizontal]"),
    (
      "tessera layout flow --set=scrollDirection=v\t",
      "[layout][flow][--set=scrollDirection=vertical]"
    ),
    ("tessera layout flow --scenario s\t", "[layout][flow][--scenario][scenario one.json]"),
    ("tessera layout flow --scenario=s\t", "[layout][flow][--scenario=scenario one.json]"),
    ("A=1 tessera check --strict lib\t", "[check][--strict][libspiral.so]"),
  ]

  private static let printer = """
    tessera() {
      case $1 in
      ---complete) command tessera "$@" ;;
      *) printf '<<'; printf '[%s]' "$@"; echo '>>' ;;
      esac
    }

    """

  private func arguments(in output: String) -> [String] {
    output.matches(of: /<<(\[.*?\])>>/).map { String($0.1) }
  }

  private func bash(_ lines: [String], environment: [String: String] = [:]) throws -> [String] {
    let file = try place.folder.write(
      "bashrc", "source <(command tessera --generate-completion-script bash)\n" + Self.printer)
    let result = try Program.run(
      "bash", ["--noprofile", "--rcfile", file, "-i"], in: place.folder.path,
      input: lines.map { $0 + "\n" }.joined(),
      environment: place.environment.merging(environment) { $1 })
    return arguments(in: result.output)
  }

  @Test func bashInsertsWhatFits() throws {
    #expect(try bash(Self.typed.map(\.keys)) == Self.typed.map(\.arguments))
  }

  @Test(.secondRing) func zshInsertsWhatFits() throws {
    try place.folder.write(
      "home/.zshrc",
      "autoload -Uz compinit; compinit -D -u; PS1=\n"
        + "source <(command tessera --generate-completion-script zsh)\n" + Self.printer)
    let result = try Program.run(
      "/usr/bin/script", ["-qec", "zsh -i", "/dev/null"], in: place.folder.path,
      input: Self.typed.map { $0.keys + "\n" }.joined() + "exit\n",
      environment: place.environment)
    #expect(arguments(in: result.output) == Self.typed.map(\.arguments), "\(result.output)")
  }
}

extension String {
  fileprivate func suffix(while condition: (Character) -> Bool) -> String {
    String(reversed().prefix(while: condition).reversed())
  }
}
