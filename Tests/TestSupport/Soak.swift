import Foundation

/// What Tools/soak asks of tests.
///
/// Both rings run the same with smaller counts.
public enum Soak {
  /// Whether it runs every combination, of which the second ring runs some.
  public static let isFull = ProcessInfo.processInfo.environment["TESSERA_SOAK_REPORT"] != nil

  /// The count under a name in the environment.
  ///
  /// - Parameters:
  ///   - usual: The count of both rings without one.
  ///   - second: The count of the second ring, if it is another.
  public static func count(_ name: String, _ usual: Int, second: Int? = nil) -> Int {
    ProcessInfo.processInfo.environment["TESSERA_SOAK_\(name)"].flatMap { Int($0) }
      ?? (Ring.isSecond ? second ?? usual : usual)
  }

  /// Adds a line to the report of Tools/soak, if that runs the test.
  public static func report(_ what: String, _ figures: String) {
    guard let path = ProcessInfo.processInfo.environment["TESSERA_SOAK_REPORT"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    file.seekToEndOfFile()
    file.write(Data("| \(what) | \(figures) |\n".utf8))
    try? file.close()
  }
}
