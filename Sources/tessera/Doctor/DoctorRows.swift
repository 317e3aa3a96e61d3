import TesseraHost

extension DoctorReport {
  var kernelRows: [Row] {
    let kernel = diagnosis.kernel
    let own: [Row] = [
      Row(name: "kernel", text: "Linux \(kernel.release) on \(kernel.machine)"),
      Self.row(
        "privileges", fine: "are given up for good (no_new_privs)",
        otherwise: "cannot be given up, since the kernel has no no_new_privs: there is no sandbox",
        .wrong, if: kernel.dropsPrivileges),
      Self.row(
        "system calls", fine: "are filtered (seccomp)",
        otherwise: "are not filtered, since the kernel has no seccomp: an engine can start "
          + "processes, write to what is open and use the network", .wrong, if: kernel.filtersCalls),
      Row(
        name: "Landlock", text: kernel.landlock > 0 ? "version \(kernel.landlock)" : "none",
        weight: kernel.landlock > 0 ? .fine : .wrong),
    ]
    return own + KernelOffer.Protection.allCases.map { row(of: $0, kernel) }
  }

  private func row(of protection: KernelOffer.Protection, _ kernel: KernelOffer) -> Row {
    let isOffered = kernel.protects(protection)
    let missing = "needs Landlock \(protection.version), in \(Self.since(protection))"
    switch protection {
    case .files:
      return Self.row(
        "files", fine: "are closed to engines, but for the system's libraries",
        otherwise: "are not protected: an engine can read what you can read; \(missing)", .wrong,
        if: isOffered)
    case .truncation:
      return Self.row(
        "cutting short", fine: "no file can be cut short",
        otherwise: "only the filter keeps files from being cut short; more \(missing)", .weaker,
        if: isOffered)
    case .network:
      return Self.row(
        "TCP", fine: "is refused by filter and Landlock",
        otherwise: "is refused by the filter alone; more \(missing)", .weaker, if: isOffered)
    case .devices:
      return Self.row(
        "devices", fine: "take no commands from engines",
        otherwise: "are kept from engines by the filter alone; more \(missing)", .weaker,
        if: isOffered)
    case .scopes:
      return Self.row(
        "signals", fine: "reach no other process, nor do abstract sockets",
        otherwise: "and abstract sockets are refused by the filter alone; more \(missing)", .weaker,
        if: isOffered)
    }
  }

  private static func since(_ protection: KernelOffer.Protection) -> String {
    switch protection {
    case .files: "Linux 5.13 where it is switched on with lsm=landlock"
    case .truncation: "Linux 6.2"
    case .network: "Linux 6.7"
    case .devices: "Linux 6.10"
    case .scopes: "Linux 6.12"
    }
  }

  var memoryRows: [Row] {
    let memory = diagnosis.memory
    let waiting = Self.row(
      "taking turns", fine: "in shared memory (futex)",
      otherwise: "over a socket, since two processes cannot wait in shared memory here: each call "
        + "takes some microseconds longer", .weaker, if: memory.waitsInMemory)
    return [
      Row(
        name: "shared memory", text: memory.sharedError ?? "is there for rows and messages",
        weight: memory.sharedError == nil ? .fine : .wrong),
      waiting,
      Self.row(
        "functions", fine: "can be made at run time, for delegates (executable memory)",
        otherwise: "cannot be made at run time, since there is no executable memory: engines with "
          + "delegate functions do not run", .weaker, if: memory.isExecutable),
    ]
  }
}

extension DoctorReport {
  var workerRows: [Row] {
    let trial = diagnosis.worker
    let limits = diagnosis.workerLimits
    var rows = [
      Row(
        name: "program", text: trial.program ?? "none was found",
        weight: trial.program == nil ? .wrong : .fine),
      Row(
        name: "start",
        text: trial.error?.commandMessage
          ?? "it enters the sandbox and answers in \((trial.seconds ?? 0).millisecondsText)",
        weight: trial.error == nil ? .fine : .wrong),
    ]
    if let library = trial.library {
      rows.append(
        Row(
          name: "library",
          text: trial.librarySeconds.map { "\(library) is asked in \($0.millisecondsText)" }
            ?? "\(library) could not be asked in the sandbox",
          weight: trial.librarySeconds == nil ? .weaker : .fine))
    }
    rows.append(
      Row(
        name: "limits",
        text: "\(limits.secondsPerCall.readableText) s a call, \(limits.processorSeconds) s of "
          + "processor time, \(limits.memory.sizeText) of memory, \(limits.rowMemory.sizeText) of "
          + "rows"))
    return rows
  }

