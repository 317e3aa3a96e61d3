import Foundation
import TestSupport
import Testing

/// Debian packages, and prefixes in which libraries are where Debian has them.
@Suite struct PackageTests {
  #if arch(x86_64)
    private static let libraries = "lib/x86_64-linux-gnu"
  #else
    private static let libraries = "lib/aarch64-linux-gnu"
  #endif
  private static let hasTools = Tool.isPresent("dpkg-gencontrol") && Tool.isPresent("git")
  /// Whether this machine has what the view for GTK is built with, and so its packages.
  private static let hasView =
    Tool.isPresent("g-ir-scanner") && Tool.isPresent("pkg-config")
    && (try? Program.run("pkg-config", ["--atleast-version=4.8", "gtk4"]).status) == 0
  private static let names =
    (["libtessera-dev", "libtessera1", "tessera", "tessera-doc"]
    + (hasView
      ? ["gir1.2-tesseragtk", "libtessera-gtk", "libtessera-gtk-dev", "tessera-view"] : []))
    .sorted()

  /// The packages of this build, by name: those of the release.
  private static let made = Result {
    let folder = try ReleaseTests.made.get()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".deb") }
    return Dictionary(
      uniqueKeysWithValues: files.map { (String($0.prefix { $0 != "_" }), "\(folder)/\($0)") })
  }

  private static func tool(_ arguments: String...) throws -> ProgramResult {
    try Program.run("\(BuiltProducts.repository.path)/Tools/package", arguments)
  }

  private func contents(of package: String) throws -> Set<String> {
    let file = try #require(try Self.made.get()[package])
    let result = try Program.run("bash", ["-c", "dpkg-deb --fsys-tarfile \"$0\" | tar t", file])
    return Set(result.output.split(separator: "\n").map { String($0.dropFirst(2)) })
  }

  @Test(.enabled(if: hasTools, "dpkg-dev and git are needed"))
  func eachPackageHasItsParts() throws {
    #expect(try Self.made.get().keys.sorted() == Self.names)
    let view = [
      "libtessera-gtk": ["\(Self.libraries)/libtessera-gtk.so.1"],
      "libtessera-gtk-dev": [
        "\(Self.libraries)/libtessera-gtk.so", "\(Self.libraries)/pkgconfig/tessera-gtk.pc",
        "include/tesseragtk/tesseragtk.h", "share/gir-1.0/TesseraGtk-1.gir",
      ],
      "gir1.2-tesseragtk": ["\(Self.libraries)/girepository-1.0/TesseraGtk-1.typelib"],
      "tessera-view": ["bin/tessera-view"],
    ]
    let parts = [
      "tessera": [
        "bin/tessera", "libexec/tessera/tessera-worker",
        "\(Self.libraries)/tessera/libTesseraFlow.so",
        "share/man/man1/tessera.1.gz", "share/bash-completion/completions/tessera",
        "share/zsh/vendor-completions/_tessera", "share/fish/vendor_completions.d/tessera.fish",
      ],
      "libtessera1": [
        "\(Self.libraries)/libtessera.so.1", "\(Self.libraries)/tessera/swift/libswiftCore.so",
      ],
      "libtessera-dev": [
        "\(Self.libraries)/libtessera.so", "\(Self.libraries)/pkgconfig/tessera.pc",
        "\(Self.libraries)/cmake/Tessera/TesseraConfig.cmake", "include/tessera/tessera.h",
        "include/tessera/tessera.hpp", "include/tessera/tessera_host.h",
        "share/tessera/rust/tessera.rs", "share/tessera/swift/Package.swift",
        "share/tessera/templates/shared/deb",
      ],
      "tessera-doc": [
        "share/doc/tessera/README.md",
        "share/doc/tessera/Sources/CTessera/include/tessera/tessera.h",
      ],
    ]
    var owners: [String: String] = [:]
    for (package, expected) in parts.merging(Self.hasView ? view : [:], uniquingKeysWith: +) {
      let contents = try contents(of: package)
      for part in expected + ["copyright", "changelog.gz"].map({ "share/doc/\(package)/\($0)" }) {
        #expect(contents.contains("usr/\(part)"), "\(package) lacks usr/\(part)")
      }
      #expect(!contents.contains { $0.contains("installed.txt") || $0.contains("libffi") })
      for file in contents where !file.isEmpty && !file.hasSuffix("/") {
        #expect(owners.updateValue(package, forKey: file) == nil, "\(file)")
      }
    }
  }

  /// No package runs anything of its own, such as a script that removes files of a user.
  @Test(.enabled(if: hasTools, "dpkg-dev and git are needed"))
  func noPackageHasAScript() throws {
    for (name, file) in try Self.made.get() {
      let result = try Program.run("bash", ["-c", "dpkg-deb --ctrl-tarfile \"$0\" | tar t", file])
      let parts = Set(result.output.split(separator: "\n").map { String($0.dropFirst(2)) })
      #expect(
        parts.contains("control")
          && parts.isSubset(of: ["", "control", "md5sums", "shlibs", "triggers"]),
        "\(name): \(parts)")
    }
  }

  @Test(.enabled(if: hasTools, "dpkg-dev and git are needed"))
  func dependenciesAreThoseOfTheLoader() throws {
    let packages = try Self.made.get()
    let fields = try Program.run("dpkg-deb", ["--field", #require(packages["tessera"]), "Depends"])
    #expect(fields.output.hasPrefix("libtessera1 (= "), "\(fields.output)")
    for library in ["libc6 (>= ", "libffi", "libstdc++6 (>= "] {
      #expect(fields.output.contains(library), "\(fields.output)")
    }
    if Self.hasView {
      let view = try Program.run(
        "dpkg-deb", ["--field", #require(packages["libtessera-gtk"]), "Depends"])
      #expect(view.output.hasPrefix("libtessera1 (= "), "\(view.output)")
      for library in ["libc6 (>= ", "libgtk-4-1 (>= 4.", "libglib2.0-0"] {
        #expect(view.output.contains(library), "\(view.output)")
      }
    }
    let pages = try Program.run(
      "dpkg-deb", ["--field", #require(packages["tessera-doc"]), "Depends"])
    #expect(pages.output.trimmingCharacters(in: .whitespacesAndNewlines) == "")
  }

  @Test(
    .enabled(if: hasTools, "dpkg-dev and git are needed"),
    .enabled(if: Tool.isPresent("lintian"), "lintian is not installed"))
  func lintianFindsNoErrors() throws {
    // Tools/package --test asks about all.
    let packages = try Self.made.get().filter {
      Soak.isFull || ["libtessera-dev", "libtessera1"].contains($0.key)
    }
    #expect(packages.count >= 2)
    let result = try Program.run(
      "lintian",
      [
        "--allow-root", "--fail-on", "error", "--suppress-tags",
        "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball",
      ] + packages.values.sorted())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// The whole test, with the tour, is Tools/package --test.
  @Test(
    .enabled(if: hasTools, "dpkg-dev and git are needed"),
    .enabled(
      if: getuid() == 0 && Tool.isPresent("debootstrap") && Tool.isPresent("lintian"),
      "a new system needs root, debootstrap and lintian"),
    .enabled(
      if: (try? FileManager.default.contentsOfDirectory(
        atPath: BuiltProducts.repository.appendingPathComponent(".build/debian").path)) != nil,
      "Tools/package --test has made no system yet"))
  func theCommandRunsInANewSystemAndLeavesNothing() throws {
    let folder = try (#require(try Self.made.get()["tessera"]) as NSString)
      .deletingLastPathComponent
    let result = try Self.tool("--test", "--quick", folder)
    #expect(
      result.status == 0 && result.output.hasSuffix("passed\n"), "\(result.output)\(result.errors)")
  }

  /// Programs, the worker, engines, and what is built against them, in another folder than lib.
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
    guard Tool.isPresent("pkg-config"), Tool.isPresent("cmake") else { return }
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
    // Both programs found the engines and the worker of the prefix.
    #expect(result.output.components(separatedBy: "offset 356\n").count == 3, "\(result.output)")
  }

  @Test func wrongArgumentsAreRejected() throws {
    let other = try Installation.install(["--libdir", "lib64", "/nowhere"])
    #expect(other.status == 64)
    #expect(other.errors.contains("give lib or \(Self.libraries), where the host looks"))
    #expect(try Self.tool().status == 64)
    #expect(
      try Self.tool("--compression", "rar", "/tmp").errors.contains("give xz, zstd, gzip or none"))
    let folder = try TemporaryFolder()
    let none = try Self.tool("--test", folder.path)
    #expect(none.status == 66)
    #expect(none.errors.contains("holds 0 of the 4 packages"))
  }
}
