import Glibc

/// A folder of the search path as it was found.
public struct FolderFinding: Sendable {
  /// How it is.
  public enum State: Sendable, Equatable {
    /// It is searched; so many files in it are named like libraries.
    case searched(libraries: Int)
    /// There is none.
    case missing
    /// It is passed over, for the reason given.
    case refused(HostError)
  }

  /// Its path as the search path has it.
  public let path: String
  /// How it is.
  public let state: State

  init(_ folder: SearchPath.Folder, trust: TrustPolicy) {
    path = folder.path
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      state =
        isMissing
        ? .missing
        : .refused(HostError(.notFound, "it cannot be searched: \(systemMessage(errno))"))
      return
    }
    do throws(HostError) {
      guard FileKind(status) == .folder else {
        throw HostError(.notFound, "it is not a folder; give one")
      }
      try trust.check(folder: folder.path)
      state = .searched(libraries: try LibraryName.all(inFolder: folder.path).count)
    } catch { state = .refused(error) }
  }
}
