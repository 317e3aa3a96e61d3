import Foundation
import TesseraHost

extension SearchPath {
  /// The search path as the command's surroundings say, after these folders.
  static func ofCommand(first: [String]) -> SearchPath {
    let environment = ProcessInfo.processInfo.environment
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return .standard(
      first: first, environment: environment, executable: executable, home: environment["HOME"])
  }
}
