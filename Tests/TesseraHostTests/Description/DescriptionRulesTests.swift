import CTessera
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Descriptions that break a rule of the contract, each of which is refused with that rule.
@Suite struct DescriptionRulesTests {
  /// One of the fixture's broken engines and what the host is to say about it.
  private struct Broken {
    let says: UnsafePointer<CChar>
    let engine: tessera_engine
  }

  /// The address of something that the fixture exports; the library stays loaded.
  private static func symbol(_ name: String, in handle: UnsafeMutableRawPointer?) throws
    -> UnsafeMutableRawPointer
  {
    try #require(dlsym(handle, name))
  }

  private static func library() throws -> UnsafeMutableRawPointer? {
    let folder = try TemporaryFolder()
    let path = folder.path("libbroken.so")
    try CCompiler("gcc").compile(FixtureEngine.source("broken_descriptions"), to: path)
    return dlopen(path, RTLD_NOW | RTLD_LOCAL)
  }

  @Test func everyBrokenRuleIsToldInASentence() throws {
    let library = try Self.library()
    let count = try Self.symbol("broken_engine_count", in: library).load(as: UInt64.self)
    #expect(count > 60)
    let engines = try Self.symbol("broken_engines", in: library)
      .assumingMemoryBound(to: Broken.self)
    for index in 0..<Int(count) {
      let says = String(cString: engines[index].says)
      let offset = index * MemoryLayout<Broken>.stride + MemoryLayout<Broken>.offset(of: \.engine)!
      let engine = UnsafeRawPointer(engines) + offset
      do throws(HostError) {
        _ = try DescriptionReader.read(engine.assumingMemoryBound(to: tessera_engine.self))
        Issue.record("nothing is said, expected: \(says)")
      } catch {
        #expect(error.kind == .cannotLoad)
        #expect(error.message.contains(says), "expected: \(says)")
        #expect(!error.message.contains("\n") && !error.message.hasSuffix("."))
      }
    }
  }

  @Test func whatIsUnusualButSoundIsRead() throws {
    let engine = try Self.symbol("sound_engine", in: Self.library())
    let (_, description) = try DescriptionReader.read(
      engine.assumingMemoryBound(to: tessera_engine.self))
    #expect(description.id == "Org.Example-2.1st")
    #expect(description.version == "0.0.0-alpha+build.7")
    #expect(description.summary.isEmpty)
    #expect(description.parameters[0].minimum == [-.infinity])
    #expect(description.parameters[0].maximum == [-1])
    #expect(description.parameters[0].unit == "")
  }

  /// One broken engine takes its library along, which a listing tells with the rule.
  @Test func aListingTellsTheRule() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("libbroken.so")
    try CCompiler("gcc").compile(FixtureEngine.source("broken_descriptions"), to: path)
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let listing = host.listing()
    #expect(listing.engines.isEmpty)
    #expect(listing.refused.map(\.file) == [path])
    #expect(listing.refused.first?.error.kind == .cannotLoad)
    #expect(listing.refused.first?.error.message.contains("version \"1.2\" is not semantic") == true)
    let error = try hostError { _ = try host.engine(path) }
    #expect(error.kind == .cannotLoad)
    #expect(error.message.contains(path))
  }
}
