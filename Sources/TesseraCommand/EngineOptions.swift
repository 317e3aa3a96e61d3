import ArgumentParser
import Glibc
import TesseraHost

extension SandboxGrade: ExpressibleByArgument {
  /// Parses the required sandbox: only `full`.
  public init?(argument: String) {
    guard argument == SandboxGrade.full.name else { return nil }
    self = .full
  }

  /// The values for the help.
  public static var allValueStrings: [String] { [full.name] }
}

/// A number of bytes with an optional unit: `512M`, `8G`.
public struct MemorySize: ExpressibleByArgument {
  /// The number of bytes.
  public let byteCount: UInt64

  /// Creates a size.
  public init(byteCount: UInt64) { self.byteCount = byteCount }

  /// Accepts 64M to 1024G, with binary units K, M and G.
  public init?(argument: String) {
    let shifts: [Character: UInt64] = ["K": 10, "M": 20, "G": 30]
    let shift = argument.last.flatMap { shifts[Character($0.uppercased())] }
    let digits = shift == nil ? argument[...] : argument.dropLast()
    guard digits.allSatisfy(\.isASCII), let number = UInt64(digits), number <= 1 << 40 else {
      return nil
    }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !overflows, (64 << 20)...(1 << 40) ~= bytes else { return nil }
    byteCount = bytes
  }

  /// The size in the help.
  public var defaultValueDescription: String { "\(byteCount >> 30)G" }

  fileprivate var argument: String {
    let units = [(30, "G"), (20, "M"), (10, "K")]
    let unit = units.first { byteCount % (1 << $0.0) == 0 } ?? (0, "")
    return "\(byteCount >> UInt64(unit.0))\(unit.1)"
  }
}

extension ArgumentHelp {
  /// The help of engine arguments.
  public static var engine: ArgumentHelp {
    "An engine: its id, the last part of its id if that is unique, or the path of a library."
  }
}

extension CompletionKind {
  /// Engine files; `CompletionContext` adds the engines on the search path.
  public static var engine: CompletionKind { .file(extensions: ["so"]) }
}

