import FoundationEssentials
import Glibc

extension String {
  var inputName: String { self == "-" ? "standard input" : self }

  /// Bytes, as in the longest table.
  private static let mostInput = 1 << 31

  /// Returns the bytes of the file at this path, or standard input for "-".
  ///
  /// Opened once, so the checked file is the one read. Throws `.notFound`, or `.invalidInput` for a
  /// path with a NUL or more than 2 GiB.
  public func inputBytes() throws(HostError) -> Data {
    if self == "-" { return try bytes(of: STDIN_FILENO) }
    guard !utf8.contains(0) else {
      throw HostError(.invalidValue, "the path \(quoted(self)) has a NUL character; give another")
    }
    let descriptor = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { throw noFile }
    return try bytes(of: descriptor)
  }

  private func bytes(of descriptor: Int32) throws(HostError) -> Data {
    var (memory, capacity, count) = (UnsafeMutableRawPointer?.none, 0, 0)
    while true {
      if count == capacity {
        capacity = min(max(1 << 16, 2 * capacity), Self.mostInput + 1)
        guard let larger = realloc(memory, capacity) else {
          free(memory)
          throw .noMemory(for: capacity, size: 1)
        }
        memory = larger
      }
      let more = Glibc.read(descriptor, memory! + count, capacity - count)
      if more < 0, errno == EINTR { continue }
      let reason = errno
      count += max(0, more)
      guard more > 0, count <= Self.mostInput else {
        let bytes = Data(bytesNoCopy: memory!, count: count, deallocator: .free)
        if more < 0 { throw unreadable(reason) }
        guard count <= Self.mostInput else {
          throw HostError(.invalidValue, "\(inputName) has more than 2 GiB; divide it")
        }
        return bytes
      }
    }
  }

  private func unreadable(_ reason: Int32) -> HostError {
    // A socket.
    if reason == ENXIO { return noFile }
    return HostError(.fileNotFound, "\(inputName) cannot be read: \(systemMessage(reason))")
  }

  private var noFile: HostError {
    HostError(
      .fileNotFound,
      "\(self) is a pipe, a socket or a device; give a file, or - to read standard input")
  }
}

extension StringProtocol {
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[start...last]))
  }
}

extension StringProtocol {
  /// Nil for hexadecimals and "nan"; may have spaces around.
  package var decimal: Double? {
    let bytes = utf8.drop { $0 == 0x20 }
    guard
      bytes.allSatisfy({
        $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 | 0x20 == 0x65
          || $0 == 0x20
      })
    else { return nil }
    var digits = String(self)[...]
    while digits.first == " " { digits.removeFirst() }
    while digits.last == " " { digits.removeLast() }
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }

  package var decimalWithComma: Double? {
    contains(".") ? nil : String(self).replacing(",", with: ".", maxReplacements: 1).decimal
  }
}

extension Error {
  /// Such as "Permission denied".
  package var systemReason: String {
    if let error = self as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return (self as? CocoaError)?.underlying?.systemReason ?? "\(self)"
  }
}
