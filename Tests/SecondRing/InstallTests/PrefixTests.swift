import Foundation
import TestSupport
import Testing

@Suite struct PrefixTests {
  #if arch(x86_64)
    private static let libraries = "lib/x86_64-linux-gnu"
  #else
    private static let libraries = "lib/aarch64-linux-gnu"
  #endif
  static let parts = [
    "bin/tessera", "libexec/tessera/tessera-worker", "lib/tessera/libTesseraFlow.so",
    "lib/libtessera.so.1", "lib/libtessera.so", "lib/pkgconfig/tessera-host.pc",
    "include/tessera/tessera_host.h",
    "share/tessera/rust/tessera.rs", "share/tessera/engine.map",
    "share/tessera/swift/Package.swift", "share/tessera/templates/make/.gitignore",
    "share/doc/tessera/LICENSE",
    "share/doc/tessera/Documentation/README.md",
    "share/doc/tessera/Documentation/Commands/layout.md",
    "share/doc/tessera/Documentation/Cases/bounds.md",
    "share/doc/tessera/Documentation/Contract/the-engine.md",
    "share/tessera/installed.txt",
  ]

  @Test func everyPartIsThere() throws {
    let installed = try Snapshot(of: Installation.shared().path)
    for part in Self.parts { #expect(installed.paths.contains(part), "\(part)") }
    for (path, entry) in installed.entries {
      let isProgram = [
        "bin/tessera", "libexec/tessera/tessera-worker", "lib/libtessera.so.1",
      ].contains(path)
      switch entry {
      case .folder(let mode): #expect(mode == 0o755, "\(path)")
      case .file(let mode, _): #expect(mode == (isProgram ? 0o755 : 0o644), "\(path)")
      case .link: break
      }
    }
    let engines = try BuiltProducts.engineFolders.filter { !BuiltProducts.isLeftOut($0) }
    #expect(!engines.isEmpty)
    #expect(
      installed.paths.filter { $0.hasPrefix("lib/tessera/libTessera") }.sorted()
        == engines.map { "lib/tessera/libTessera\($0).so" }.sorted())
  }

  @Test func theSwiftRuntimeIsThereOnce() throws {
    let prefix = try Installation.shared().path
    for file in [
      "bin/tessera", "libexec/tessera/tessera-worker", "lib/libtessera.so.1",
      "lib/tessera/libTesseraFlow.so",
    ] {
      let found = try Program.run("ldd", ["\(prefix)/\(file)"]).output.split(separator: "\n")
        .filter { $0.contains("libswift") || $0.contains("Foundation") }
      #expect(!found.isEmpty, "\(file)")
      for line in found { #expect(line.contains("/lib/tessera/swift/"), "\(file): \(line)") }
    }
    let runtime = try Snapshot(of: "\(prefix)/lib/tessera/swift").paths
    #expect(runtime.contains("libswiftCore.so"))
    #expect(!runtime.contains { $0.contains("Foundation") }, "\(runtime)")
  }

  /// RELRO: memory bugs cannot redirect library calls.
  @Test func addressesOfFunctionsCannotBeWrittenTo() throws {
    let prefix = try Installation.shared().path
    let installed = try Snapshot(of: prefix).paths.filter {
      $0.hasPrefix("bin/") || $0.hasPrefix("libexec/") || $0.hasPrefix("lib/tessera/libTessera")
        || $0 == "lib/libtessera.so.1"
    }.map { "\(prefix)/\($0)" }
    let built = ["tessera", "tessera-worker"].map {
      BuiltProducts.folder.appendingPathComponent($0).path
    }
    var count = 0
    for file in installed + built {
      let header = try Program.run("readelf", ["-hdlW", file])
      guard header.output.contains("Dynamic section") else { continue }
      #expect(header.output.contains("GNU_RELRO"), "\(file)")
      #expect(header.output.contains(/(BIND_NOW|Flags:.* NOW)/), "\(file)")
      count += 1
    }
    #expect(count >= 2 + 4 + 5, "\(installed)")
  }

  @Test func theListIsWhatIsThere() throws {
    let prefix = try Installation.shared()
    let list = try String(
      contentsOfFile: "\(prefix.path)/share/tessera/installed.txt", encoding: .utf8
    )
    .split(separator: "\n").dropFirst().map { $0.split(separator: "\t").map(String.init) }
    let sums = list.filter { $0[0] == "file" }.map { "\($0[1])  \($0[2])\n" }.joined()
    let checked = try Program.run(
      "sha256sum", ["--check", "--quiet"], in: prefix.path, input: sums)
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    #expect(
      Set(list.map { $0[2] })
        == (try Snapshot(of: prefix.path).paths)
        .subtracting(["share/tessera/installed.txt"]).union(["."]))
  }