/// Where engines are found, which are allowed, and how they run.
public struct EngineOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The value of `--engines`.
  @Option("Search this folder first; may be repeated.", "dir", completion: .directory)
  public var engines: [String] = []

  @Flag(
    name: .long,
    help: "Use only libraries on your allowlist, which tessera trust manages.")
  package var requireHash = false

  @Option(
    "Use only libraries on the allowlist in this file.", "file", isHidden: true, completion: .file()
  )
  package var allowlist: String?

  @Option(
    "How engines are isolated from this command: sandbox, process or none.",
    more: """
      sandbox is a process without your rights, process one with your rights, and none this \
      command, for engines that you trust.
      """, completion: .list(["sandbox", "process", "none"]))
  var isolation = "sandbox"

  /// The least sandbox that engines must run in; nil for any.
  @Option(
    "Refuse engines unless the sandbox is full; tessera doctor shows whether it is.", "full",
    name: .customLong("require"), isHidden: true)
  public var requiredSandbox: SandboxGrade?

  @Option("The time that an engine may take for one question (default: 10).", "seconds")
  var timeout: Double?

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "If an engine crashes, show the calls that led to it.",
      discussion: """
        With file and line if the library was compiled with -g and llvm-symbolizer or addr2line is \
        installed, which read the library with your rights.
        """))
  var backtrace = false

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Prepare engines for debuggers, profilers and sanitizers.",
      discussion: """
        Needs --isolation none or process. Calls have no time limit unless --timeout sets one, and \
        with process the worker loads the library's own file, has your environment, and prints to \
        standard error.
        """, visibility: .hidden))
  var debug = false

  @Option(
    "The memory limit of an engine, such as 512M or 8G.", "size",
    more: """
      It covers everything that an engine uses: the rows that it writes, the values that it reads, and \
      memory of its own. It has no effect with --isolation none.
      """, isHidden: true)
  var memory: MemorySize = MemorySize(byteCount: WorkerLimits().memory)

  @Option(
    "The maximum number of rows of a layout, from 1 to 1073741824.", "n",
    more: """
      A layout that is not lazy has a row for each element. An engine that is isolated can also be \
      limited by --memory, to fewer rows.
      """, isHidden: true)
  var rowLimit = HostConfiguration().rowLimit

  /// Checks the combination of options.
  public mutating func validate() throws {
    try require(
      (1...(1 << 30)).contains(rowLimit), "--row-limit is \(rowLimit); give 1 to 1073741824")
    try require(
      Isolation(rawValue: isolation) != nil,
      "--isolation \(isolation): expected sandbox, process or none")
    try require(
      requiredSandbox == nil || isolation == Isolation.sandbox.rawValue,
      "--require full needs --isolation sandbox; found \(isolation)")
    try require(
      !debug || isolation != Isolation.sandbox.rawValue,
      "--debug needs --isolation none or process; found sandbox")
    try require(
      !backtrace || isolation != Isolation.none.rawValue,
      "--backtrace needs --isolation sandbox or process; found none")
    if let timeout, !(0.001...Self.longestTimeout).contains(timeout) {
      throw ValidationError("--timeout is \(timeout); give seconds from 0.001 to 1000000")
    }
  }

  /// Where the engine runs: in a sandboxed process by default.
  public var chosenIsolation: Isolation { Isolation(rawValue: isolation) ?? .sandbox }

  /// Ends the command if an engine inside it hangs; workers have their own limit.
  public var watchdog: Watchdog { Watchdog(seconds: chosenIsolation == .none ? timeLimit : nil) }

  /// A debugger may stop the call.
  private var timeLimit: Double? { timeout ?? (debug ? nil : WorkerLimits().secondsPerCall) }

  private static let longestTimeout = 1_000_000.0

  /// The error for an engine that hung inside the command.
  public func hanging(_ subject: String) -> String {
    "\(subject) did not return within \((timeLimit ?? 0).shortText) s and was stopped with this command; "
      + "give --timeout more seconds if it only needs longer"
  }

  /// A warning about a reduced sandbox, unless wanted.
  public func warning(about session: Session) -> String? {
    guard chosenIsolation == .sandbox, session.sandbox != .full else { return nil }
    return "warning: the sandbox is \(session.sandbox); --require full refuses to run engines in it"
  }

  /// The options, to pass on to another command.
  public var arguments: [String] {
    func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }
    func flag(_ name: String, _ isSet: Bool) -> [String] { isSet ? [name] : [] }
    return engines.flatMap { ["--engines", $0] } + flag("--require-hash", requireHash)
      + option("--allowlist", allowlist)
      + option("--isolation", isolation == "sandbox" ? nil : isolation)
      + option("--require", requiredSandbox?.name)
      + option("--timeout", timeout.map(\.shortText))
      + flag("--backtrace", backtrace) + flag("--debug", debug)
      + option("--memory", memory.byteCount == WorkerLimits().memory ? nil : memory.argument)
      + option("--row-limit", rowLimit == HostConfiguration().rowLimit ? nil : "\(rowLimit)")
  }

  /// Creates the host, which may refuse libraries that crashed repeatedly.
  public func host(refusesCrashing: Bool = true) throws -> Host {
    for folder in engines {
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw HostError(.fileNotFound, "--engines \(folder): there is no such folder")
      }
    }
    var configuration = ProcessEnvironment.hostConfiguration
    configuration.isolation = chosenIsolation
    configuration.limits.secondsPerCall = timeLimit ?? Self.longestTimeout
    configuration.isDebugged = debug
    if backtrace { configuration.crashed = { Diagnostics.write($0.text) } }
    configuration.limits.memory = memory.byteCount
    configuration.rowLimit = rowLimit
    configuration.requiresFullSandbox = requiredSandbox != nil
    if !refusesCrashing { configuration.refusalTime = 0 }
    configuration.trust = try trust()
    return Host(
      searchPath: ProcessEnvironment.searchPath(first: engines), configuration: configuration)
  }

  private func trust() throws -> TrustPolicy {
    guard requireHash || allowlist != nil else { return TrustPolicy() }
    let list = try Allowlist(file: ProcessEnvironment.allowlistFile(allowlist))
    guard list.exists || allowlist == nil else {
      throw HostError(
        .fileNotFound,
        "--allowlist \(list.file): there is no such file; tessera trust add --allowlist \(list.file) "
          + "creates it")
    }
    return TrustPolicy(allowsOnly: list)
  }

  /// The same options, with engines inside this command.
  public var inProcess: EngineOptions {
    var options = self
    (options.isolation, options.backtrace) = (Isolation.none.rawValue, false)
    return options
  }

  /// Finds an engine by id, by the last part of an id, or by path.
  public func engine(_ name: String) throws -> Engine {
    let host = try host()
    return try watchdog.guarding(hanging("loading \(name)")) { () throws(HostError) in
      try host.engine(name)
    }
  }
}
