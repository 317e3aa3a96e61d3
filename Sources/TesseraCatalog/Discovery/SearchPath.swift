import CTesseraSystem
import Glibc

/// The folders with engine libraries, in search order; the first engine of an id wins.
public struct SearchPath: Sendable, Equatable {
  /// A folder of the search path.
  public struct Folder: Sendable, Equatable {
    /// An absolute path, or relative to the working folder.
    public let path: String
    /// Whether a missing folder is an error in a listing.
    public let isRequired: Bool

    /// Creates a folder.
    public init(path: String, isRequired: Bool = false) {
      (self.path, self.isRequired) = (path, isRequired)
    }
  }

  /// The folders, in search order.
  public let folders: [Folder]

  /// Creates a search path of required folders.
  public init(folders: [String]) {
    self.folders = folders.map { Folder(path: $0, isRequired: true) }
  }

  private init(_ folders: [Folder]) { self.folders = folders }

  /// The folders in `first`, then `TESSERA_PATH` (colon-separated), or else the standard folders.
  ///
  /// These are the executable's (except `/usr/bin`), the engines of its prefix,
  /// `~/.local/lib/tessera`, and the engines of `/usr/local` and `/usr`. A prefix has engines in
  /// `lib/x86_64-linux-gnu/tessera`, named after the machine, or in `lib/tessera`. An empty
  /// `TESSERA_PATH` means no folders. A process with more privileges than its caller ignores the
  /// environment and the home folder.
  ///
  /// - Parameter executable: Absolute, without symlinks.
  public static func standard(
    first: [String] = [], environment: [String: String]?, executable: String?, home: String?
  ) -> SearchPath {
    let isPrivileged = tessera_is_privileged() != 0
    var following: [String] = []
    if !isPrivileged, let variable = environment?["TESSERA_PATH"] {
      following = variable.split(separator: ":").map(String.init)
    } else {
      if let executable, executable.hasPrefix("/") {
        let folder = SearchPath.parent(of: executable)
        // /usr/bin contains the loader, whose name ends in ".so".
        if folder != "/usr/bin" && folder != "/bin" { following.append(folder) }
        following += SearchPath.engines(ofPrefix: SearchPath.prefix(containing: executable))
      }
      if !isPrivileged, let home, home.hasPrefix("/") {
        following.append(SearchPath.join(home, ".local/lib/tessera"))
      }
      for folder in ["/usr/local", "/usr"].flatMap(SearchPath.engines)
      where !following.contains(folder) { following.append(folder) }
    }
    return SearchPath(
      first.map { Folder(path: $0, isRequired: true) } + following.map { Folder(path: $0) })
  }
}

/// User folders follow the XDG base directory specification.
extension SearchPath {
  private static var machineFolder: String {
    #if arch(x86_64)
      "lib/x86_64-linux-gnu"
    #elseif arch(arm64)
      "lib/aarch64-linux-gnu"
    #else
      #error("the folder for libraries of this machine is not known; add it here")
    #endif
  }

  package static func engines(ofPrefix prefix: String) -> [String] {
    [machineFolder, "lib"].map { join(prefix, "\($0)/tessera") }
  }

  /// The folder above `bin`, `lib` or `lib/MACHINE`.
  package static func prefix(containing file: String) -> String {
    let folder = parent(of: file)
    let above = parent(of: folder)
    return folder.hasSuffix("/\(machineFolder)") ? parent(of: above) : above
  }

  package static func parent(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  package static func folder(of path: String) -> String {
    path.utf8.contains(UInt8(ascii: "/")) ? parent(of: path) : "."
  }

  package static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The absolute folder in a variable, else a folder in the home folder.
  ///
  /// Nil if neither is known, or if the process has more privileges than its caller.
  package static func path(
    _ variable: String, _ folder: String, environment: [String: String]?, home: String?
  ) -> String? {
    guard tessera_is_privileged() == 0 else { return nil }
    if let named = environment?[variable], named.hasPrefix("/") { return named }
    guard let home, home.hasPrefix("/") else { return nil }
    return join(home, folder)
  }

  /// Access for the user only; returns 0 or errno.
  package static func make(_ path: String) -> Int32 {
    var partial = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      partial += "/\(name)"
      if mkdir(partial, 0o700) != 0, errno != EEXIST { return errno }
    }
    return 0
  }

  /// Throws `failure(errno)`, or `.notAllowed` if others can change the folder.
  package static func locked<Answer>(
    _ folder: String, failure: (Int32) -> HostError, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    let number = make(folder)
    guard number == 0 else { throw failure(number) }
    try FolderRule().check(folder: folder)
    // A lock file would be left behind.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(errno) }
    }
    return try body()
  }
}
