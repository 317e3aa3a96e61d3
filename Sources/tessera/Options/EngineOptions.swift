import ArgumentParser
import Glibc
import TesseraHost

/// Where engines are looked for, which may be used, and how they are run.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Search this folder first; may be given more than once.", valueName: "dir"),
    completion: .directory)
  var engines: [String] = []

  @Flag(
    name: .long,
    help: "Use only libraries that are on your allowlist, which tessera trust changes.")
  var requireHash = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Use only libraries that are on the allowlist in this file.", valueName: "file"),
    completion: .file())
  var allowlist: String?

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
      discussion: """
        With --isolation none it cannot be stopped by itself: the command ends with it.
        """, valueName: "seconds"))
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

  private var chosenIsolation: Isolation { Isolation(rawValue: isolation) ?? .sandbox }

  /// What ends the command when an engine inside it hangs; a worker's engine is stopped by the host.
  var watchdog: Watchdog { Watchdog(seconds: chosenIsolation == .none ? timeout : nil) }

  /// The sentence for an engine that hung inside the command.
  func hanging(_ subject: String) -> String {
    "\(subject) did not return within \(timeout.shortText) s and was stopped with this command; "
      + "give --timeout more seconds if it only needs longer"
  }

  /// The options that make another command use the same engines in the same way.
  var repeated: [String] {
    var options = engines.flatMap { ["--engines", $0] }
    if let allowlist { options += ["--allowlist", allowlist] }
    if requireHash { options.append("--require-hash") }
    if chosenIsolation != .sandbox { options += ["--isolation", isolation] }
    return options
  }

  /// The host over the folders of the search path.
  ///
  /// - Parameter refusesCrashing: Whether a library that crashed again and again is refused.
  func host(refusesCrashing: Bool = true) throws -> Host {
    for folder in engines {
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw CommandFailure(.noInput, "--engines \(folder): there is no such folder")
      }
    }
    var configuration = ProcessEnvironment.hostConfiguration
    configuration.isolation = chosenIsolation
    configuration.limits.secondsPerCall = timeout
    configuration.refusesCrashing = refusesCrashing
    configuration.trust = try trust()
    return Host(
      searchPath: ProcessEnvironment.searchPath(first: engines), configuration: configuration)
  }

  private func trust() throws -> TrustPolicy {
    guard requireHash || allowlist != nil else { return TrustPolicy() }
    let list = try Allowlist(file: ProcessEnvironment.allowlistFile(allowlist))
    guard list.exists || allowlist == nil else {
      throw CommandFailure(
        .noInput,
        "--allowlist \(list.file): there is no such file; tessera trust add --allowlist \(list.file) "
          + "makes it")
    }
    return TrustPolicy(allowsOnly: list)
  }

  /// The engine by id, last part of an id, or path.
  func engine(_ name: String) throws -> Engine {
    let host = try host()
    return try watchdog.guarding(hanging("loading \(name)")) { () throws(HostError) in
      try host.engine(name)
    }
  }
}
