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

  static let _errorLabel = "tessera"

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
    // A misspelt name is an error now, and not in the page.
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

  /// Opens a file that an argument names: a scenario, or a recording with the id of its engine; nil if
  /// the argument is no name of such a file.
  private static func open(
    _ path: String
  ) throws(HostError) -> (engine: String?, scenario: Scenario)? {
    guard path.hasSuffix(".json") || path.hasSuffix(".jsonl") else { return nil }
    let bytes = try path.inputBytes()
    return try PlayStart.opened(name: path, text: String(decoding: bytes, as: UTF8.self))
  }

  /// Opens an address in the browser; does nothing without a desktop.
  ///
  /// Every user of the machine can read a program's arguments, so the browser is given a file that only
  /// this user can read, and which leads to the address. It is removed when the browser has read it.
  private static func openInBrowser(_ address: String) {
    let environment = ProcessEnvironment.values
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
    Threads.detach {
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
      // A browser that was not open before stays open after this program.
      guard written == page.count,
        (try? ChildProcess.run("xdg-open", [path], follows: false)) != nil
      else { return }
      // The browser is started by then, and reads the file soon.
      sleep(20)
    }
  }
}

extension Engine {
  /// The name by which a page asks for the engine: its id, or its library and id if the argument was a
  /// path.
  fileprivate func playName(for argument: String) -> String {
    argument.contains("/") ? "\(library)#\(description.id)" : description.id
  }
}

/// Everything that a page starts with.
struct PlayStart: Sendable {
  /// The engine that the command was given; nil for none.
  let engine: String?
  /// The scenario of the command's options.
  let scenario: JSON
  /// The table of `--items-from`.
  let table: ItemTable?
  let host: TesseraHost.Host
  /// The options with which `tessera check` finds the same engines.
  let checkOptions: [String]

  /// The scenario of a file, and the id of the engine if the file is a recording.
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
