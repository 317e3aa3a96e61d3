import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// A library that cannot change between its check and its use.
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
    #expect(library.digest == SHA256.digest(of: bytes))
    #expect(library.inspection == (try LibraryInspection.inspect(path: path)))
    #expect(library.identity.size == UInt64(bytes.count))
    #expect(WholeFile.read(library.descriptor, limit: 1 << 20) == bytes)
    let name = try FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(library.descriptor)")
    #expect(name.contains("engine.so"))
    #expect(fcntl(library.descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func nobodyCanChangeIt() throws {
    let bytes = try SampleLibrary.bytes()
    let library = try SealedLibrary(path: folder.write("engine.so", bytes))
    let file = library.descriptor
    #expect(pwrite(file, "x", 1, 0) == -1 && errno == EPERM)
    #expect(ftruncate(file, 10) == -1 && errno == EPERM)
    #expect(ftruncate(file, off_t(bytes.count) + 10) == -1 && errno == EPERM)
    let mapped = mmap(nil, bytes.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    #expect(mapped == MAP_FAILED)
    // Not through a descriptor of its own either.
    let again = open("/proc/self/fd/\(file)", O_RDWR)
    if again >= 0 {
      #expect(pwrite(again, "x", 1, 0) == -1)
      close(again)
    }
    #expect(WholeFile.read(file, limit: 1 << 20) == bytes)
  }

  @Test func theFileMayChangeAfterwards() throws {
    let bytes = try SampleLibrary.bytes()
    let path = try folder.write("engine.so", bytes)
    let library = try SealedLibrary(path: path)
    let file = open(path, O_WRONLY)
    #expect(pwrite(file, "changed", 7, 0) == 7)
    close(file)
    #expect(WholeFile.read(library.descriptor, limit: 1 << 20) == bytes)
    #expect(try error(path).message.contains("ELF"))
  }

  @Test func itsDescriptorIsClosedWithIt() throws {
    var library: SealedLibrary? = try SealedLibrary(
      path: folder.write("engine.so", SampleLibrary.bytes()))
    let file = try #require(library?.descriptor)
    var before = stat()
    #expect(fstat(file, &before) == 0)
    library = nil
    // Another test may have got the number meanwhile, but not the file.
    var after = stat()
    #expect(fstat(file, &after) == -1 || after.st_ino != before.st_ino)
  }

  /// Whatever is written meanwhile, what comes out is one of the states or an error.
  @Test func aFileThatChangesMeanwhileIsTakenInNoMixture() throws {
    let one = try SampleLibrary.bytes() + Array(repeating: UInt8(1), count: 400_000)
    let two = try SampleLibrary.bytes() + Array(repeating: UInt8(2), count: 400_000)
    let path = try folder.write("engine.so", one)
    let digests = [SHA256.digest(of: one), SHA256.digest(of: two)]
    let stop = Flag()
    let writer = Thread {
      let file = open(path, O_WRONLY)
      var round = 0
      while !stop.isSet {
        let bytes = round % 2 == 0 ? two : one
        _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        round += 1
        usleep(useconds_t(round % 5) * 300)
      }
      close(file)
      stop.finish()
    }
    writer.start()
    defer { stop.set() }
    var taken = 0
    var refused = 0
    for _ in 0..<60 {
      switch Result(catching: { () throws(HostError) in try SealedLibrary(path: path) }) {
      case .success(let library):
        taken += 1
        // The clock of a file system ticks every few milliseconds: a write within the tick of the
        // one before cannot be told, so bytes of both may be there, but what was summed is what is
        // held.
        #expect(library.digest == (try SHA256.digest(ofFile: library.descriptor)))
      case .failure(let error):
        refused += 1
        #expect(error.message == "it changed while it was read; try again")
      }
    }
    #expect(taken + refused == 60)
    stop.set()
    stop.waitUntilFinished()
    let rested = try SealedLibrary(path: path)
    #expect(digests.contains(rested.digest))
  }

  @Test func whatIsNoLibraryIsRefusedInASentence() throws {
    #expect(try error(folder.path("missing")).kind == .notFound)
    #expect(
      try error(folder.path) == HostError(.cannotLoad, "it is a folder; expected a library file"))
    #expect(mkfifo(folder.path("pipe.so"), 0o600) == 0)
    #expect(try error(folder.path("pipe.so")).message.contains("a pipe, a socket or a device"))
    #expect(try error(folder.write("text.so", "hello")).kind == .cannotLoad)
    let size = try SampleLibrary.bytes().count
    let path = try folder.write("engine.so", SampleLibrary.bytes())
    #expect(
      try error(path, limit: UInt64(size - 1)).message
        == "it has \(size) bytes; expected at most \(size - 1); "
        + "link it without what it need not hold")
    _ = try SealedLibrary(path: path, limit: UInt64(size))
    #expect(truncate(path, 513 << 20) == 0)
    #expect(try error(path).message.contains("expected at most 536870912"))
  }

  @Test func aRewrittenFileCannotPassForTheOldOne() throws {
    let path = try folder.write("engine.so", SampleLibrary.bytes())
    let before = try LibraryFile(path: path).identity
    usleep(20_000)
    let file = open(path, O_WRONLY)
    #expect(pwrite(file, "x", 1, 20) == 1)
    // As touch -d does: the time of writing is set back.
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

/// Ends a thread of a test and waits for its end.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var stopped = false
  private let finished = DispatchSemaphore(value: 0)

  var isSet: Bool { lock.withLock { stopped } }
  func set() { lock.withLock { stopped = true } }
  func finish() { finished.signal() }
  func waitUntilFinished() { finished.wait() }
}
