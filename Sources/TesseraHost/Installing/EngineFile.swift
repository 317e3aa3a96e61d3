import Glibc

/// A library that is to be installed, as it was when it was looked at.
public struct EngineFile: Sendable {
  /// The path that it was given by.
  public let path: String
  /// The engines that it holds, in the order registered.
  public let engines: [EngineDescription]

  /// The name that it gets in a folder: its own file's.
  let name: String
  let digest: SHA256Digest

  /// Inspects a library and asks it, in a worker, what it holds.
  ///
  /// - Throws: `.notFound` where nothing lies at the path; `.cannotLoad`, `.notAllowed` and `.died` for
  ///   one that the host refuses; `.invalidInput` for a file's name that no scan finds.
  public init(path: String, host: Host) throws(HostError) {
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    guard name.hasSuffix(".so"), name.count > 3 else {
      throw HostError(
        .invalidInput, "\(path) does not end in .so, as a library that is found has to; rename it")
    }
    do throws(HostError) {
      let library = try host.runtime.library(at: LibraryScan.resolve(path))
      digest = library.digest
      engines = try host.runtime.descriptions(of: library)
    } catch { throw HostError(error.kind, "\(path): \(error.message)") }
  }

  /// Writes the bytes that were looked at to a new file.
  ///
  /// - Throws: `.cannotLoad` where the library has changed since, `.cannotWrite`.
  func write(to new: String) throws(HostError) {
    let library: SealedLibrary
    do throws(HostError) { library = try SealedLibrary(path: LibraryScan.resolve(path)) } catch {
      throw HostError(error.kind, "\(path): \(error.message)")
    }
    guard library.digest == digest else {
      throw HostError(.cannotLoad, "\(path) has changed while it was looked at; try again")
    }
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.unwritable(new, errno) }
    defer { close(descriptor) }
    let bytes = WholeFile.read(library.descriptor, limit: Int(SealedLibrary.sizeLimit)) ?? []
    var failure = WholeFile.write(bytes, to: descriptor)
    // Whatever the mask: others may read it, and nobody else may write to it.
    if failure == 0, fchmod(descriptor, 0o644) != 0 || fsync(descriptor) != 0 { failure = errno }
    guard failure == 0 else { throw Self.unwritable(new, failure) }
  }

  static func unwritable(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .cannotWrite, "\(path) cannot be written: \(systemMessage(number)); make its folder writable")
  }
}
