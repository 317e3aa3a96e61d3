import Glibc
import Synchronization

/// Sealed copies of libraries that were read lately, for all hosts of the process.
enum LibraryStore {
  private static let kept = 64
  private static let known = Mutex<[SealedLibrary]>([])

  /// The library at a path as it is now.
  ///
  /// - Throws: As `SealedLibrary.init`.
  static func library(at path: String) throws(HostError) -> SealedLibrary {
    if let identity = identity(of: path) {
      let library = known.withLock { known in
        known.first { $0.path == path && $0.identity == identity }
      }
      if let library { return library }
    }
    let library = try SealedLibrary(path: path)
    known.withLock { known in
      known.removeAll { $0.path == path }
      known.append(library)
      if known.count > kept { known.removeFirst() }
    }
    return library
  }

  /// Which file lies at a path; nil where there is none.
  static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? FileIdentity(status) : nil
  }
}
