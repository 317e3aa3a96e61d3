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

  private static let isSparkPresent =
    FileManager.default.isExecutableFile(
      atPath: readers.appendingPathComponent("spark-submit").path)
    && ["/bin", "/usr/bin", "/usr/local/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/java")
    }
  /// The wheel of this build, built once: a file of the build like others.
  private static let wheel = Result {
    let folder = BuiltProducts.folder.appendingPathComponent("wheel").path
    try? FileManager.default.removeItem(atPath: folder)
    let built = try Program.run(
      "\(BuiltProducts.repository.path)/Tools/wheel",
      ["--built", BuiltProducts.folder.path, folder])
    guard built.status == 0 else { throw Prefix.Failure(description: built.errors) }
    return String(built.output.dropLast())
  }

  /// A folder with an engine that goes wrong for some numbers of items, and one that has a list.
  private static func parts() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["parts", "strips"] {
      try CCompiler("gcc").compile(
        FixtureEngine.source(name), to: folder.path("lib\(name).so"),
        flags: ["-std=gnu11", "-shared", "-fPIC"])
    }
    return folder
  }

  /// A folder with two versions of an engine.
  private static func replaced() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, flags) in [
      ("reloaded", ["-DROW=10"]), ("renamed", ["-DROW=20", "-DRENAMED"]),
    ] {
      try CCompiler("gcc").compile(
        FixtureEngine.source("reloaded"), to: folder.path("\(name).so"),
        flags: ["-std=c11", "-shared", "-fPIC", "-DVERSION=\"1.0.0\""] + flags)
    }
    return folder
  }

  /// Runs the tests, with the package of this repository unless a wheel is installed.
  private func test(
    _ python: String, file: String = "tests.py", hasWheel: Bool = false
  ) throws -> ProgramResult {
    let (engines, parts, replaced) = (
      try FailingEngines(), try Self.parts(), try Self.replaced()
    )
    let repository = BuiltProducts.repository
    var environment = [
      "TESSERA_COMMAND": BuiltProducts.command.path, "TESSERA_FAILING": engines.path,
      "TESSERA_PARTS": parts.path(""), "TESSERA_REPLACED": replaced.path(""),
      "TESSERA_ENGINES": Prefix.engines, "PYTHONDONTWRITEBYTECODE": "1",
      "TESSERA_PAGE": repository.appendingPathComponent("Documentation/Python.md").path,
    ]
    if hasWheel {
      environment["PATH"] = "/usr/bin:/bin"
    } else {
      environment["TESSERA_LIBRARY"] = try Prefix.shared.get().library
      environment["TESSERA_PATH"] = Prefix.engines
      environment["PYTHONPATH"] = Self.package.path
    }
    return try withExtendedLifetime((engines, parts, replaced)) {
      try Program.run(
        python, [repository.appendingPathComponent("Tests/Fixtures/python/\(file)").path],
        environment: environment)
    }
  }

  /// The oldest and the newest CPython at hand that the package is for.
  private static let pythons: [String] = {
    let versions = NSHomeDirectory() + "/.pyenv/versions"
    let own = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
    let folders =
      ["/usr/local/bin", "/usr/bin"] + own.sorted().map { "\(versions)/\($0)/bin" }
    let found = (9...30).compactMap { minor in
      folders.lazy.map { "\($0)/python3.\(minor)" }.first {
        (try? Program.run($0, ["-c", "import ensurepip, ctypes"]).status) == 0
      }
    }
    guard let oldest = found.first, let newest = found.last else { return ["python3"] }
    return oldest == newest ? [oldest] : [oldest, newest]
  }()

  /// A wheel of this build in an environment of its own, on a path without Swift.
  @Test(arguments: pythons) func wheelNeedsNothingElse(_ interpreter: String) throws {
    let folder = try TemporaryFolder()
    let wheel = try Self.wheel.get()
    #expect(wheel.contains("-py3-none-manylinux_2_"), "\(wheel)")
    for arguments in [
      ["-m", "venv", folder.path("environment")],
      ["-m", "pip", "install", "-q", "--no-index", wheel],
    ] {
      let python = arguments[1] == "venv" ? interpreter : folder.path("environment/bin/python")
      let result = try Program.run(python, arguments)
      try #require(result.status == 0, "\(result.errors)")
    }
    let python = folder.path("environment/bin/python")
    // The newest one is asked for its version only, unless in a soak: `othersReadLayouts` has another one.
    if interpreter == Self.pythons[0] || Soak.isFull {
      let result = try test(python, hasWheel: true)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    let command = try Program.run(
      python, ["-m", "tessera_layout", "--version"], environment: ["PATH": ""])
    #expect(command.status == 0 && !command.output.isEmpty, "\(command.errors)")
    let size = try FileManager.default.attributesOfItem(atPath: wheel)[.size] as? Int ?? .max
    #expect(size < 20_000_000)
  }

  @Test func theToolSaysWhatItLacks() throws {
    let tool = "\(BuiltProducts.repository.path)/Tools/wheel"
    let folder = try TemporaryFolder()
    #expect(try Program.run(tool, ["--help"]).output.hasPrefix("Tools/wheel"))
    #expect(try Program.run(tool, []).status == 64)
    let result = try Program.run(tool, ["--built", folder.path, folder.path("dist")])
    #expect(result.status == 66)
    #expect(result.errors.contains("a folder that Tessera was built in"))
  }

  @Test(
    .enabled(
      if: areReadersPresent, "no numpy, pyarrow and others; Tools/setup --tests installs them"))
  func othersReadLayouts() throws {
    let result = try test(Self.readers.appendingPathComponent("python").path)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.errors.contains("skipped"), "\(result.errors)")
  }

  @Test(
    .enabled(
      if: areReadersPresent, "no polars, duckdb and others; Tools/setup --tests installs them"))
  func tablesAreLaidOut() throws {
    let result = try test(
      Self.readers.appendingPathComponent("python").path, file: "bulk.py")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// Two executors, which get the wheel as an archive.
  @Test(
    .enabled(
      if: isSparkPresent,
      "no pyspark or no java; Tools/setup --tests installs pyspark, and Debian has java in default-jre-headless"
    ))
  func sparkLaysOutRowsAndGroups() throws {
    let engines = try Self.parts()
    let result = try Program.run(
      Self.readers.appendingPathComponent("python").path,
      [
        BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/python/spark.py").path,
        try Self.wheel.get(), engines.path(""),
        BuiltProducts.repository.appendingPathComponent("Documentation/Spark.md").path,
      ]
        + (Soak.isFull
          ? []
          : [
            "rows", "failures_cost_their_rows", "groups", "mistakes_are_found_on_the_driver",
            "write",
            "sql", "processes_end", "examples",
          ]),
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(.enabled(if: areReadersPresent, "no mypy; Tools/setup --tests installs it"))
  func typesAreRight() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "program.py",
      """
      import tessera_layout as tessera

      layout: tessera.Layout = tessera.layout("grid", 3, bounds=(130, 100), item_size=(50, 50))
      first: tessera.Element = next(iter(layout))
      width: float = first.width
      found: tessera.Elements = layout.in_rect(0, 0, 10, 10)
      """)
    let result = try Program.run(
      Self.readers.appendingPathComponent("mypy").path,
      [
        "--strict", "--cache-dir", folder.path("cache"),
        Self.package.appendingPathComponent("tessera_layout").path, folder.path("program.py"),
      ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
