import Foundation
import TesseraHost

/// What of Tessera lies beside this command: what projects are made from and built against.
struct Installation {
  /// The folder of the templates, one for each language and one for licences.
  let templates: String
  /// What a project is built against: where its links lie in the project, and what they lead to.
  let links: [String: String]

  /// Finds it: in `../share/tessera` and `../include` from the command, or else in the checkout that
  /// the command was built in.
  static func found() throws -> Installation {
    let link = "/proc/self/exe"
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      throw CommandFailure(
        .noInput, "cannot tell where this command lies, since \(link) cannot be read; mount /proc")
    }
    return try installed(executable) ?? built(executable) ?? missing(executable)
  }

  private static func installed(_ executable: String) -> Installation? {
    let prefix = parent(parent(executable))
    let (share, include) = ("\(prefix)/share/tessera", "\(prefix)/include")
    guard exists("\(share)/templates"), exists("\(include)/tessera/tessera.h") else { return nil }
    return Installation(
      templates: "\(share)/templates",
      links: [
        "tessera": executable, "include": include, "tessera.rs": "\(share)/rust/tessera.rs",
        "swift": "\(share)/swift",
      ])
  }

  private static func built(_ executable: String) -> Installation? {
    var root = parent(executable)
    while !(exists("\(root)/Package.swift") && exists("\(root)/Sources/Templates")) {
      guard root != "/" else { return nil }
      root = parent(root)
    }
    let sources = "\(root)/Sources"
    return Installation(
      templates: "\(sources)/Templates",
      links: [
        "tessera": executable, "tessera.rs": "\(sources)/TesseraRust/tessera.rs",
        "include/tessera/tessera.h": "\(sources)/CTessera/include/tessera/tessera.h",
        "include/tessera/ext": "\(sources)/CTessera/include/tessera/ext",
        "include/tessera/tessera.hpp": "\(sources)/TesseraCpp/tessera/tessera.hpp",
        // The package of what is installed: the whole one fetches what only the command uses.
        "swift/Package.swift": "\(root)/Tools/Installing/Package.swift", "swift/Sources": sources,
      ])
  }

  private static func missing(_ executable: String) throws -> Installation {
    throw CommandFailure(
      .noInput,
      "there are no templates and headers beside \(executable); expected them in ../share/tessera and "
        + "../include from it, or in the checkout that it was built in; install Tessera as a whole")
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  private static func parent(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}
