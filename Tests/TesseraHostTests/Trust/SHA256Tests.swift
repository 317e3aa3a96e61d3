import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Sums against NIST's examples and against the system's own command.
@Suite struct SHA256Tests {
  /// FIPS 180-4's examples, one block and two, and those of NIST's example files.
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func examplesOfTheStandard(text: String, sum: String) {
    #expect(SHA256.digest(of: Array(text.utf8)).description == sum)
  }

  @Test func aMillionTimesTheLetterA() {
    #expect(
      SHA256.digest(of: Array(repeating: UInt8(ascii: "a"), count: 1_000_000)).description
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Every length around the ends of blocks, and random ones, in one call and in pieces, from memory
  /// and from a file.
  @Test func agreesWithTheSystemsCommand() throws {
    var generator = SeededGenerator(seed: 3)
    let folder = try TemporaryFolder()
    let lengths =
      Array(0...130) + (0..<30).map { _ in Int.random(in: 131...400_000, using: &generator) }
    var contents: [String: [UInt8]] = [:]
    for length in lengths {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      contents["\(length)"] = bytes
      try folder.write("\(length)", bytes)
    }
    let names = contents.keys.sorted()
    let answer = try Program.run("sha256sum", names, in: folder.path)
    let lines = answer.output.split(separator: "\n")
    #expect(lines.count == names.count && lines.count > 150)
    for line in lines {
      let sum = String(line.prefix(64))
      let name = String(line.dropFirst(66))
      let bytes = try #require(contents[name])
      #expect(SHA256.digest(of: bytes).description == sum, "\(name) bytes")
      var plain = SHA256.plain
      bytes.withUnsafeBytes { plain.add($0) }
      #expect(plain.digest().description == sum, "\(name) bytes without instructions")
      var pieces = SHA256()
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...150, using: &generator))
        bytes.withUnsafeBytes { pieces.add(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
        start = end
      }
      #expect(pieces.digest().description == sum, "\(name) bytes in pieces")
      let file = open(folder.path(name), O_RDONLY)
      defer { close(file) }
      #expect(lseek(file, 5, SEEK_SET) == 5)
      #expect(try SHA256.digest(ofFile: file).description == sum, "a file of \(name) bytes")
    }
  }

  @Test func aSumMayGoOnAfterItWasAskedFor() {
    var sum = SHA256()
    "ab".utf8.withContiguousStorageIfAvailable { sum.add(UnsafeRawBufferPointer($0)) }
    let early = sum.digest()
    "c".utf8.withContiguousStorageIfAvailable { sum.add(UnsafeRawBufferPointer($0)) }
    #expect(early == SHA256.digest(of: Array("ab".utf8)))
    #expect(sum.digest() == SHA256.digest(of: Array("abc".utf8)))
  }

  @Test func digitsAreReadInEitherCase() throws {
    let text = "00ff10ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f2"
    let digest = try #require(SHA256Digest(hex: text))
    #expect(digest.description == text)
    #expect(digest.bytes.prefix(4) == [0, 255, 16, 0xBA] && digest.bytes.count == 32)
    #expect(SHA256Digest(hex: text.uppercased()) == digest)
    #expect(SHA256Digest(bytes: digest.bytes) == digest)
    #expect(Set([digest, digest]).count == 1)
    for other in ["", String(text.dropLast()), text + "0", "g" + text.dropFirst(), " " + text] {
      #expect(SHA256Digest(hex: other) == nil)
    }
    #expect(SHA256Digest(bytes: [1, 2, 3]) == nil)
  }
}