  var processRows: [Row] {
    var rows = [
      Row(
        name: "user",
        text: diagnosis.user == 0
          ? "root; in the sandbox engines lose its rights" : "number \(diagnosis.user)")
    ]
    if diagnosis.isPrivileged {
      rows.append(
        Row(
          name: "privileges",
          text: "this process has rights that its caller lacks: environment, home folder and cache "
            + "are not read"))
    }
    return rows
      + diagnosis.processLimits.map { limit in
        Row(
          name: limit.name, text: "\(limit.value.map { "\($0)" } ?? "unlimited") \(limit.meaning)")
      }
  }
}

extension Double {
  /// Seconds as milliseconds for a person.
  fileprivate var millisecondsText: String { "\(((self * 10_000).rounded() / 10).readableText) ms" }
}

extension UInt64 {
  /// Bytes for a person, "4 GiB".
  var sizeText: String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where self >= 1 << shift {
      return "\((Double(self) / Double(1 << shift) * 10).rounded() / 10) \(unit)"
        .replacing(".0 ", with: " ")
    }
    return "\(self) bytes"
  }
}

extension DoctorReport {
  var folderRows: [Row] {
    diagnosis.folders.map { folder in
      switch folder.state {
      case .searched(let count):
        Row(name: count == 1 ? "1 library" : "\(count) libraries", text: folder.path)
      case .missing: Row(name: "not there", text: folder.path)
      case .refused(let error):
        Row(name: "passed over", text: "\(folder.path): \(error.commandMessage)", weight: .weaker)
      }
    }
  }

  var engineRows: [Row] {
    let listing = diagnosis.listing
    let usable = listing.engines.count { $0.shadowedBy == nil }
    let folders = Set(diagnosis.folders.map(\.path))
    let refused = listing.refused.filter { !folders.contains($0.file) }.map { refusal in
      Row(name: "refused", text: "\(refusal.file): \(refusal.error.commandMessage)", weight: .weaker)
    }
    let text =
      usable == 0
      ? "none; give a folder that holds some with --engines" : "\(usable); tessera list names them"
    return [Row(name: "usable", text: text)] + refused
  }

  var cacheRows: [Row] {
    let cache = diagnosis.cache
    guard let folder = cache.folder else {
      let reason =
        diagnosis.isPrivileged
        ? "this process has rights that its caller lacks"
        : "neither XDG_CACHE_HOME nor HOME names a folder"
      return [
        Row(
          name: "cache", text: "none, because \(reason): each listing asks every library anew",
          weight: .weaker)
      ]
    }
    if let problem = cache.problem {
      return [Row(name: "cache", text: problem, weight: .weaker)]
    }
    return [
      Row(name: "cache", text: folder),
      Row(
        name: "",
        text: "libraries known: \(cache.entryCount); crashes recorded of: \(cache.crashedCount); "
          + "size: \(cache.byteCount.sizeText)"),
    ]
  }

  var allowlistRows: [Row] {
    if let problem = allowlist.problem {
      return [
        Row(name: "allowlist", text: problem, weight: allowlist.isInForce ? .weaker : .fine)
      ]
    }
    let count = allowlist.count.map { "libraries: \($0)" } ?? "not there"
    let force = allowlist.isInForce ? "in force" : "in force with --require-hash only"
    return [
      Row(name: "allowlist", text: allowlist.file ?? ""), Row(name: "", text: "\(count); \(force)"),
    ]
  }

  var environmentRows: [Row] {
    ProcessEnvironment.variables.map { name in
      Row(name: name, text: ProcessEnvironment.values[name] ?? "not set")
    }
  }
}
