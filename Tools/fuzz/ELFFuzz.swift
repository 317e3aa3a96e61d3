// Feeds the inputs of libFuzzer to the inspection of library files.

import Glibc
@testable import TesseraCatalog

/// An unlinked file with the current input.
private let descriptor: CInt = {
  let path = "/dev/shm/tessera-fuzz-\(getpid())"
  defer { unlink(path) }
  return open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
}()
private let path = "/proc/self/fd/\(descriptor)"

/// Reads one input.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  precondition(ftruncate(descriptor, off_t(size)) == 0)
  precondition(pwrite(descriptor, data, size, 0) == size)
  do throws(HostError) {
    precondition(try ABIVersion(ofLibrary: LibraryFile(path: path)) == .current)
  } catch {
    precondition(error.kind == .cannotLoad && error.message.hasPrefix("it"))
  }
  return 0
}
