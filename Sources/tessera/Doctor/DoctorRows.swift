import TesseraCommand
import TesseraHost

extension DoctorReport {
  var kernelRows: [Row] {
    let kernel = diagnosis.kernel
    let own: [Row] = [
      Row(name: "kernel", text: "Linux \(kernel.release) on \(kernel.machine)"),
      Self.row(
        "privileges", fine: "are dropped permanently (no_new_privs)",
        otherwise: "cannot be dropped, because the kernel has no no_new_privs; there is no sandbox",
        .wrong, if: kernel.dropsPrivileges),
      Self.row(
        "system calls", fine: "are filtered (seccomp)",
        otherwise: "are not filtered, because the kernel has no seccomp; an engine can start "
          + "processes, write to open files and use the network", .wrong, if: kernel.filtersCalls),
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
        "files", fine: "are closed to engines, except for the system's libraries",
        otherwise: "are not protected, so an engine can read what you can read; this \(missing)",
        .wrong,
        if: isOffered)
    case .truncation:
      return Self.row(
        "truncation", fine: "is blocked for all files",
        otherwise: "is blocked only by the filter; more \(missing)", .weaker,
        if: isOffered)
    case .network:
      return Self.row(
        "TCP", fine: "is blocked by the filter and by Landlock",
        otherwise: "is blocked only by the filter; more \(missing)", .weaker, if: isOffered)
    case .devices:
      return Self.row(
        "devices", fine: "accept no commands from engines",
        otherwise: "are protected only by the filter; more \(missing)", .weaker,
        if: isOffered)
    case .scopes:
      return Self.row(
        "signals", fine: "and abstract sockets reach no other process",
        otherwise: "and abstract sockets are blocked only by the filter; more \(missing)", .weaker,
        if: isOffered)
    }
  }

  private static func since(_ protection: KernelOffer.Protection) -> String {
    switch protection {
    case .files: "Linux 5.13 with lsm=landlock"
    case .truncation: "Linux 6.2"
    case .network: "Linux 6.7"
    case .devices: "Linux 6.10"
    case .scopes: "Linux 6.12"
    }
  }

  var memoryRows: [Row] {
    [
      Row(
        name: "shared memory", text: diagnosis.sharedMemoryError ?? "is available",
        weight: diagnosis.sharedMemoryError == nil ? .fine : .wrong),
      Row(
        name: "room",
        text: diagnosis.memoryLimit.map {
          "\($0.sizeText) for the rows of a layout, and as much for its input, because the address space "
            + "or the size of files is limited (ulimit -v, ulimit -f)"
        } ?? "is not limited by the system",
        weight: diagnosis.memoryLimit == nil ? .fine : .weaker),
    ]
  }
}

extension DoctorReport {
  var workerRows: [Row] {
    let trial = diagnosis.worker
    let limits = diagnosis.workerLimits
    var rows = [
      Row(
        name: "program", text: trial.program ?? "was not found",
        weight: trial.program == nil ? .wrong : .fine),
      Row(
        name: "start",
        text: trial.error?.commandMessage
          ?? "the worker enters the sandbox and responds in \((trial.seconds ?? 0).millisecondsText)",
        weight: trial.error == nil ? .fine : .wrong),
    ]
    if trial.error == nil {
      rows.append(
        Row(
          name: "sandbox", text: "\(trial.grade)", weight: trial.grade == .full ? .fine : .wrong))
    }
    if let library = trial.library {
      rows.append(
        Row(
          name: "library",
          text: trial.librarySeconds.map { "\(library) loads in \($0.millisecondsText)" }
            ?? "\(library) could not be loaded in the sandbox",
          weight: trial.librarySeconds == nil ? .weaker : .fine))
    }
    rows.append(
      Row(
        name: "limits",
        text: "\(limits.secondsPerCall.readableText) s per call, \(limits.processorSeconds) s of "
          + "processor time, \(limits.memory.sizeText) of memory, \(limits.threads) threads"))
    return rows
  }

  var pictureRows: [Row] {
    switch pictures {
    case .success(let grade):
      [Row(name: "sandbox", text: "\(grade)", weight: grade == .full ? .fine : .weaker)]
    case .failure(let error):
      // Only PNG and PDF need the program.
      [
        Row(
          name: "program", text: error.message,
          weight: error.status == .refused ? .fine : .weaker)
      ]
    }
  }

  var processRows: [Row] {
    var rows = [
      Row(
        name: "user",
        text: diagnosis.user == 0
          ? "root; engines run as nobody in the sandbox" : "id \(diagnosis.user)")
    ]
    if diagnosis.isPrivileged {
      rows.append(
        Row(
          name: "privileges",
          text: "this process has more rights than its caller; environment, home folder and cache "
            + "are ignored"))
    }
    return rows
      + diagnosis.processLimits.map { limit in
        Row(
          name: limit.name, text: "\(limit.value.map { "\($0)" } ?? "unlimited") \(limit.meaning)")
      }
  }
}

extension Double {
  /// Seconds as a text in milliseconds.
  fileprivate var millisecondsText: String { "\(((self * 10_000).rounded() / 10).readableText) ms" }
}

extension UInt64 {
  /// A count of bytes as a text, "4 GiB".
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
      case .missing: Row(name: "missing", text: folder.path)
      case .refused(let error):
        Row(name: "skipped", text: "\(folder.path): \(error.commandMessage)", weight: .weaker)
      }
    }
  }

  var engineRows: [Row] {
    let listing = diagnosis.listing
    let usable = listing.engines.count { $0.shadowedBy == nil }
    let folders = Set(diagnosis.folders.map(\.path))
    let refused = listing.refused.filter { !folders.contains($0.file) }.map { refusal in
      Row(
        name: "refused", text: "\(refusal.file): \(refusal.error.commandMessage)", weight: .weaker)
    }
    let text =
      usable == 0
      ? "none; give a folder that contains some with --engines"
      : "\(usable); tessera list shows them"
    return [Row(name: "usable", text: text)] + refused
  }

  var cacheRows: [Row] {
    let cache = diagnosis.cache
    guard let folder = cache.folder else {
      let reason =
        diagnosis.isPrivileged
        ? "this process has more rights than its caller"
        : "neither XDG_CACHE_HOME nor HOME names a folder"
      return [
        Row(
          name: "cache", text: "none, because \(reason); each listing loads every library again",
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
        text: "libraries: \(cache.entryCount); crashed libraries: \(cache.crashedCount); "
          + "size: \(cache.byteCount.sizeText)"),
    ]
  }

  var allowlistRows: [Row] {
    if let problem = allowlist.problem {
      return [
        Row(name: "allowlist", text: problem, weight: allowlist.isInForce ? .weaker : .fine)
      ]
    }
    let count = allowlist.count.map { "libraries: \($0)" } ?? "missing"
    let force = allowlist.isInForce ? "in use" : "used only with --require-hash"
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
