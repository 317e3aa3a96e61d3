import Foundation
import TestSupport
import Testing

/// The Python package: Tests/Fixtures/python/tests.py.
@Suite struct PythonTests {
  /// What reads layouts, and checks types; Tools/setup --tests installs it.
  private static let readers = BuiltProducts.repository.appendingPathComponent(".build/python/bin")
  private static let areReadersPresent = FileManager.default.isExecutableFile(
    atPath: readers.appendingPathComponent("mypy").path)
  private static let package = BuiltProducts.repository.appendingPathComponent(
    "Sources/Bindings/Python")

  private func test(_ python: String) throws -> ProgramResult {
    let engines = try FailingEngines()
    let repository = BuiltProducts.repository
    return try withExtendedLifetime(engines) {
      try Program.run(
        python, [repository.appendingPathComponent("Tests/Fixtures/python/tests.py").path],
        environment: [
          "TESSERA_LIBRARY": try Prefix.shared.get().library, "TESSERA_PATH": Prefix.engines,
          "TESSERA_COMMAND": BuiltProducts.command.path, "TESSERA_FAILING": engines.path,
          "TESSERA_PAGE": repository.appendingPathComponent("Documentation/Python.md").path,
          "PYTHONPATH": Self.package.path, "PYTHONDONTWRITEBYTECODE": "1",
        ])
    }
  }

  /// With what this machine's Python happens to have, perhaps without numpy.
  @Test func packageNeedsNoOther() throws {
    let result = try test("python3")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(
    .enabled(
      if: areReadersPresent, "no numpy, pyarrow and others; Tools/setup --tests installs them"))
  func othersReadLayouts() throws {
    let result = try test(Self.readers.appendingPathComponent("python").path)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.errors.contains("skipped"), "\(result.errors)")
  }

  @Test(.enabled(if: areReadersPresent, "no mypy; Tools/setup --tests installs it"))
  func typesAreRight() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "program.py",
      """
      import tessera

      layout: tessera.Layout = tessera.layout("grid", 3, bounds=(130, 100), item_size=(50, 50))
      first: tessera.Element = next(iter(layout))
      width: float = first.width
      found: tessera.Elements = layout.in_rect(0, 0, 10, 10)
      """)
    let result = try Program.run(
      Self.readers.appendingPathComponent("mypy").path,
      [
        "--strict", "--cache-dir", folder.path("cache"),
        Self.package.appendingPathComponent("tessera").path, folder.path("program.py"),
      ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
