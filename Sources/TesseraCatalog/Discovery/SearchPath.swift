import CTesseraSystem
import Glibc

/// The folders in which a host looks for engine libraries, in order.
///
/// If several libraries have an engine with the same id, the first one is used.
public struct SearchPath: Sendable, Equatable {
  /// A folder of the search path.
  public struct Folder: Sendable, Equatable {
    /// The path, absolute or relative to the working folder.
    public let path: String
    /// Whether a listing reports an error if the folder does not exist.
    public let isRequired: Bool

    /// Creates a folder of the search path.
    public init(path: String, isRequired: Bool = false) {
      (self.path, self.isRequired) = (path, isRequired)
    }
  }

  /// The folders in the order in which they are searched.
  public let folders: [Folder]

  /// Creates a search path of these folders, all of which are required.
  public init(folders: [String]) {
    self.folders = folders.map { Folder(path: $0, isRequired: true) }
  }

  private init(_ folders: [Folder]) { self.folders = folders }

  /// The standard search path of a program: the folders in `first`, then the colon-separated
  /// folders in `TESSERA_PATH`, or the standard folders if that variable is not set.
  ///
  /// The standard folders are the folder of the executable (except for `/usr/bin`), the engines of its prefix,
  /// `~/.local/lib/tessera`, and the engines of `/usr/local` and of `/usr`. The engines of a prefix are
  /// in `lib/x86_64-linux-gnu/tessera`, named after the machine, or in `lib/tessera`. An empty
  /// `TESSERA_PATH` replaces them too; its empty entries are ignored. A process with more
  /// privileges than its caller ignores the environment and the home folder.
  ///
  /// - Parameters:
  ///   - first: Required folders, which are searched before all others.
  ///   - environment: The environment variables; nil to ignore them.
  ///   - executable: The absolute path of the running program, without symlinks.
  ///   - home: The absolute path of the user's home folder.
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
        // Among the system's commands is the loader, whose name ends in ".so".
        if folder != "/usr/bin" && folder != "/bin" { following.append(folder) }
        following += SearchPath.engines(ofPrefix: SearchPath.prefix(containing: executable))
      }
      if !isPrivileged, let home, home.hasPrefix("/") {
        following.append(SearchPath.join(home, ".local/lib/tessera"))
      }
      // Those of the executable may be the same.
      for folder in ["/usr/local", "/usr"].flatMap(SearchPath.engines)
      where !following.contains(folder) { following.append(folder) }
    }
    return SearchPath(
      first.map { Folder(path: $0, isRequired: true) } + following.map { Folder(path: $0) })
  }
}

/// The standard folders of an installation, and those for a user's files, which the XDG base directory
/// specification defines.
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

  /// The prefix in which a program or library is installed, by its path: the folder above `bin`, `lib` or
  /// the folder for libraries of this machine.
  package static func prefix(containing file: String) -> String {
    let folder = parent(of: file)
    let above = parent(of: folder)
    return folder.hasSuffix("/\(machineFolder)") ? parent(of: above) : above
  }

  package static func parent(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// The folder of a file, "." for a name alone.
  package static func folder(of path: String) -> String {
    path.utf8.contains(UInt8(ascii: "/")) ? parent(of: path) : "."
  }

  package static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The folder that a variable names if it is an absolute path, or else a folder in the home
  /// folder.
  ///
  /// Returns nil if neither is known, or if the process has more privileges than its caller.
  package static func path(
    _ variable: String, _ folder: String, environment: [String: String]?, home: String?
  ) -> String? {
    guard tessera_is_privileged() == 0 else { return nil }
    if let named = environment?[variable], named.hasPrefix("/") { return named }
    guard let home, home.hasPrefix("/") else { return nil }
    return join(home, folder)
  }

  /// Creates a folder and its missing parents, with access for the user only; returns 0 or an error
  /// number.
  package static func make(_ path: String) -> Int32 {
    var partial = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      partial += "/\(name)"
      if mkdir(partial, 0o700) != 0, errno != EEXIST { return errno }
    }
    return 0
  }

  /// Runs a closure while a folder, which is created if necessary, is locked against changes by other
  /// processes that lock it.
  ///
  /// - Parameter failure: Returns the error to throw, for a system error number, if the folder
  ///   cannot be created or locked.
  /// - Throws: `.notAllowed` if others can change the folder, and what the closure throws.
  package static func locked<Answer>(
    _ folder: String, failure: (Int32) -> HostError, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    let number = make(folder)
    guard number == 0 else { throw failure(number) }
    try FolderRule().check(folder: folder)
    // Locks the folder itself, because a lock file would have to be left behind.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(errno) }
    }
    return try body()
  }
}
