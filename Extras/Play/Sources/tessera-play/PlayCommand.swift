import ArgumentParser
import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraHost
import TesseraPictures
import TesseraScenario

/// `tessera play`: a playground in the browser.
@main
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera play",
    abstract: "Serves a playground for engines to a browser on this machine.",
    discussion: """
      The page lays out again through the engine at every change: of its parameters, of the items, of \
      the viewport. It reloads an engine when its library file changes, and keeps what was set. The \
      address contains a secret, and only this machine can reach it. Ctrl-C ends the server.

      EXAMPLES
        tessera play
        tessera play flow --item size='80+noise(item)*120,90'
        tessera play ./build/libspiral.so --items 200 --port 8000
        tessera play grid --images ~/Pictures
        tessera play failure.jsonl
        tessera play grid --items 1000000 --no-open
      """)

  @Argument(
    help: ArgumentHelp(
      "An engine, or a file to open.",
      discussion: """
        An engine is named as in other commands. A file is a recording (.jsonl), whose engine is used, \
        or a scenario (.json).
        """), completion: .file(extensions: ["so", "jsonl", "json"]))
  var engine: String?

  @OptionGroup var scenarioOptions: ScenarioOptions
  @OptionGroup(title: "Content") var imageOptions: ImageOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The port to serve on (default: a free one).", valueName: "n"))
  var port: UInt16 = 0

  @Flag(
    name: .long, inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Open the page in a browser, if there is a desktop.")
  var open = true

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  static let _errorPrefix = "tessera: "

  static func main() { CommandProgram.run(PlayCommand.self) }

  mutating func validate() throws {
    guard engineOptions.chosenIsolation != .none else {
      throw ValidationError(
        "--isolation none would end the playground with an engine that crashes; give sandbox or "
          + "process")
    }
  }

  func run() throws {
    let file = try engine.flatMap(Self.open)
    var scenario = try imageOptions.scenario(scenarioOptions)
    if let file { scenario = scenario.over(file.scenario) }
    let host = try engineOptions.host(refusesCrashing: false)
    // Reports a misspelt name now, not in the page.
    let name = try (file.map(\.engine) ?? engine).map { engine in
      try host.engine(engine).playName(for: engine)
    }
    var table: ItemTable?
    if case .table(let rows) = scenario.content {
      table = rows
      scenario.content = nil
    }
    let start = PlayStart(
      engine: name, scenario: scenario.json, table: table, host: host,
      checkOptions: engineOptions.arguments)
    try PlayServer(start, port: port).run { address in
      let output = BufferedOutput.standard()
      try? output.write(address + "\n")
      try? output.flush()
      Diagnostics.say("serving until Ctrl-C")
      if open { Self.openInBrowser(address) }
    }
  }

  /// A scenario file, or a recording with its engine's id; nil if the argument is neither.
  private static func open(
    _ path: String
  ) throws(HostError) -> (engine: String?, scenario: Scenario)? {
    guard path.hasSuffix(".json") || path.hasSuffix(".jsonl") else { return nil }
    let bytes = try path.inputBytes()
    return try PlayStart.opened(name: path, text: String(decoding: bytes, as: UTF8.self))
  }

  /// Does nothing without a desktop.
  ///
  /// Arguments are visible to every user, so the browser gets a private file that redirects to the
  /// address. It is removed after the browser has read it.
  private static func openInBrowser(_ address: String) {
    let environment = ProcessEnvironment.values
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    CommandProgram.detach {
      let folder = environment["XDG_RUNTIME_DIR"] ?? FileManager.default.temporaryDirectory.path
      var template = Array("\(folder)/tessera-play-XXXXXX.html".utf8CString)
      let descriptor = mkstemps(&template, Int32(".html".utf8.count))
      guard descriptor >= 0 else { return }
      let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      defer { unlink(path) }
      let page = Array(
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n".utf8)
      let written = write(descriptor, page, page.count)
      close(descriptor)
      // A newly started browser outlives this program.
      guard written == page.count,
        (try? ChildProcess.run("xdg-open", [path], follows: false)) != nil
      else { return }
      // Time for the browser to start and read the file.
      sleep(20)
    }
  }
}

extension Engine {
  /// The page's name for an engine: its id, or library and id for a path.
  fileprivate func playName(for argument: String) -> String {
    argument.contains("/") ? "\(library)#\(description.id)" : description.id
  }
}

/// The initial state of a page.
struct PlayStart: Sendable {
  let engine: String?
  let scenario: JSON
  let table: ItemTable?
  let host: TesseraHost.Host
  /// Engine search options for `tessera check`.
  let checkOptions: [String]

  /// The scenario of a file; with the engine's id for a recording.
  ///
  /// - Throws: `.invalidInput` if the text is neither.
  static func opened(
    name: String, text: String
  ) throws(HostError) -> (engine: String?, scenario: Scenario) {
    guard Recording.isRecording(text) else {
      return (nil, try Scenario(parsing: Data(text.utf8), name: name))
    }
    let recording = try Recording(parsing: Data(text.utf8), name: name)
    return (recording.header.engine, recording.scenario)
  }
}
