import ArgumentParser
import Foundation

/// `tessera link`: a project's links to this Tessera.
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Makes the links of a project to this Tessera anew.",
    discussion: """
      Projects that tessera new makes are built against the headers, the file of Rust or the Swift \
      package that the folder .tessera in them links to. Use it after cloning one, or to build one \
      against another Tessera: the one whose command this is.

      EXAMPLES
        tessera link
        tessera link ~/engines/brick-wall
      """)

  @Argument(help: "The project's folder.", completion: .directory)
  var folder = "."

  func run() throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else {
      throw CommandFailure(.noInput, "there is no folder \(folder) to link; give that of a project")
    }
    try ProjectLinks(installation: .found()).make(in: folder)
  }
}
