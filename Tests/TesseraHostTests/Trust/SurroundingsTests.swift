import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What a host takes from the surroundings of a program, and what a listing says of what it lacks.
@Suite struct SurroundingsTests {
  @Test func theEnvironmentNamesWorkerAndCache() {
    let configuration = HostConfiguration.standard(
      environment: ["TESSERA_WORKER": "/opt/worker", "XDG_CACHE_HOME": "/fast"], home: "/home/ada")
    #expect(configuration.worker == "/opt/worker")
    #expect(configuration.cacheFolder == "/fast/tessera/2")
    #expect(configuration.isolation == .sandbox)
  }

  @Test(arguments: [nil, [:], ["TESSERA_WORKER": ""]] as [[String: String]?])
  func withoutItTheWorkerIsLookedFor(environment: [String: String]?) {
    let configuration = HostConfiguration.standard(environment: environment, home: "/home/ada")
    #expect(configuration.worker == nil)
    #expect(configuration.cacheFolder == "/home/ada/.cache/tessera/2")
  }

  private static let refused = [
    ("/engines/libTesseraEvenFlow.so", HostError.Kind.died),
    ("/engines/libTesseraFlow.so", .notAllowed), ("/engines/notes.so", .cannotLoad),
  ].map { Listing.Refusal(file: $0.0, error: HostError($0.1, "it is refused")) }

  /// By the name of the file, the shortest first; else by what may not be loaded, whatever its name.
  @Test(arguments: [
    ("org.example.flow", "/engines/libTesseraFlow.so"),
    ("even-flow", "/engines/libTesseraEvenFlow.so"), ("notes", "/engines/notes.so"),
    ("mosaic", "/engines/libTesseraFlow.so"),
  ])
  func aRefusedFileMayHideAnEngine(name: String, file: String) {
    let listing = Listing(engines: [], refused: Self.refused)
    #expect(listing.refusal(hiding: name)?.file == file)
  }

  @Test func whatIsNoLibraryHidesNothing() {
    let listing = Listing(engines: [], refused: [Self.refused[2]])
    #expect(listing.refusal(hiding: "mosaic") == nil)
    #expect(listing.refusal(hiding: "") == nil)
    #expect(listing.refusal(hiding: "...") == nil)
  }
}
