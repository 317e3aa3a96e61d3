import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost

@Suite struct AllowlistTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("config")
    #expect(chmod(folder.path("config"), 0o700) == 0)
    file = folder.path("config/trusted")
  }

  private static func digest(_ number: Int) -> SHA256Digest {
    SHA256Digest(of: Array("\(number)".utf8))
  }

  private func write(_ text: String) throws {
    try folder.write("config/trusted", text)
    #expect(chmod(file, 0o600) == 0)
  }

  private func text() throws -> String {
    String(decoding: try folder.bytes("config/trusted"), as: UTF8.self)
  }

  @Test func readsWhatTheSystemsCommandWrites() throws {
    let names = ["plain.so", "with space.so", "é.so", "back\\slash\nline.so"]
    for name in names { try folder.write("files/\(name)", name) }
    let answer = try Program.run("sha256sum", names, in: folder.path("files"))
    try write("# my engines\n\n" + answer.output)
    let list = try Allowlist(file: file)
    #expect(list.exists)
    #expect(list.entries.map(\.path) == names)
    for name in names { #expect(list.contains(SHA256Digest(of: Array(name.utf8)))) }
    #expect(!list.contains(Self.digest(1)))
    #expect(list.lines.map { $0.text + "\n" }.joined() == "# my engines\n\n" + answer.output)
    let check = try Program.run(
      "sha256sum", ["--check", "--quiet", file], in: folder.path("files"))
    #expect(check.status == 0)
  }

  @Test(
    arguments: [
      "x", "abc  /path", "\(digest(1)) /path", "\(digest(1))", "\(digest(1))  ",
      "\(digest(1))x  /path", "\\\(digest(1))  /bad\\x",
    ])
  func invalidLineIsReported(line: String) throws {
    try write("# comment\n\(Self.digest(2))  /fine\n\(line)\n\(Self.digest(3)) */fine\n")
    let error = try hostError { _ = try Allowlist(file: file) }
    #expect(error.kind == .invalidInput)
    #expect(error.message.hasPrefix("line 3 of \(file) is \""))
  }

  @Test func unusualLinesAreRead() throws {
    let upper = Self.digest(2).description.uppercased()
    let end = "\(Self.digest(3))  /end"
    try write("\(Self.digest(1)) */star\r\n  # indented\n\(upper)  /upper\r\n\r\n\(end)")
    #expect(try Allowlist(file: file).entries.map(\.path) == ["/star", "/upper", "/end"])
    #expect(try Allowlist(file: file).contains(Self.digest(2)))
  }

  @Test func invalidTextIsReported() throws {
    try folder.write("config/trusted", [0xFF, 0xFE])
    #expect(chmod(file, 0o600) == 0)
    #expect(try hostError { _ = try Allowlist(file: file) }.message.contains("not UTF-8"))
    #expect(
      try hostError { _ = try Allowlist(file: folder.path("config")) }.message
        .contains("is not a file of at most"))
  }

  @Test func addingKeepsExistingEntries() throws {
    try write("# mine\n\(Self.digest(1))  /one.so\n\n# more")
    let list = try Allowlist.add(Self.digest(2), path: "/two\\.so", to: file)
    #expect(list.contains(Self.digest(2)) && list.entries.count == 2)
    let expected =
      "# mine\n\(Self.digest(1))  /one.so\n\n# more\n\\\(Self.digest(2))  /two\\\\.so\n"
    #expect(try text() == expected)
    try Allowlist.add(Self.digest(2), path: "/two\\.so", to: file)
    #expect(try text() == expected)
    #expect(try Allowlist(file: file) == list)
  }

  @Test func firstLibraryCreatesTheFile() throws {
    let fresh = folder.path("fresh/deep/trusted")
    try Allowlist.add(Self.digest(1), path: "/one.so", to: fresh)
    var status = stat()
    #expect(stat(fresh, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(folder.path("fresh/deep"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(folder.path("fresh"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(try Allowlist(file: fresh).contains(Self.digest(1)))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("fresh/deep")) == ["trusted"])
  }

  @Test func librariesAreRemovedByPathSumOrItsBeginning() throws {
    func reset() throws {
      try write((1...3).map { "\(Self.digest($0))  /\($0 % 2).so\n" }.joined() + "# end\n")
    }
    try reset()
    #expect(try Allowlist.remove("/1.so", from: file).map(\.digest) == [1, 3].map(Self.digest))
    #expect(try text() == "\(Self.digest(2))  /0.so\n# end\n")
    try reset()
    #expect(try Allowlist.remove("\(Self.digest(2))", from: file).map(\.path) == ["/0.so"])
    #expect(try Allowlist(file: file).entries.count == 2)
    try reset()
    let prefix = Self.digest(3).description.prefix(7).uppercased()
    #expect(try Allowlist.remove(prefix, from: file).map(\.digest) == [Self.digest(3)])
  }

  @Test func ambiguousOrMissingNamesAreNotRemoved() throws {
    let one = "ab" + String(repeating: "0", count: 62)
    let two = "ab" + String(repeating: "1", count: 62)
    try write("\(one)  /one.so\n\(two)  /two.so\n")
    let before = try text()
    let ambiguous = try hostError { try Allowlist.remove("ab", from: file) }
    #expect(
      ambiguous
        == HostError(
          .ambiguousName,
          "2 sums on the allowlist \(file) begin with ab; give more of its digits"))
    for name in ["", "/three.so", "cd", one + "0"] {
      #expect(try hostError { try Allowlist.remove(name, from: file) }.kind == .notFound)
    }
    #expect(try text() == before)
  }

  @Test func allowlistThatOthersMayWriteIsRejected() throws {
    try write("\(Self.digest(1))  /one.so\n")
    #expect(chmod(file, 0o602) == 0)
    let error = try hostError { _ = try Allowlist(file: file) }
    #expect(error.kind == .notAllowed && error.message.contains("chmod o-w \(file)"))
    #expect(chmod(file, 0o600) == 0)
    #expect(chmod(folder.path("config"), 0o707) == 0)
    #expect(try hostError { _ = try Allowlist(file: file) }.kind == .notAllowed)
    #expect(
      try hostError { try Allowlist.add(Self.digest(2), path: "/x", to: file) }.kind == .notAllowed)
  }

  @Test func concurrentWritesAreWhole() async throws {
    let file = file
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          _ = try? Allowlist.add(Self.digest(number), path: "/\(number).so", to: file)
          if number % 2 == 0 { _ = try? Allowlist.remove("/\(number).so", from: file) }
        }
      }
    }
    let list = try Allowlist(file: file)
    #expect(
      Set(list.entries.map(\.path)) == Set((0..<40).filter { $0 % 2 == 1 }.map { "/\($0).so" }))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("config")) == ["trusted"])
  }

  @Test func symlinkStaysASymlink() throws {
    try folder.write("real", "")
    #expect(chmod(folder.path("real"), 0o600) == 0)
    #expect(chmod(folder.path, 0o700) == 0)
    try folder.link("config/trusted", to: "../real")
    try Allowlist.add(Self.digest(1), path: "/one.so", to: file)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file) == "../real")
    #expect(String(decoding: try folder.bytes("real"), as: UTF8.self).contains("/one.so"))
  }
}
