import Foundation
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct ReloadTests {
  private let folder: TemporaryFolder
  private var library: String { folder.path("libreloaded.so") }

  init() throws { folder = try TemporaryFolder() }

  private func put(_ version: String, row: Int, _ flags: String...) throws {
    try CCompiler("gcc").compile(
      FixtureEngine.source("reloaded"), to: folder.path("new.so"),
      flags: ["-std=c11", "-shared", "-fPIC", "-DVERSION=\"\(version)\"", "-DROW=\(row)"] + flags)
    #expect(rename(folder.path("new.so"), library) == 0)
  }

  private func session(_ isolation: Isolation) throws -> Session {
    let host = Host(
      searchPath: SearchPath(folders: []), configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine(library))
    try session.setSections([3])
    return session
  }

  @Test(arguments: Isolation.allCases)
  func nextCallUsesTheNewLibraryWithTheSameData(isolation: Isolation) throws {
    try put("1.0.0", row: 10)
    let session = try session(isolation)
    #expect(try session.contentSize() == Size(width: 375, height: 30))
    try put("1.1.0", row: 20)
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.contentSize() == Size(width: 100, height: 60))
    #expect(session.engine.description.version == "1.1.0")
    #expect(try session.lastReload?.get() == [])
    try session.setParameter("rowHeight", to: .number(7))
    #expect(try session.contentSize() == Size(width: 100, height: 21))
    try put("1.2.0", row: 30)
    session.bounds = Size(width: 200, height: 100)
    #expect(try session.elements(in: Rect(x: 0, y: 7, width: 1, height: 1)).count == 1)
    #expect(try session.contentSize() == Size(width: 200, height: 21))
    #expect(session.engine.description.version == "1.2.0")
  }

  @Test func undeclaredValuesAreReported() throws {
    try put("1.0.0", row: 10)
    let session = try session(.sandbox)
    try session.setParameter("rowHeight", to: .number(7))
    try put("2.0.0", row: 20, "-DRENAMED")
    #expect(try session.contentSize().height == 60)
    let dropped = try #require(try session.lastReload?.get())
    #expect(dropped.count == 1)
    #expect(dropped.first?.contains("no parameter \"rowHeight\"") == true)
  }

  @Test(arguments: ["-DDYING", "-DVERSION=\"none\"", "text"])
  func brokenReplacementIsReportedAndTheOldLibraryKeepsWorking(fault: String) throws {
    try put("1.0.0", row: 10)
    let session = try session(.sandbox)
    #expect(try session.contentSize().height == 30)
    if fault == "text" {
      try folder.write("new.so", "no library")
      #expect(rename(folder.path("new.so"), library) == 0)
    } else {
      try put("1.1.0", row: 20, fault)
    }
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.contentSize() == Size(width: 100, height: 30))
    guard case .failure(let error) = session.lastReload else {
      Issue.record("nothing is said of the broken library")
      return
    }
    #expect(error.message.contains("libreloaded.so"))
    #expect(throws: HostError.self) { try session.reload() }
    #expect(try session.contentSize() == Size(width: 100, height: 30))
    try put("1.2.0", row: 20)
    session.bounds = Size(width: 200, height: 100)
    #expect(try session.contentSize() == Size(width: 200, height: 60))
  }

  @Test func fileOverwrittenInPlaceDoesNoHarm() throws {
    try put("1.0.0", row: 10)
    let session = try session(.sandbox)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: library))
    try file.truncate(atOffset: 0)
    try file.close()
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.contentSize() == Size(width: 100, height: 30))
  }

  private func isMapped(_ path: String) throws -> Bool {
    try Program.run("cat", ["/proc/\(getpid())/maps"]).output.split(separator: "\n")
      .contains { $0.hasSuffix(" \(path)") }
  }

  /// Debuggers find the library; replacements load from their file.
  @Test func engineInThisProcessIsLoadedFromItsOwnFile() throws {
    try put("1.0.0", row: 13)
    let session = try session(.none)
    #expect(try session.contentSize().height == 39)
    #expect(try isMapped(library))
    try put("1.1.0", row: 14)
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.contentSize().height == 42)
    #expect(try isMapped(library))
    #expect(try isMapped("\(library) (deleted)"))
  }

  /// dlopen would return the previous library.
  @Test func fileOverwrittenInPlaceIsLoadedFromItsCopy() throws {
    try put("1.0.0", row: 15)
    let first = try SealedLibrary(path: library)
    #expect(try LoadedEngine.engines(in: first, prefersFile: true).count == 1)
    try put("1.1.0", row: 16)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: library))
    try put("1.0.0", row: 17)
    let second = try SealedLibrary(path: library)
    #expect(try LoadedEngine.engines(in: second, prefersFile: true).count == 1)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: library))
    try file.write(contentsOf: bytes)
    try file.close()
    let third = try SealedLibrary(path: library)
    #expect(third.identity.inode == second.identity.inode)
    let engines = try LoadedEngine.engines(in: third, prefersFile: true)
    #expect(engines.map(\.description.version) == ["1.1.0"])
  }

  @Test func allowedLibraryIsLoadedFromItsCopy() throws {
    try put("1.0.0", row: 12)
    let list = try Allowlist(
      file: folder.write("allowed", "\(SHA256Digest(ofFile: library))  libreloaded.so\n"))
    var configuration = HostConfiguration(isolation: .none)
    configuration.trust.allowsOnly = list
    let host = Host(searchPath: SearchPath(folders: []), configuration: configuration)
    let session = try Session(host.engine(library))
    try session.setSections([3])
    #expect(try session.contentSize().height == 36)
    #expect(try !isMapped(library))
  }

  @Test func crashInDestroyIsReported() throws {
    try put("1.0.0", row: 10, "-DDESTROYING")
    let session = try session(.sandbox)
    #expect(try session.contentSize().height == 30)
    let error = #expect(throws: HostError.self) { try session.close() }
    #expect(error?.kind == .died)
    #expect(error?.message.contains("in destroy with SIGABRT") == true)
    #expect(try session.contentSize().height == 30)
  }
}
