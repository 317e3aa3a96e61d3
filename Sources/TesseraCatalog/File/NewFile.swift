import CTesseraSystem
import Glibc

/// A file that others see complete or not at all, and that replaces an older one.
///
/// It has no name until it is complete, so that nothing is left of it, whatever ends the process. Where a
/// file system has no such files, it has a temporary name beside the target.
package struct NewFile: ~Copyable {
  /// Open for writing.
  package let descriptor: Int32
  /// A path that the file may have before it has that of the target, and that the process removes if it is
  /// interrupted.
  package let temporary: String
  private let target: String
  private var hasName: Bool

  /// Creates an empty file.
  ///
  /// - Parameters:
  ///   - target: Where it is to be.
  ///   - mode: Its permissions, less those of the umask.
  ///   - named: Called with `temporary` before that path can exist.
  /// - Throws: The system's error number.
  package init(
    replacing target: String, mode: mode_t, named: (String) -> Void = { _ in }
  ) throws(SystemError) {
    self.target = target
    let random = String(UInt64.random(in: 0 ... .max), radix: 16)
    // The name does not end in .so, so scans ignore the file.
    temporary = "\(target).\(random).unfinished"
    named(temporary)
    let end = target.lastIndex(of: "/")
    let folder = end.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let nameless = tessera_file_without_name(folder, UInt32(mode))
    hasName = nameless < 0
    descriptor = hasName ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) : nameless
    guard descriptor >= 0 else { throw SystemError(number: errno) }
  }

  /// Gives the file the path of its target, and closes it; throws the system's error number.
  package consuming func publish() throws(SystemError) {
    if hasName {
      // Some file systems report a full disk only then.
      guard fsync(descriptor) == 0 else { throw SystemError(number: errno) }
    } else {
      if tessera_file_name(descriptor, target) == 0 { return }
      guard errno == EEXIST, tessera_file_name(descriptor, temporary) == 0 else {
        throw SystemError(number: errno)
      }
      hasName = true
    }
    guard rename(temporary, target) == 0 else { throw SystemError(number: errno) }
    hasName = false
  }

  deinit {
    close(descriptor)
    if hasName { unlink(temporary) }
  }

  /// Writes a whole file, with these permissions regardless of the umask.
  package static func write(
    _ bytes: [UInt8], replacing target: String, mode: mode_t
  ) throws(SystemError) {
    let file = try NewFile(replacing: target, mode: 0o600)
    var failure = writeWholeFile(bytes, to: file.descriptor)
    if failure == 0, fchmod(file.descriptor, mode) != 0 || fsync(file.descriptor) != 0 {
      failure = errno
    }
    guard failure == 0 else { throw SystemError(number: failure) }
    try file.publish()
  }
}

/// An error number of the system.
package struct SystemError: Error {
  /// The value of errno.
  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// What happened and what to do about it: "No space left on device; free space there".
  ///
  /// - Parameter advice: What to do about an error that is not a lack of space.
  package func sentence(advice: String?) -> String {
    let message = systemMessage(number)
    switch number {
    case ENOSPC: return "the disk is full (\(message)); free space there"
    case EDQUOT: return "your share of the disk is full (\(message)); free space there"
    case EFBIG: return "\(message); raise the limit on the size of files (ulimit -f)"
    default: return advice.map { "\(message); \($0)" } ?? message
    }
  }
}
