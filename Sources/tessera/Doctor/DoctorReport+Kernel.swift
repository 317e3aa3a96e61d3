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
