import Foundation
import TestSupport
import Testing

/// From nothing to a layout, with only an installed prefix.
///
/// TemplateTests run the suite on the same projects.
@Suite struct NewEngineTests {
  @Test(arguments: ["c", "cpp", "swift", "rust"])
  func isMadeBuiltCheckedInstalledAndUsed(_ language: String) throws {
    let prefix = try Installation.shared()
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("home"), withIntermediateDirectories: false)
    // The package manager leaves locks in the temporary folder.
    let (build, library) =
      language == "swift"
      ? ("TMPDIR=$PWD swift build --cache-path ../cache", ".build/debug/libBrickWall.so")
      : ("make", "build/libbrick-wall.so")
    let lines = """
      export HOME=$PWD/home PATH=\(prefix.path)/bin:$PATH
      tessera new brick-wall --language \(language) --author 'Ada Example'
      cd brick-wall
      \(build)
      tessera check \(library) --level quick --filter library --golden goldens
      tessera install \(library) --no-check
      cd ..
      tessera layout brick-wall --items 4 --bounds 190x300 --format csv >layout.csv
      tessera uninstall brick-wall
      ! tessera info brick-wall
      """
    let result = try Program.run(
      "bash", ["-euc", lines], in: folder.path, environment: RustToolchain.environment)
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    let rows = try String(contentsOfFile: folder.path("layout.csv"), encoding: .utf8)
    let frames = rows.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[4..<8].compactMap { Double($0) }
    }
    // Two of 60 fit into 190, next to a shift of half of 60 + 6.
    #expect(frames == [[0, 0, 60, 40], [66, 0, 60, 40], [33, 46, 60, 40], [99, 46, 60, 40]])
  }
}
