import CTesseraSystem
import Foundation
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct SealedLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ path: String, limit: UInt64 = SealedLibrary.sizeLimit) throws -> HostError {
    try hostError { _ = try SealedLibrary(path: path, limit: limit) }
  }

  @Test func holdsTheBytesOfTheFile() throws {
    let bytes = try SampleLibrary.bytes()
    let path = try folder.write("engine.so", bytes)
    let library = try SealedLibrary(path: path)
    #expect(library.path == path)
    #expect(library.digest == SHA256Digest(of: bytes))
    #expect(library.abi == .current)
    #expect(library.identity.size == UInt64(bytes.count))
    #expect(readWholeFile(library.descriptor, limit: 1 << 20) == bytes)
    let name = try FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(library.descriptor)")
    #expect(name.contains("engine.so"))
    #expect(fcntl(library.descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func copyCannotBeChanged() throws {
    let bytes = try SampleLibrary.bytes()
    let library = try SealedLibrary(path: folder.write("engine.so", bytes))
    let file = library.descriptor
    #expect(pwrite(file, "x", 1, 0) == -1 && errno == EPERM)
    #expect(ftruncate(file, 10) == -1 && errno == EPERM)
    #expect(ftruncate(file, off_t(bytes.count) + 10) == -1 && errno == EPERM)
    let mapped = mmap(nil, bytes.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    #expect(mapped == MAP_FAILED)
    let again = open("/proc/self/fd/\(file)", O_RDWR)
    if again >= 0 {
      #expect(pwrite(again, "x", 1, 0) == -1)
      close(again)
    }
    #expect(readWholeFile(file, limit: 1 << 20) == bytes)
  }

  @Test func fileMayChangeAfterwards() throws {
    let bytes = try SampleLibrary.bytes()
    let path = try folder.write("engine.so", bytes)
    let library = try SealedLibrary(path: path)
    let file = open(path, O_WRONLY)
    #expect(pwrite(file, "changed", 7, 0) == 7)
    close(file)
    #expect(readWholeFile(library.descriptor, limit: 1 << 20) == bytes)
    #expect(try error(path).message.contains("ELF"))
  }

  @Test func invalidLibraryIsRefused() throws {
    #expect(try error(folder.path("missing")).kind == .notFound)
    let size = try SampleLibrary.bytes().count
    let path = try folder.write("engine.so", SampleLibrary.bytes())
    #expect(
      try error(path, limit: UInt64(size - 1)).message
        == "it has \(size) bytes; expected at most \(size - 1); reduce its size")
    _ = try SealedLibrary(path: path, limit: UInt64(size))
    #expect(truncate(path, 513 << 20) == 0)
    #expect(try error(path).message.contains("expected at most 268435456"))
  }

  @Test func rewrittenFileDiffersFromTheOldOne() throws {
    let path = try folder.write("engine.so", SampleLibrary.bytes())
    let before = try LibraryFile(path: path).identity
    usleep(20_000)
    let file = open(path, O_WRONLY)
    #expect(pwrite(file, "x", 1, 20) == 1)
    // touch -d sets the modification time back.
    let written = timespec(
      tv_sec: Int(before.modified / 1_000_000_000), tv_nsec: Int(before.modified % 1_000_000_000))
    var times = [written, written]
    #expect(futimens(file, &times) == 0)
    close(file)
    let after = try LibraryFile(path: path).identity
    #expect(after.modified == before.modified && after.size == before.size)
    #expect(after != before && after.changed > before.changed)
  }
}

@Suite struct SHA256Tests {

  /// Lengths around block ends and random ones, whole and in pieces, from memory and files.
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
      #expect(SHA256Digest(of: bytes).description == sum, "\(name) bytes")
      var plain = tessera_sha256(isPlain: true)
      bytes.withUnsafeBytes { plain.add($0) }
      #expect(plain.digest().description == sum, "\(name) bytes without instructions")
      var pieces = tessera_sha256(isPlain: false)
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
      #expect(try SHA256Digest(ofDescriptor: file).description == sum, "a file of \(name) bytes")
    }
  }

  @Test func digitsAreReadInBothCases() throws {
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
