import ArgumentParser
import FoundationEssentials
import Glibc
import TesseraGeometry
import TesseraHost
import TesseraScenario

extension BufferedOutput {
  /// Writes a file, atomically if it is a regular one, or standard output if `path` is nil.
  public static func write<Result>(
    to path: String?, _ body: (BufferedOutput) throws -> Result
  ) throws -> Result {
    guard let path else { return try write(descriptor: STDOUT_FILENO, "standard output", body) }
    // A symlink stays.
    let target = LibraryScan.resolve(path)
    var status = stat()
    let exists = stat(target, &status) == 0
    guard exists && status.st_mode & S_IFMT != S_IFREG else {
      return try replace(target, mode: exists ? status.st_mode & 0o777 : nil, shown: path, body)
    }
    let descriptor = open(target, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    return try write(descriptor: descriptor, path, body)
  }

  /// Writes a result to standard output, as JSON or as text.
  package static func print(
    asJSON: Bool, _ json: @autoclosure () -> JSON, text: (BufferedOutput) throws -> Void
  ) throws {
    try write(to: nil) { output in
      if asJSON { try output.write(json().text + "\n") } else { try text(output) }
    }
  }

  /// Creates a folder and its parents if necessary.
  public static func createFolder(_ path: String) throws(HostError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw HostError(.unwritableFile, "cannot create the folder \(path): \(error.systemReason)")
    }
  }

  private static func write<Result>(
    descriptor: Int32, _ name: String, _ body: (BufferedOutput) throws -> Result
  ) throws -> Result {
    let output = BufferedOutput(descriptor: descriptor, name: name)
    let result = try body(output)
    try output.flush()
    return result
  }

  private static func replace<Result>(
    _ target: String, mode: mode_t?, shown: String, _ body: (BufferedOutput) throws -> Result
  ) throws -> Result {
    defer { Signals.forgetUnfinishedFile() }
    do {
      let file = try NewFile(replacing: target, mode: 0o666, named: Signals.rememberUnfinishedFile)
      if let mode { fchmod(file.descriptor, mode) }
      let result = try write(descriptor: file.descriptor, shown, body)
      try file.publish()
      return result
    } catch let error as SystemError { throw failure(shown, error.number) }
  }

  fileprivate static func failure(_ path: String, _ number: Int32) -> HostError {
    let sentence = SystemError(number: number).sentence(advice: nil)
    return HostError(.unwritableFile, "cannot write \(path): \(sentence)")
  }
}

/// A buffered writer of an open file.
public final class BufferedOutput {
  private let descriptor: Int32
  private let name: String
  private var buffer = TextBuffer(capacity: capacity)

  private static let capacity = 1 << 18

  /// The caller closes the file; `name` is for errors.
  public init(descriptor: Int32, name: String) { (self.descriptor, self.name) = (descriptor, name) }

  /// Whether this is standard output, on a terminal.
  public var isOnTerminal: Bool { descriptor == STDOUT_FILENO && Terminal.showsResults }

  /// Standard output.
  public static func standard() -> BufferedOutput {
    BufferedOutput(descriptor: STDOUT_FILENO, name: "standard output")
  }

  /// Appends text.
  public func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a line that may contain untrusted text.
  public func writeLine(_ text: String) throws { try write(text.visible + "\n") }

  /// Appends bytes.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    if bytes.count >= Self.capacity / 8 {
      try flush()
      try send(bytes)
    } else {
      buffer.append(bytes)
    }
  }

  /// Writes the buffer to the file.
  public func flush() throws {
    try buffer.withBytes(send)
    buffer.removeAll()
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EPIPE {
        // A closed pipe is not an error of this command.
        throw ExitCode.success
      } else if errno != EINTR {
        throw Self.failure(name, errno)
      }
    }
  }
}
