import Foundation

/// What Tools/soak asks of tests.
public enum Soak {
  /// Whether it runs every combination, of which Tools/test runs some.
  public static let isFull = ProcessInfo.processInfo.environment["TESSERA_SOAK_REPORT"] != nil

  /// The count under a name in the environment.
  public static func count(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["TESSERA_SOAK_\(name)"].flatMap { Int($0) } ?? usual
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
