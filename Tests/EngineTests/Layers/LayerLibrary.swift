import TesseraHost
import TestSupport

/// Layers that a test compiles outside the package, with only the header, found together with the
/// engines that ship.
struct LayerLibrary {
  let folder: TemporaryFolder
  let host: Host

  /// Compiles Tests/Fixtures/engines/NAME.c into a folder of its own.
  init(_ name: String, compiler: CCompiler = CCompiler("gcc")) throws {
    folder = try TemporaryFolder()
    try compiler.compile(FixtureEngine.source(name), to: folder.path("lib\(name).so"))
    host = Host(
      searchPath: SearchPath(folders: [folder.path, BuiltProducts.folder.path]),
      configuration: HostConfiguration(isolation: .none))
  }

  /// A session of an engine of the library, or of one that ships.
  func session(_ id: String) throws -> Session { try Session(host.engine(id)) }
}
