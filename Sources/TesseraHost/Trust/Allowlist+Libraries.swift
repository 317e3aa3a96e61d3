import Glibc

extension Allowlist {
  /// What has become of a library since it was added.
  public enum State: String, Sendable {
    /// The file holds the bytes that were added.
    case unchanged
    /// The file holds other bytes, which are not allowed by this entry.
    case changed
    /// There is no file that can be read.
    case missing
  }

  /// What adding a library came to.
  public struct Addition: Sendable {
    /// The library as it is listed.
    public let entry: Entry
    /// Whether it was not listed before.
    public let isNew: Bool
  }

  /// Adds the library at a path, as it is now, to a file, which is made where it is missing.
  ///
  /// The file is inspected; nothing of it runs. It is listed by its path without symlinks.
  /// Complexity: O(*n*) in bytes.
  ///
  /// - Throws: `.notFound` where nothing lies at the path, `.cannotLoad` for what is no engine library,
  ///   and as `add(_:path:to:)`.
  public static func add(library path: String, to file: String) throws(HostError) -> Addition {
    let resolved = LibraryScan.resolve(path)
    let digest: SHA256Digest
    do throws(HostError) { digest = try SealedLibrary(path: resolved).digest } catch {
      throw HostError(error.kind, "\(path): \(error.message)")
    }
    let entry = Entry(digest: digest, path: resolved)
    let isNew = try !Allowlist(file: file).entries.contains(entry)
    try add(digest, path: resolved, to: file)
    return Addition(entry: entry, isNew: isNew)
  }
}

extension Allowlist.Entry {
  /// What has become of the library's file.
  ///
  /// Complexity: O(*n*) in its bytes.
  public func state() -> Allowlist.State {
    guard let file = try? LibraryFile(path: path),
      let found = try? SHA256.digest(ofFile: file.descriptor)
    else { return .missing }
    return found == digest ? .unchanged : .changed
  }
}
