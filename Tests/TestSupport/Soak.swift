import Foundation

/// Counts from Tools/soak.
///
/// Both rings run the same tests with smaller counts.
package enum Soak {
  /// Whether it runs every combination; the second ring runs some.
  package static let isFull = ProcessInfo.processInfo.environment["TESSERA_SOAK_REPORT"] != nil

  /// - Parameters:
  ///   - usual: The default.
  ///   - second: The second ring's default, if it differs.
  package static func count(_ name: String, _ usual: Int, second: Int? = nil) -> Int {
    ProcessInfo.processInfo.environment["TESSERA_SOAK_\(name)"].flatMap { Int($0) }
      ?? (Ring.isSecond ? second ?? usual : usual)
  }

  package static func report(_ what: String, _ figures: String) {
    guard let path = ProcessInfo.processInfo.environment["TESSERA_SOAK_REPORT"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    file.seekToEndOfFile()
    file.write(Data("| \(what) | \(figures) |\n".utf8))
    try? file.close()
  }
}
