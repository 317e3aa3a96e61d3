import Glibc

/// The reader of our output went away, which is no failure of ours.
struct BrokenPipe: Error {}

/// An open file that is written through a buffer.
final class BufferedOutput {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []

  private static let capacity = 1 << 18

  /// - Parameters:
  ///   - descriptor: open for writing; stays the caller's.
  ///   - name: what to call it in an error.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    buffer.reserveCapacity(Self.capacity)
  }

  /// Standard output.
  static func standard() -> BufferedOutput {
    BufferedOutput(descriptor: STDOUT_FILENO, name: "standard output")
  }

  /// Appends text; it reaches the file when the buffer is full, or with `flush`.
  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Appends bytes; they reach the file when the buffer is full, or with `flush`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    if bytes.count >= Self.capacity {
      try send(bytes)
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  /// Hands everything to the file.
  func flush() throws {
    try buffer.withUnsafeBytes(send)
    buffer.removeAll(keepingCapacity: true)
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EPIPE {
        throw BrokenPipe()
      } else if errno != EINTR {
        throw CommandFailure(
          .cannotCreate, "cannot write \(name): \(String(cString: strerror(errno)))")
      }
    }
  }
}
