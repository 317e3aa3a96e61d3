import CTesseraSystem
import Glibc

/// The folders in which engine libraries are looked for, in order; the first engine with an id wins.
public struct SearchPath: Sendable, Equatable {
  /// One folder of the path.
  public struct Folder: Sendable, Equatable {
    /// Its path, absolute or from the working folder.
    public let path: String
    /// Whether a listing tells it when there is no such folder, because someone named it outright.
    public let isRequired: Bool

    /// A folder by its path.
    public init(path: String, isRequired: Bool = false) {
      self.path = path
      self.isRequired = isRequired
    }
  }

  /// The folders in the order searched.
  public let folders: [Folder]

  /// A path over these folders, all of which are expected to exist.
  public init(folders: [String]) {
    self.folders = folders.map { Folder(path: $0, isRequired: true) }
  }

  private init(_ folders: [Folder]) {
    self.folders = folders
  }

  /// The path as the surroundings of a program say: the folders in `first`, then those that
  /// `TESSERA_PATH` names, separated by colons, or else the standard ones.
  ///
  /// The standard folders are the executable's own, `../lib/tessera` from it,
  /// `~/.local/lib/tessera`, `/usr/local/lib/tessera` and `/usr/lib/tessera`. `TESSERA_PATH`
  /// replaces them even where it is empty; empty entries of it are ignored. A process that runs with
  /// rights that its caller does not have ignores environment and home.
  ///
  /// - Parameters:
  ///   - first: Folders that come before all others and are expected to exist.
  ///   - environment: The variables of the environment; nil ignores them.
  ///   - executable: The absolute path of the running program, symlinks resolved.
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
        let folder = parent(of: executable)
        following += [folder, join(parent(of: folder), "lib/tessera")]
      }
      if !isPrivileged, let home, home.hasPrefix("/") {
        following.append(join(home, ".local/lib/tessera"))
      }
      following += ["/usr/local/lib/tessera", "/usr/lib/tessera"]
    }
    return SearchPath(
      first.map { Folder(path: $0, isRequired: true) } + following.map { Folder(path: $0) })
  }

  private static func parent(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

/// Where a user's own files lie, by the convention of desktops.
package enum StandardFolder {
  /// What a variable names where it is an absolute path, else a folder in the home folder.
  ///
  /// Nil where neither can be told, and in a process that runs with rights that its caller does not
  /// have.
  package static func path(
    _ variable: String, _ folder: String, environment: [String: String]?, home: String?
  ) -> String? {
    guard tessera_is_privileged() == 0 else { return nil }
    if let named = environment?[variable], named.hasPrefix("/") { return named }
    guard let home, home.hasPrefix("/") else { return nil }
    return home.hasSuffix("/") ? home + folder : "\(home)/\(folder)"
  }

  /// Makes a folder and those that it lies in, where they are missing, for the user alone.
  ///
  /// - Returns: 0 or the number of the error.
  package static func make(_ path: String) -> Int32 {
    var made = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      made += "/\(name)"
      if mkdir(made, 0o700) != 0, errno != EEXIST { return errno }
    }
    return 0
  }
}
