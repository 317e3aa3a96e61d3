import Glibc

/// Reads and writes the file of an allowlist.
enum AllowlistFile {
  /// What a file holds, or nil where there is none.
  ///
  /// - Throws: `.notAllowed` where others may change it, `.invalidInput` for one that is too large or
  ///   no text, `.notFound` where it cannot be read.
  static func text(of path: String, limit: Int) throws(HostError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw HostError(.notFound, "the allowlist \(path) cannot be read: \(systemMessage(errno))")
    }
    defer { close(descriptor) }
    try FolderRule().check(file: path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular, status.st_size <= limit
    else {
      throw HostError(
        .invalidInput,
        "the allowlist \(path) is no file of at most \(limit) bytes; mend or remove it")
    }
    guard let bytes = WholeFile.read(descriptor, limit: limit) else {
      throw HostError(.notFound, "the allowlist \(path) cannot be read: \(systemMessage(errno))")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.invalidInput, "the allowlist \(path) is not UTF-8; encode it so")
    }
    return text
  }

  /// Runs a body while nobody else changes what lies in the folder of a file; makes the folder.
  ///
  /// - Throws: `.cannotWrite` where the folder cannot be made or locked, `.notAllowed` where others
  ///   may change it, and what the body throws.
  static func locked<Answer>(
    _ path: String, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    try FolderLock.held(folder(of: path), failure: { unwritable(path, $0) }, body)
  }

  /// Puts a text in the place of what a file holds, all at once.
  ///
  /// - Throws: `.cannotWrite` where that fails; the file is then as it was.
  static func replace(_ path: String, with text: String) throws(HostError) {
    // A symlink stays one: what it leads to is replaced.
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let target = resolved.map { String(cString: $0) } ?? path
    let beside = "\(target).\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    var failure = WholeFile.write(Array(text.utf8), to: descriptor)
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    if failure == 0, rename(beside, target) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(beside)
      throw unwritable(path, failure)
    }
  }

  private static func folder(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func unwritable(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .cannotWrite,
      "the allowlist \(path) cannot be written: \(systemMessage(number)); make it writable, or name "
        + "another one")
  }
}
