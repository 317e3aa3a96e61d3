import Foundation
import TestSupport

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// How often the long tests of isolation do what they do: a little by default, as `Tools/soak` says
/// there.
enum Soak {
  /// The count under a name in the environment.
  static func count(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["TESSERA_SOAK_\(name)"].flatMap { Int($0) } ?? usual
  }

  /// Adds a line to the file that `Tools/soak` makes its table from, if it runs this.
  static func report(_ what: String, _ figures: String) {
    guard let path = ProcessInfo.processInfo.environment["TESSERA_SOAK_REPORT"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    file.seekToEndOfFile()
    file.write(Data("| \(what) | \(figures) |\n".utf8))
    try? file.close()
  }

  /// A host of the engines that ship, without memory of what crashed.
  static func host(
    _ isolation: Isolation = .sandbox, _ change: (inout HostConfiguration) -> Void = { _ in }
  ) -> TesseraHost.Host {
    var configuration = HostConfiguration(isolation: isolation)
    configuration.worker = BuiltProducts.folder.appendingPathComponent("tessera-worker").path
    configuration.refusesCrashing = false
    change(&configuration)
    return TesseraHost.Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]), configuration: configuration)
  }
}
