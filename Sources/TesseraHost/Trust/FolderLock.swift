import Glibc

/// Keeps those who change what lies in a folder from doing so at the same time.
package enum FolderLock {
  /// Runs a body while nobody else who asks for the same changes a folder; makes the folder.
  ///
  /// - Parameter failure: The error for a number of the system's, where the folder cannot be made or
  ///   locked.
  /// - Throws: `.notAllowed` where others may change the folder, and what the body throws.
  package static func held<Answer>(
    _ folder: String, failure: (Int32) -> HostError, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    let number = StandardFolder.make(folder)
    guard number == 0 else { throw failure(number) }
    try FolderRule().check(folder: folder)
    // The folder itself is locked: a file of its own for that would have to be left behind.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(errno) }
    }
    return try body()
  }
}
