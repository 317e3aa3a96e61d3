import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks whether engines can run in the sandbox here, and lists what was refused.",
    discussion: """
      It checks the kernel, starts an empty worker in the sandbox, then one with the first engine \
      library of the search path, and checks limits, folders, the cache, the allowlist and the \
      environment. The report begins with what is wrong, then with what is weaker than it could be.

      The grade of the sandbox is what a worker that was started really got: full, reduced or none. The \
      exit status is 0 if it is full. Otherwise it is 1. What is only weaker does not affect it.

      EXAMPLES
        tessera doctor
        tessera doctor --engines ~/engines --json
      """)

  @OptionGroup var engineOptions: EngineOptions
  @Option("The output format (default: text).")
  var format: ResultFormat?
  @Flag(name: .long, help: "The same as --format json: what a bug report should contain.")
  var json = false

  mutating func validate() throws {
    try require(!json || format != .text, "give --json or --format text, not both")
  }

  func run() throws {
    let host = try engineOptions.host()
    let diagnosis = engineOptions.watchdog.guarding(
      engineOptions.hanging("a library on the search path")
    ) {
      host.diagnosis()
    }
    let report = DoctorReport(diagnosis, engineOptions)
    try BufferedOutput.print(asJSON: json || format == .json, report.json) {
      try report.write(to: $0)
    }
    guard diagnosis.runsSandboxed else { throw ExitCode(1) }
  }
}

struct DoctorReport {
  enum Weight {
    case fine
    case weaker
    case wrong
  }

  struct Row {
    let name: String
    let text: String
    let weight: Weight

    init(_ name: String, _ text: String, _ weight: Weight = .fine) {
      (self.name, self.text, self.weight) = (name, text, weight)
    }

    /// The weight is for the second text.
    init(_ name: String, if isFine: Bool, _ text: String, else other: String, _ weight: Weight) {
      self.init(name, isFine ? text : other, isFine ? .fine : weight)
    }
  }

  typealias Section = (title: String, rows: [Row])

  /// Whether this run applies the allowlist; its file, number of libraries and problem.
  typealias AllowlistState = (isInForce: Bool, file: String?, count: Int?, problem: String?)

  let diagnosis: Diagnosis
  let allowlist: AllowlistState
  let pictures = PictureProgram.trial()

  init(_ diagnosis: Diagnosis, _ options: EngineOptions) {
    self.diagnosis = diagnosis
    let isInForce = options.requireHash || options.allowlist != nil
    do {
      let list = try Allowlist(file: ProcessEnvironment.allowlistFile(options.allowlist))
      allowlist = (isInForce, list.file, list.exists ? list.entries.count : nil, nil)
    } catch {
      let problem = (error as? HostError)?.commandMessage
      allowlist = (isInForce, options.allowlist, nil, problem ?? "\(error)")
    }
  }

  var sections: [Section] {
    [
      ("KERNEL", kernelRows), ("MEMORY", memoryRows),
      ("WORKER", workerRows), ("PICTURES", pictureRows), ("PROCESS", processRows),
      ("SEARCH PATH", folderRows), ("ENGINES", engineRows),
      ("CACHE AND ALLOWLIST", cacheRows + allowlistRows),
      ("ENVIRONMENT", environmentRows),
    ]
  }

  func rows(_ weight: Weight) -> [Row] { sections.flatMap(\.rows).filter { $0.weight == weight } }

  /// The worst rows first.
  func write(to output: BufferedOutput) throws {
    try output.write(
      diagnosis.runsSandboxed
        ? "engines run in the sandbox here\n"
        : diagnosis.worker.grade == .none
          ? "engines do not run in the sandbox here\n"
          : "engines run in a reduced sandbox here\n")
    let summaries: [Section] = [("WRONG", rows(.wrong)), ("WEAKER", rows(.weaker))]
    let all = (summaries + sections).filter { !$0.rows.isEmpty }
    let width = all.flatMap(\.rows).map(\.name.count).max() ?? 0
    for section in all {
      try output.write("\n\(section.title)\n")
      for row in section.rows {
        try output.write("  \(row.name.padded(to: width))  \(row.text.visible)\n")
      }
    }
  }
}

