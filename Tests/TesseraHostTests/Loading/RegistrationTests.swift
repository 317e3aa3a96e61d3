import TesseraHost
import TestSupport
import Testing

/// What a library may make of its registration.
@Suite struct RegistrationTests {
  @Test(arguments: [
    (0, HostError.Kind.cannotLoad, "added no engine"),
    (1, .cannotLoad, "registers the id org.example.registering twice"),
    (2, .refused, "its registration failed: it needs a display; connect one"),
    (3, .refused, "its registration failed: it returned status 2"),
    (4, .refused, "its registration failed: it needs a display; connect one"),
  ])
  func aRegistrationThatGoesWrongIsToldInASentence(
    _ way: Int, _ kind: HostError.Kind, _ sentence: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("libregistering.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("registering"), to: path,
      flags: ["-std=c11", "-shared", "-fPIC", "-DWAY=\(way)"] + CCompiler.strictness)
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let listing = host.listing()
    #expect(listing.engines.isEmpty)
    #expect(listing.refused.map(\.file) == [path])
    #expect(listing.refused.first?.error.kind == kind)
    #expect(listing.refused.first?.error.message.contains(sentence) == true, "\(listing.refused)")
    // It is the same when it is looked at again, and when it is named outright.
    #expect(host.listing().refused.map(\.error) == listing.refused.map(\.error))
    #expect(try hostError { _ = try host.engine(path) }.kind == kind)
  }
}
