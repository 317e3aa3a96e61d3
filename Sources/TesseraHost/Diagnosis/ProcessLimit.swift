import Glibc

/// A limit that the system holds a process to.
public struct ProcessLimit: Sendable, Equatable {
  /// The limit's name in the system, "RLIMIT_AS".
  public let name: String
  /// What it limits.
  public let meaning: String
  /// The highest value; nil: none.
  public let value: UInt64?

  /// Those of this process that decide whether a worker can be started.
  static func ofThisProcess() -> [ProcessLimit] {
    [
      ("RLIMIT_AS", "bytes of address space", RLIMIT_AS),
      ("RLIMIT_DATA", "bytes of private memory", RLIMIT_DATA),
      ("RLIMIT_FSIZE", "bytes of a file, in memory too", RLIMIT_FSIZE),
      ("RLIMIT_NOFILE", "open files", RLIMIT_NOFILE),
      ("RLIMIT_NPROC", "processes and threads of the user", __RLIMIT_NPROC),
    ].map { name, meaning, resource in
      var limit = rlimit()
      let isKnown = getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
      let value = isKnown && limit.rlim_cur != rlim_t.max ? UInt64(limit.rlim_cur) : nil
      return ProcessLimit(name: name, meaning: meaning, value: value)
    }
  }
}
