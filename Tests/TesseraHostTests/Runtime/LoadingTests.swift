import TesseraHost
import TestSupport
import Testing

@Suite struct LookUpTests {
  private let folder: TemporaryFolder
  private let library: String
  private let host: Host

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path("libfamily.so")
    try CCompiler("gcc").compile(FixtureEngine.source("family"), to: library)
    host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
  }

  private func expect(
    _ kind: HostError.Kind, _ parts: String..., of name: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let error = try hostError { _ = try Session(host.engine(name)) }
    #expect(error.kind == kind, "\(error)", sourceLocation: location)
    for part in parts {
      #expect(error.message.contains(part), "\(error)", sourceLocation: location)
    }
  }

  @Test func enginesOfOneLibraryAreInRegistrationOrder() {
    let listing = host.listing()
    #expect(listing.refused.isEmpty)
    #expect(listing.engines.count == 18)
    #expect(
      listing.engines.prefix(3).map(\.description.id)
        == ["org.example.spiral", "org.example.other.spiral", "org.example.solar"])
    #expect(listing.engines.allSatisfy { $0.library == library && $0.shadowedBy == nil })
  }

  @Test func ambiguousNameIsReportedWithAllMatches() throws {
    try expect(
      .invalidInput, "\"spiral\"", "org.example.spiral", "org.example.other.spiral", of: "spiral")
    try expect(.invalidInput, "\(library)#org.example.spiral", of: library)
    try expect(.invalidInput, "\(library)#", of: "\(library)#spiral")
  }

  @Test func unknownNameIsReportedWithTheNearestName() throws {
    try expect(.notFound, "\"sollar\"", "did you mean solar?", of: "sollar")
    try expect(.notFound, "did you mean org.example.solar?", of: "org.exmaple.solar")
    try expect(.notFound, "there is no engine \"mosaic\"", of: "mosaic")
    try expect(.notFound, "\"\"", of: "")
    try expect(.notFound, "it holds", of: "\(library)#mosaic")
    try expect(.notFound, "/nowhere/libx.so", of: "/nowhere/libx.so")
  }

  @Test func basesAreFoundAndTheirParametersReached() throws {
    let engine = try host.engine("grandchild")
    #expect(
      engine.chain.map(\.id) == ["org.example.grandchild", "org.example.child", "org.example.root"])
    let session = try Session(engine)
    #expect(try session.contentSize() == .zero)
    // The child owns it, so only the root accepts it.
    let error = try hostError { try session.setParameter("width", to: .number(2)) }
    #expect(error.kind == .invalidInput)
    #expect(error.message.contains("org.example.child"))
    try Session(host.engine("root")).setParameter("width", to: .number(2))
  }

  @Test func missingOrCircularBaseIsReported() throws {
    try expect(.notFound, "org.example.orphan", "org.example.nobody", of: "orphan")
    try expect(.cannotLoad, "org.example.hen → org.example.egg → org.example.hen", of: "hen")
  }

  @Test(arguments: [("wants-minor", "1.2.0"), ("wants-major", "2.0.0"), ("wants-zero", "0.9.0")])
  func unsuitableBaseVersionIsReportedWithBothVersions(_ name: String, _ version: String) throws {
    try expect(.cannotLoad, version, "1.1.0", library, of: name)
  }

  @Test func inconsistentChainIsReported() throws {
    try expect(.cannotLoad, "lazy", "org.example.root", of: "lazy")
    try expect(.cannotLoad, "width, which is 10", "0 to 9", of: "too-wide")
    try expect(.cannotLoad, "width", "size", "number", of: "wrong-type")
    try expect(.cannotLoad, "height", "org.example.root", of: "no-such-parameter")
    try expect(.cannotLoad, "kind badge", of: "other-badge")
    try expect(.cannotLoad, "attribute tint", of: "other-tint")
  }
}

@Suite struct RegistrationTests {
  @Test(arguments: [
    (0, HostError.Kind.cannotLoad, "added no engine"),
    (1, .cannotLoad, "registers the id org.example.registering twice"),
    (2, .refused, "its registration failed: it needs a display; connect one"),
    (3, .refused, "its registration failed: it returned status 2"),
    (4, .refused, "its registration failed: it needs a display; connect one"),
  ])
  func failedRegistrationIsReported(_ way: Int, _ kind: HostError.Kind, _ sentence: String) throws {
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
    #expect(host.listing().refused.map(\.error) == listing.refused.map(\.error))
    #expect(try hostError { _ = try host.engine(path) }.kind == kind)
  }
}