  @Test func theCommandFindsItsEnginesWhereverThePrefixIs() throws {
    let folder = try TemporaryFolder()
    let prefix = try Installation(in: folder)
    let list = try prefix.tessera("list")
    #expect(list.status == 0 && !list.output.contains("Refused"), "\(list.output)\(list.errors)")
    #expect(list.output.contains("  \(prefix.path)/lib/tessera/libTesseraFlow.so\n"))
    try folder.makeFolder("else where")
    try FileManager.default.moveItem(atPath: prefix.path, toPath: folder.path("else where/there"))
    let command = folder.path("else where/there/bin/tessera")
    let moved = try Program.run(command, ["list"])
    #expect(moved.output == list.output.replacing("/prefix/", with: "/else where/there/"))
    try folder.link("tessera", to: command)
    let layout = try Program.run(
      folder.path("tessera"), ["layout", "flow", "--items", "2", "--format", "csv"])
    #expect(layout.status == 0, "\(layout.errors)")
    #expect(layout.output.split(separator: "\n").count == 3)
    #expect(try Installation.uninstall([folder.path("else where/there")]).status == 0)
    #expect(try Snapshot(of: folder.path("else where")).paths.isEmpty)
  }

  @Test func aStagingFolderComesBeforeThePrefix() throws {
    let folder = try TemporaryFolder()
    let staged = ["DESTDIR": folder.path]
    let result = try Installation.install(["/opt/tessera"], environment: staged)
    #expect(result.status == 0, "\(result.errors)")
    let prefix = folder.path("opt/tessera")
    let list = try Program.run("\(prefix)/bin/tessera", ["list"])
    #expect(list.output.contains("  \(prefix)/lib/tessera/libTesseraGrid.so\n"))
    // No file contains the staging path.
    for part in ["lib/pkgconfig/tessera.pc", "lib/cmake/Tessera/TesseraConfig.cmake"] {
      let text = try String(contentsOfFile: "\(prefix)/\(part)", encoding: .utf8)
      #expect(!text.contains(folder.path) && !text.contains("/opt"))
    }
    #expect(try Installation.install(["prefix"], environment: staged).status == 64)
    #expect(try Installation.uninstall(["/opt/tessera"], environment: staged).status == 0)
    #expect(try Snapshot(of: folder.path).paths == ["opt"])
  }

  @Test func aPrefixMayHaveAFolderForItsMachine() throws {
    let folder = try TemporaryFolder()
    let prefix = folder.path("prefix")
    let installed = try Installation.install(["--libdir", Self.libraries, prefix])
    try #require(installed.status == 0, "\(installed.errors)")
    let list = try Program.run("\(prefix)/bin/tessera", ["list"])
    #expect(list.output.contains("  \(prefix)/\(Self.libraries)/tessera/libTesseraFlow.so\n"))
    let layout = try Program.run("\(prefix)/bin/tessera", ["layout", "flow", "--items", "2"])
    #expect(layout.status == 0, "\(layout.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(prefix)/lib/tessera"))
    try folder.write(
      "CMakeLists.txt",
      """
      cmake_minimum_required(VERSION 3.20)
      project(scroll C)
      find_package(Tessera REQUIRED)
      add_executable(scroll \(BuiltProducts.repository.path)/Documentation/Examples/scroll.c)
      target_link_libraries(scroll PRIVATE Tessera::Host)

      """)
    let lines = """
      pkg-config --variable=engines tessera
      gcc \(BuiltProducts.repository.path)/Documentation/Examples/scroll.c -o pkg \
        $(pkg-config --cflags --libs tessera-host) -Wl,-rpath,"\(prefix)/\(Self.libraries)"
      cmake -S . -B build >log 2>&1 && cmake --build build >>log 2>&1 || { cat log; exit 1; }
      ./pkg
      ./build/scroll
      """
    let result = try Program.run(
      "bash", ["-euc", lines], in: folder.path,
      environment: [
        "PKG_CONFIG_PATH": "\(prefix)/\(Self.libraries)/pkgconfig", "CMAKE_PREFIX_PATH": prefix,
      ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    // Both programs used the prefix's engines and worker.
    #expect(result.output.components(separatedBy: "offset 356\n").count == 3, "\(result.output)")
  }
}
