import ArgumentParser
import Glibc
import TesseraHost

/// Where engines are looked for, and how they are run.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Search this folder first; may be given more than once.", valueName: "dir"),
    completion: .directory)
  var engines: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How engines are kept apart from this command: sandbox, process or none.",
      discussion: """
        In a sandbox an engine runs in a process of its own without the rights to do harm; process \
        leaves it your rights, and none runs it inside this command, where a crash is the command's \
        end: for engines that you trust.
        """))
  var isolation = "sandbox"

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How long one call into an engine may take; it is stopped when it takes longer.",
      valueName: "seconds"))
  var timeout = 10.0

  mutating func validate() throws {
    guard Isolation(rawValue: isolation) != nil else {
      throw ValidationError("--isolation \(isolation): expected sandbox, process or none")
    }
    guard timeout >= 0.001 && timeout <= 1_000_000 else {
      throw ValidationError(
        "--timeout is \(timeout); give seconds from 0.001 to 1000000")
    }
  }

  /// What ends the command when an engine inside it hangs.
  var watchdog: Watchdog {
    Watchdog(seconds: timeout, isNeeded: Isolation(rawValue: isolation) == Isolation.none)
  }

  /// The sentence for an engine that hung.
  func hanging(_ subject: String) -> String {
    "\(subject) did not come back within \(timeout.shortText) s and was stopped with this command; "
      + "give --timeout more seconds if it only needs longer"
  }

  /// The host over the folders of the search path.
  func host() throws -> Host {
    for folder in engines {
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw CommandFailure(.noInput, "--engines \(folder): there is no such folder")
      }
    }
    var configuration = HostConfiguration()
    configuration.isolation = Isolation(rawValue: isolation) ?? .sandbox
    configuration.limits.secondsPerCall = timeout
    return Host(searchPath: .ofCommand(first: engines), configuration: configuration)
  }

  /// The engine by id, last part of an id, or path.
  func engine(_ name: String) throws -> Engine {
    let host = try host()
    return try watchdog.guarding(hanging("loading \(name)")) { () throws(HostError) in
      try host.engine(name)
    }
  }
}
