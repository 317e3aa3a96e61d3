import Glibc

extension SHA256Digest {
  /// The digest of a file as it is now.
  ///
  /// - Throws: `.notFound` where it cannot be read.
  public init(ofFile path: String) throws(HostError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HostError(.notFound, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    self = try SHA256.digest(ofFile: descriptor)
  }
}
