import CTesseraSystem
import Glibc

/// Atomically replaces a file once complete.
///
/// Unnamed until then, so it vanishes if the process ends; some file systems need a temporary name.
package struct NewFile: ~Copyable {
  package let descriptor: Int32
  /// Removed if the process is interrupted.
  package let temporary: String
  private let target: String
  private var hasName: Bool

  /// - Parameter named: Called with `temporary` before that path can exist.
  package init(
    replacing target: String, mode: mode_t, named: (String) -> Void = { _ in }
  ) throws(SystemError) {
    self.target = target
    let random = String(UInt64.random(in: 0 ... .max), radix: 16)
    // Scans ignore this name, as it doesn't end in .so.
    temporary = "\(target).\(random).unfinished"
    named(temporary)
    let end = target.lastIndex(of: "/")
    let folder = end.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let nameless = tessera_file_without_name(folder, UInt32(mode))
    hasName = nameless < 0
    descriptor = hasName ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) : nameless
    guard descriptor >= 0 else { throw SystemError(number: errno) }
  }

  /// Throws errno.
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

  /// Ignores the umask.
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

package struct SystemError: Error {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// "No space left on device; free space there".
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
