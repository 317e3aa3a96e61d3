import Glibc

/// Notices that the files of libraries are replaced.
struct LibraryWatch {
  private var files: [(path: String, identity: FileIdentity)]
  private var lastLook: Int64 = 0

  /// How long nobody looks again, in nanoseconds, where a question goes into no engine.
  private static let rest: Int64 = 50_000_000

  init(_ libraries: [SealedLibrary]) {
    files = libraries.map { ($0.path, $0.identity) }
  }

  /// Whether a file is another one than it was when this was last true.
  ///
  /// One that is gone is no other one: whoever replaces it may not be done.
  ///
  /// - Parameter isDue: Whether to look in any case; else only where it has not for a while.
  mutating func notices(isDue: Bool) -> Bool {
    let now = Self.now
    guard isDue || now - lastLook >= Self.rest else { return false }
    lastLook = now
    var isReplaced = false
    for (place, file) in files.enumerated() {
      guard let identity = LibraryStore.identity(of: file.path), identity != file.identity else {
        continue
      }
      files[place].identity = identity
      isReplaced = true
    }
    return isReplaced
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
