import TesseraHost
import TestSupport

struct LayerLibrary {
  let folder: TemporaryFolder
  let host: Host

  init(_ name: String) throws {
    folder = try TemporaryFolder()
    try CCompiler("gcc").compile(FixtureEngine.source(name), to: folder.path("lib\(name).so"))
    host = Host(
      searchPath: SearchPath(folders: [folder.path, BuiltProducts.folder.path]),
      configuration: HostConfiguration(isolation: .none))
  }

  func session(_ id: String) throws -> Session { try Session(host.engine(id)) }
}
