import Foundation
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct LibraryScanTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func scan(_ folders: String...) -> (candidates: [String], refusals: [String: HostError]) {
    let scan = LibraryScan(of: SearchPath(folders: folders.map { "\(folder.path)/\($0)" }))
    return (
      scan.candidates.map { relative($0.path) },
      Dictionary(scan.refusals.map { (relative($0.file), $0.error) }) { first, _ in first }
    )
  }

  private func relative(_ path: String) -> String {
    path.replacingOccurrences(of: folder.path + "/", with: "")
  }

  @Test func takesFilesByExtension() throws {
    for name in ["b.so", "a.so", "c.so.1", "d.txt", "so", "e.SO"] {
      try folder.write("one/\(name)", name)
    }
    let found = scan("one")
    #expect(found.candidates == ["one/a.so", "one/b.so"])
    #expect(found.refusals.isEmpty)
  }

  /// Byte order: capitals first, "é" last.
  @Test func sortsByBytesInsideAFolderOnly() throws {
    for name in [
      "two/a.so", "one/é.so", "one/b.so", "one/B.so", "one/a-b.so", "one/a.so", "one/10.so",
      "one/9.so",
    ] {
      try folder.write(name, name)
    }
    #expect(
      scan("two", "one").candidates == [
        "two/a.so", "one/10.so", "one/9.so", "one/B.so", "one/a-b.so", "one/a.so", "one/b.so",
        "one/é.so",
      ])
  }

  @Test func resolvesSymlinks() throws {
    try folder.write("real/engine.so.1", "x")
    try folder.makeFolder("one")
    try folder.link("one/engine.so", to: "../real/engine.so.1")
    let found = LibraryScan(of: SearchPath(folders: [folder.path("one")])).candidates
    #expect(found.map(\.path) == [folder.path("one/engine.so")])
    #expect(found.map(\.resolvedPath) == [folder.path("real/engine.so.1")])
    #expect(found.map(\.identity.size) == [1])
  }

  @Test func listsTheSameFileOnce() throws {
    try folder.write("one/a.so", "x")
    try folder.link("one/b.so", to: "a.so")
    try folder.makeFolder("two")
    #expect(link(folder.path("one/a.so"), folder.path("two/c.so")) == 0)
    let found = scan("one", "two")
    #expect(found.candidates == ["one/a.so"])
    #expect(found.refusals.keys.sorted() == ["one/b.so", "two/c.so"])
    for error in found.refusals.values {
      #expect(
        error.message
          == "it is the same file as \(folder.path)/one/a.so, found before; keep one of them")
    }
  }

  @Test func searchesAFolderOnce() throws {
    try folder.write("one/a.so", "x")
    try folder.link("same", to: "one")
    let found = scan("same", "one", "one/", "one/../one")
    #expect(found.candidates == ["same/a.so"])
    #expect(found.refusals.isEmpty)
  }

  @Test func refusesNonFiles() throws {
    try folder.makeFolder("one/folder.so")
    try folder.link("one/dangling.so", to: "nothing")
    try folder.link("one/loop.so", to: "loop.so")
    #expect(mkfifo(folder.path("one/pipe.so"), 0o600) == 0)
    let found = scan("one")
    #expect(found.candidates.isEmpty)
    #expect(
      found.refusals.mapValues(\.message) == [
        "one/folder.so": "it is a folder; expected a library file",
        "one/dangling.so": "it is a symlink to a file that does not exist; fix or remove it",
        "one/loop.so": "it cannot be accessed: Too many levels of symbolic links",
        "one/pipe.so": "it is a pipe, a socket or a device; expected a library file",
      ])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func refusesUnreadableFiles() throws {
    try folder.write("one/a.so", "x")
    #expect(chmod(folder.path("one/a.so"), 0) == 0)
    #expect(
      scan("one").refusals["one/a.so"]?.message
        == "it cannot be read: Permission denied; allow it with chmod")
  }

  @Test func refusesANameThatIsNotUTF8() throws {
    try folder.makeFolder("one")
    let name = Array("\(folder.path)/one/".utf8CString.dropLast()) + [-1] + Array(".so".utf8CString)
    let descriptor = open(name, O_CREAT | O_WRONLY, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    #expect(scan("one").refusals["one/\u{fffd}.so"]?.message == "its name is not UTF-8; rename it")
  }

  @Test func reportsMissingFoldersThatWereNamed() throws {
    try folder.write("file", "x")
    let found = scan("missing", "file")
    #expect(
      found.refusals == [
        "missing": HostError(.fileNotFound, "there is no such folder; give one that exists"),
        "file": HostError(.fileNotFound, "it is not a folder; give one"),
      ])
  }
}

@Suite struct SearchPathTests {
  private func paths(
    first: [String] = [], environment: [String: String]? = [:],
    executable: String? = "/opt/tessera/bin/tessera", home: String? = "/home/ada"
  ) -> [String] {
    SearchPath.standard(
      first: first, environment: environment, executable: executable, home: home
    ).folders.map(\.path)
  }

  #if arch(x86_64)
    private static let machine = "x86_64-linux-gnu"
  #else
    private static let machine = "aarch64-linux-gnu"
  #endif
  private static let system = [
    "/usr/local/lib/\(machine)/tessera", "/usr/local/lib/tessera",
    "/usr/lib/\(machine)/tessera", "/usr/lib/tessera",
  ]
  private static let standard =
    [
      "/opt/tessera/bin", "/opt/tessera/lib/\(machine)/tessera", "/opt/tessera/lib/tessera",
      "/home/ada/.local/lib/tessera",
    ] + system

  @Test func goesFromTheExecutableToTheSystem() {
    #expect(paths() == Self.standard)
    #expect(paths(environment: nil) == Self.standard)
    #expect(paths(environment: ["PATH": "/bin"]) == Self.standard)
    #expect(paths(first: ["b", "/a"]) == ["b", "/a"] + Self.standard)
  }

  @Test func variableReplacesTheFollowingFolders() {
    #expect(paths(first: ["x"], environment: ["TESSERA_PATH": "/a:b"]) == ["x", "/a", "b"])
    #expect(paths(environment: ["TESSERA_PATH": "::/a::/b:"]) == ["/a", "/b"])
    #expect(paths(environment: ["TESSERA_PATH": ""]).isEmpty)
  }

  @Test func onlyGivenFoldersAreRequired() {
    let path = SearchPath.standard(
      first: ["x"], environment: ["TESSERA_PATH": "/a"], executable: nil, home: nil)
    #expect(path.folders.map(\.isRequired) == [true, false])
    #expect(SearchPath(folders: ["x"]).folders.map(\.isRequired) == [true])
  }

  @Test func unknownPlacesAreOmitted() {
    #expect(paths(executable: nil, home: nil) == Self.system)
    #expect(paths(executable: "tessera", home: "") == Self.system)
  }

  @Test func theExecutableMayBeTheSystems() {
    #expect(
      paths(executable: "/usr/bin/tessera", home: nil)
        == Self.system.suffix(2) + Self.system.prefix(2))
  }

  @Test func aLibraryMayBeInTheFolderOfItsMachine() {
    for file in ["bin/tessera", "lib/libtessera.so.1", "lib/\(Self.machine)/libtessera.so.1"] {
      #expect(SearchPath.prefix(containing: "/opt/tessera/\(file)") == "/opt/tessera")
    }
    #expect(SearchPath.prefix(containing: "/lib/\(Self.machine)/libtessera.so.1") == "/")
  }
}
