import CTesseraSystem
import Glibc

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
  static func make(_ path: String) -> Int32 {
    var made = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      made += "/\(name)"
      if mkdir(made, 0o700) != 0, errno != EEXIST { return errno }
    }
    return 0
  }
}
