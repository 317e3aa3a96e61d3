import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Which folders an engine opens by having been linked to the runtime of Swift there.
@Suite struct SwiftRuntimeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func linked(_ folders: String, _ flags: String...) throws -> FileHandle {
    let source = try folder.write("engine.c", SampleLibrary.source)
    try CCompiler("gcc").compile(
      source, to: folder.path("libengine.so"),
      flags: ["-std=c11", "-shared", "-fPIC", "-Wl,-rpath,\(folders)"] + flags)
    return try #require(FileHandle(forReadingAtPath: folder.path("libengine.so")))
  }

  @Test(arguments: ["-Wl,--enable-new-dtags", "-Wl,--disable-new-dtags"])
  func theRunPathIsTheLinkers(flag: String) throws {
    let library = try linked("/one/two:$ORIGIN/three", flag)
    #expect(
      try SwiftRuntime.runPath(ofLibrary: library.fileDescriptor) == ["/one/two", "$ORIGIN/three"])
  }

  @Test func whatNamesNoFolderNamesNone() throws {
    let library = try linked("")
    #expect(try SwiftRuntime.runPath(ofLibrary: library.fileDescriptor) == [])
    let text = try folder.write("text.so", "no library")
    let handle = try #require(FileHandle(forReadingAtPath: text))
    #expect(SwiftRuntime.folders(ofLibrary: handle.fileDescriptor).isEmpty)
  }

  /// A folder of secrets stays closed, and so does one in which others may put a runtime.
  @Test func onlyFoldersOfARuntimeThatOthersCannotChangeAreOpened() throws {
    for name in ["runtime", "secrets", "open"] { try folder.makeFolder(name) }
    try folder.write("runtime/libswiftCore.so", "")
    try folder.write("secrets/key", "")
    try folder.write("open/libswiftCore.so", "")
    #expect(chmod(folder.path("open"), 0o777) == 0)
    let library = try linked(
      ["runtime", "secrets", "open", "missing"].map(folder.path).joined(separator: ":"))
    #expect(
      SwiftRuntime.folders(ofLibrary: library.fileDescriptor) == [folder.path("runtime")])
  }
}