extension DoctorReport {
  var json: JSON {
    JSON([
      "version": CommandProgram.version, "commit": CommandProgram.commit,
      "abi": ["\(ABIVersion.current)", "\(ABIVersion.current)"],
      "sandboxed": diagnosis.runsSandboxed, "sandbox": diagnosis.worker.grade.name,
      "missing": diagnosis.worker.grade.weaknesses.map(\.rawValue),
      "wrong": texts(.wrong), "weaker": texts(.weaker), "kernel": kernelJSON,
      "memory": JSON([
        "shared": diagnosis.sharedMemoryError == nil, "limitedTo": diagnosis.memoryLimit,
      ]),
      "worker": workerJSON, "pictures": picturesJSON, "process": processJSON,
      "searchPath": diagnosis.folders.map(\.json),
      "engines": diagnosis.listing.engines.count { $0.shadowedBy == nil },
      "refused": diagnosis.listing.refusedJSON,
      "cache": JSON([
        "folder": diagnosis.cache.folder, "libraries": diagnosis.cache.entryCount,
        "crashed": diagnosis.cache.crashedCount, "bytes": diagnosis.cache.byteCount,
        "problem": diagnosis.cache.problem,
      ]),
      "allowlist": JSON([
        "file": allowlist.file, "libraries": allowlist.count, "inForce": allowlist.isInForce,
        "problem": allowlist.problem,
      ]),
      "environment": JSON.object(
        ProcessEnvironment.variables.map { ($0, ProcessEnvironment.values[$0].json) }),
    ])
  }

  private func texts(_ weight: Weight) -> [String] {
    rows(weight).map { "\($0.name): \($0.text)" }
  }

  private var kernelJSON: JSON {
    let kernel = diagnosis.kernel
    return .object(
      [
        ("release", .text(kernel.release)), ("machine", .text(kernel.machine)),
        ("noNewPrivileges", .bool(kernel.dropsPrivileges)), ("seccomp", .bool(kernel.filtersCalls)),
        ("landlock", .integer(kernel.landlock)),
      ]
        + KernelOffer.Protection.allCases.map { ($0.rawValue, .bool(kernel.protects($0))) })
  }

  private var workerJSON: JSON {
    let (trial, limits) = (diagnosis.worker, diagnosis.workerLimits)
    return JSON([
      "program": trial.program, "error": trial.error?.commandMessage,
      "startSeconds": trial.seconds, "library": trial.library,
      "librarySeconds": trial.librarySeconds, "secondsPerCall": limits.secondsPerCall,
      "processorSeconds": limits.processorSeconds, "memory": limits.memory,
      "threads": UInt64(limits.threads),
    ])
  }

  private var picturesJSON: JSON {
    switch pictures {
    case .success(let grade):
      JSON(["sandbox": grade.name, "missing": grade.missing, "error": JSON.null])
    case .failure(let error):
      JSON(["sandbox": JSON.null, "missing": [String](), "error": error.commandMessage])
    }
  }

  private var processJSON: JSON {
    .object(
      [
        ("user", .integer(Int(diagnosis.user))), ("privileged", .bool(diagnosis.isPrivileged)),
      ] + diagnosis.processLimits.map { ($0.name, $0.value.json) })
  }
}

extension FolderCheck {
  fileprivate var json: JSON {
    switch state {
    case .searched(let count): JSON(["path": path, "state": "searched", "libraries": count])
    case .missing: JSON(["path": path, "state": "missing"])
    case .refused(let error):
      JSON([
        "path": path, "state": "refused", "reason": error.commandMessage,
        "status": Int(error.kind.status),
      ])
    }
  }
}
