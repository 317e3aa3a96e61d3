import TesseraHost
import TesseraScenario

extension DoctorReport {
  /// The report for a program.
  var json: JSON {
    .object([
      ("sandboxed", .bool(diagnosis.runsSandboxed)), ("wrong", texts(.wrong)),
      ("weaker", texts(.weaker)), ("kernel", kernelJSON),
      (
        "memory",
        .object([
          ("shared", .bool(diagnosis.memory.sharedError == nil)),
          ("futex", .bool(diagnosis.memory.waitsInMemory)),
          ("executable", .bool(diagnosis.memory.isExecutable)),
        ])
      ),
      ("worker", workerJSON), ("process", processJSON),
      ("searchPath", .list(diagnosis.folders.map(\.json))),
      ("engines", .integer(diagnosis.listing.engines.count { $0.shadowedBy == nil })),
      ("refused", .list(diagnosis.listing.refused.map(\.json))),
      (
        "cache",
        .object([
          ("folder", .optional(diagnosis.cache.folder)),
          ("libraries", .integer(diagnosis.cache.entryCount)),
          ("crashed", .integer(diagnosis.cache.crashedCount)),
          ("bytes", .unsigned(diagnosis.cache.byteCount)),
          ("problem", .optional(diagnosis.cache.problem)),
        ])
      ),
      (
        "allowlist",
        .object([
          ("file", .optional(allowlist.file)),
          ("libraries", allowlist.count.map(JSON.integer) ?? .null),
          ("inForce", .bool(allowlist.isInForce)), ("problem", .optional(allowlist.problem)),
        ])
      ),
      (
        "environment",
        .object(Surroundings.variables.map { ($0, .optional(Surroundings.environment[$0])) })
      ),
    ])
  }

  private func texts(_ weight: Weight) -> JSON {
    .list(rows(weight).map { .text("\($0.name): \($0.text)") })
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
    return .object([
      ("program", .optional(trial.program)), ("error", .optional(trial.error)),
      ("startSeconds", trial.seconds.map(JSON.number) ?? .null),
      ("library", .optional(trial.library)),
      ("librarySeconds", trial.librarySeconds.map(JSON.number) ?? .null),
      ("secondsPerCall", .number(limits.secondsPerCall)),
      ("processorSeconds", .unsigned(limits.processorSeconds)),
      ("memory", .unsigned(limits.memory)), ("rowMemory", .unsigned(limits.rowMemory)),
    ])
  }

  private var processJSON: JSON {
    .object(
      [
        ("user", .integer(Int(diagnosis.user))), ("privileged", .bool(diagnosis.isPrivileged)),
      ] + diagnosis.processLimits.map { ($0.name, $0.value.map(JSON.unsigned) ?? .null) })
  }
}

extension FolderFinding {
  fileprivate var json: JSON {
    switch state {
    case .searched(let count):
      .object([("path", .text(path)), ("state", .text("searched")), ("libraries", .integer(count))])
    case .missing: .object([("path", .text(path)), ("state", .text("missing"))])
    case .refused(let error):
      .object([
        ("path", .text(path)), ("state", .text("refused")), ("reason", .text(error.message)),
        ("status", .integer(Int(error.kind.status.rawValue))),
      ])
    }
  }
}
