import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Which folders are searched, in which order.
@Suite struct SearchPathTests {
  private func paths(
    first: [String] = [], environment: [String: String]? = [:],
    executable: String? = "/opt/tessera/bin/tessera", home: String? = "/home/ada"
  ) -> [String] {
    SearchPath.standard(
      first: first, environment: environment, executable: executable, home: home
    ).folders.map(\.path)
  }

  private static let standard = [
    "/opt/tessera/bin", "/opt/tessera/lib/tessera", "/home/ada/.local/lib/tessera",
    "/usr/local/lib/tessera", "/usr/lib/tessera",
  ]

  @Test func goesFromTheExecutableToTheSystem() {
    #expect(paths() == Self.standard)
    #expect(paths(environment: nil) == Self.standard)
    #expect(paths(environment: ["PATH": "/bin"]) == Self.standard)
  }

  @Test func searchesGivenFoldersFirst() {
    #expect(paths(first: ["b", "/a"]) == ["b", "/a"] + Self.standard)
  }

  @Test func theVariableReplacesWhatFollows() {
    #expect(paths(first: ["x"], environment: ["TESSERA_PATH": "/a:b"]) == ["x", "/a", "b"])
  }

  @Test func emptyEntriesAreIgnored() {
    #expect(paths(environment: ["TESSERA_PATH": "::/a::/b:"]) == ["/a", "/b"])
    #expect(paths(environment: ["TESSERA_PATH": ""]).isEmpty)
  }

  @Test func onlyGivenFoldersAreRequired() {
    let path = SearchPath.standard(
      first: ["x"], environment: ["TESSERA_PATH": "/a"], executable: nil, home: nil)
    #expect(path.folders.map(\.isRequired) == [true, false])
    #expect(SearchPath(folders: ["x"]).folders.map(\.isRequired) == [true])
  }

  @Test func unknownPlacesAreLeftOut() {
    let system = ["/usr/local/lib/tessera", "/usr/lib/tessera"]
    #expect(paths(executable: nil, home: nil) == system)
    #expect(paths(executable: "tessera", home: "") == system)
  }

  @Test func anExecutableMayLieAtTheRoot() {
    #expect(
      paths(executable: "/tessera", home: "/").prefix(3) == [
        "/", "/lib/tessera", "/.local/lib/tessera",
      ])
  }
}
