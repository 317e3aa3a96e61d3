import TesseraCommand
import TesseraHost

extension DoctorReport {
  var kernelRows: [Row] {
    let kernel = diagnosis.kernel
    return [
      Row("kernel", "Linux \(kernel.release) on \(kernel.machine)"),
      Row(
        "privileges", if: kernel.dropsPrivileges, "are dropped permanently (no_new_privs)",
        else: "cannot be dropped, because the kernel has no no_new_privs; there is no sandbox",
        .wrong),
      Row(
        "system calls", if: kernel.filtersCalls, "are filtered (seccomp)",
        else: "are not filtered, because the kernel has no seccomp; an engine can start "
          + "processes, write to open files and use the network", .wrong),
      Row(
        "Landlock", kernel.landlock > 0 ? "version \(kernel.landlock)" : "none",
        kernel.landlock > 0 ? .fine : .wrong),
    ] + KernelOffer.Protection.allCases.map { row(of: $0, kernel) }
  }

  private func row(of protection: KernelOffer.Protection, _ kernel: KernelOffer) -> Row {
    let (name, fine, lack, weight, since): (String, String, String, Weight, String) =
      switch protection {
      case .files:
        (
          "files", "are closed to engines, except for the system's libraries",
          "are not protected, so an engine can read what you can read; this", .wrong,
          "Linux 5.13 with lsm=landlock"
        )
      case .truncation:
        (
          "truncation", "is blocked for all files", "is blocked only by the filter; more", .weaker,
          "Linux 6.2"
        )
      case .network:
        (
          "TCP", "is blocked by the filter and by Landlock", "is blocked only by the filter; more",
          .weaker, "Linux 6.7"
        )
      case .devices:
        (
          "devices", "accept no commands from engines", "are protected only by the filter; more",
          .weaker, "Linux 6.10"
        )
      case .scopes:
        (
          "signals", "and abstract sockets reach no other process",
          "and abstract sockets are blocked only by the filter; more", .weaker, "Linux 6.12"
        )
      }
    return Row(
      name, if: kernel.protects(protection), fine,
      else: "\(lack) needs Landlock \(protection.version), in \(since)", weight)
  }

  var memoryRows: [Row] {
    let room = diagnosis.memoryLimit.map {
      "\($0.sizeText) for the rows of a layout, and as much for its input, because the address space "
        + "or the size of files is limited (ulimit -v, ulimit -f)"
    }
    return [
      Row(
        "shared memory", diagnosis.sharedMemoryError ?? "is available",
        diagnosis.sharedMemoryError == nil ? .fine : .wrong),
      Row("room", room ?? "is not limited by the system", room == nil ? .fine : .weaker),
    ]
  }

  var workerRows: [Row] {
    let (trial, limits) = (diagnosis.worker, diagnosis.workerLimits)
    var rows = [
      Row("program", trial.program ?? "was not found", trial.program == nil ? .wrong : .fine),
      Row(
        "start",
        trial.error?.commandMessage
          ?? "the worker enters the sandbox and responds in \((trial.seconds ?? 0).millisecondsText)",
        trial.error == nil ? .fine : .wrong),
    ]
    if trial.error == nil {
      rows.append(Row("sandbox", "\(trial.grade)", trial.grade == .full ? .fine : .wrong))
    }
    if let library = trial.library {
      let loads = trial.librarySeconds.map { "\(library) loads in \($0.millisecondsText)" }
      rows.append(
        Row(
          "library", loads ?? "\(library) could not be loaded in the sandbox",
          loads == nil ? .weaker : .fine))
    }
    return rows + [
      Row(
        "limits",
        "\(limits.secondsPerCall.readableText) s per call, \(limits.processorSeconds) s of "
          + "processor time, \(limits.memory.sizeText) of memory, \(limits.threads) threads")
    ]
  }

  var pictureRows: [Row] {
    switch pictures {
    case .success(let grade): [Row("sandbox", "\(grade)", grade.isFull ? .fine : .weaker)]
    // Only PNG and PDF need the program.
    case .failure(let error):
      [
        Row(
          "program", error.commandMessage,
          error.code == .workerNotFound || error.kind.status == 69 ? .fine : .weaker)
      ]
    }
  }

  var processRows: [Row] {
    let user = diagnosis.user
    let privileged = Row(
      "privileges",
      "this process has more rights than its caller; environment, home folder and cache are ignored"
    )
    return [Row("user", user == 0 ? "root; engines run as nobody in the sandbox" : "id \(user)")]
      + (diagnosis.isPrivileged ? [privileged] : [])
      + diagnosis.processLimits.map { limit in
        Row(limit.name, "\(limit.value.map { "\($0)" } ?? "unlimited") \(limit.meaning)")
      }
  }

  var folderRows: [Row] {
    diagnosis.folders.map { folder in
      switch folder.state {
      case .searched(let count): Row(counted(count, "library", "libraries"), folder.path)
      case .missing: Row("missing", folder.path)
      case .refused(let error):
        Row("skipped", "\(folder.path): \(error.commandMessage)", .weaker)
      }
    }
  }

  var engineRows: [Row] {
    let listing = diagnosis.listing
    let usable = listing.engines.count { $0.shadowedBy == nil }
    let folders = Set(diagnosis.folders.map(\.path))
    let text =
      usable == 0
      ? "none; give a folder that contains some with --engines"
      : "\(usable); tessera list shows them"
    return [Row("usable", text)]
      + listing.refused.filter { !folders.contains($0.file) }.map {
        Row("refused", "\($0.file): \($0.error.commandMessage)", .weaker)
      }
  }

  var cacheRows: [Row] {
    let cache = diagnosis.cache
    guard let folder = cache.folder else {
      let reason =
        diagnosis.isPrivileged
        ? "this process has more rights than its caller"
        : "neither XDG_CACHE_HOME nor HOME names a folder"
      return [
        Row("cache", "none, because \(reason); each listing loads every library again", .weaker)
      ]
    }
    if let problem = cache.problem { return [Row("cache", problem, .weaker)] }
    return [
      Row("cache", folder),
      Row(
        "",
        "libraries: \(cache.entryCount); crashed libraries: \(cache.crashedCount); "
          + "size: \(cache.byteCount.sizeText)"),
    ]
  }

  var allowlistRows: [Row] {
    if let problem = allowlist.problem {
      return [Row("allowlist", problem, allowlist.isInForce ? .weaker : .fine)]
    }
    let count = allowlist.count.map { "libraries: \($0)" } ?? "missing"
    let force = allowlist.isInForce ? "in use" : "used only with --require-hash"
    return [Row("allowlist", allowlist.file ?? ""), Row("", "\(count); \(force)")]
  }

  var environmentRows: [Row] {
    ProcessEnvironment.variables.map { Row($0, ProcessEnvironment.values[$0] ?? "not set") }
  }
}

extension Double {
  fileprivate var millisecondsText: String { "\(((self * 10_000).rounded() / 10).readableText) ms" }
}

extension UInt64 {
  /// "4 GiB".
  fileprivate var sizeText: String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where self >= 1 << shift {
      return "\((Double(self) / Double(1 << shift) * 10).rounded() / 10) \(unit)"
        .replacing(".0 ", with: " ")
    }
    return "\(self) bytes"
  }
}
