import FoundationEssentials
import Glibc
import TesseraHost

/// `tessera-pictures`, the program that uses libraries for pictures, in a process with few rights.
///
/// Each request starts it, so that a fault in a library ends only that request.
struct PictureProgram {
  /// A format that it draws.
  enum Format: String {
    case png, pdf
  }

  private let path: String

  /// - Throws: If it is not installed.
  init() throws(HostError) {
    path = try WorkerProgram.find("tessera-pictures", which: "draws PNG and PDF")
  }

  /// Draws an SVG document.
  ///
  /// - Parameters:
  ///   - scale: The pixels of a PNG for each unit of the document. A unit is a point in a PDF.
  ///   - svg: Writes the document.
  func draw(
    as format: Format, scale: Double, to output: BufferedOutput,
    svg: (BufferedOutput) throws -> Void
  ) throws {
    let scale = format == .png ? scale : 1
    let answer = try answer(to: ["draw", format.rawValue, "\(scale)"], input: svg)
    try answer.withUnsafeBytes { try output.write($0) }
  }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - request: The name of the request and its arguments.
  ///   - input: Writes what the program reads from standard input.
  func answer(to request: [String], input: (BufferedOutput) throws -> Void) throws -> Data {
    var answer = Data()
    try self.answer(to: request, input: input) { answer += $0 }
    return answer
  }

  /// Passes on the answer to a request as it comes.
  ///
  /// - Parameter received: Receives each piece, also of an answer that a failure ends.
  func answer(
    to request: [String], input: (BufferedOutput) throws -> Void,
    received: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let (sent, said) = (try TemporaryFile(), try TemporaryFile())
    let buffer = BufferedOutput(descriptor: sent.descriptor, name: "a temporary file")
    try input(buffer)
    try buffer.flush()
    lseek(sent.descriptor, 0, SEEK_SET)

    // What finds fonts, and nothing that configures a library otherwise.
    let environment = ProcessEnvironment.values.filter { name, _ in
      ["HOME", "LANG", "LD_LIBRARY_PATH"].contains(name)
        || ["XDG_", "LC_", "FONTCONFIG_"].contains(where: name.hasPrefix)
    }
    let ending: ChildProcess.Ending
    do {
      ending = try ChildProcess.run(
        path, request, environment: environment, input: sent.descriptor,
        errors: .descriptor(said.descriptor), received: received)
    } catch let error as POSIXError {
      throw CommandFailure(.software, "cannot start \(path): \(error.systemReason)")
    }
    guard case .status(let status) = ending else {
      throw CommandFailure(
        .software,
        "tessera-pictures was ended by signal \(ending.number): a picture needs too much memory or "
          + "time, or has a fault; give less of it")
    }
    guard status == 0 else {
      let sentence = said.text.split(separator: "\n").first.map(String.init)
      throw CommandFailure(
        CommandFailure.Status(rawValue: status) ?? .software,
        sentence ?? "tessera-pictures ended with status \(status)")
    }
  }
}

/// A file without a name, which ends with this object.
///
/// Unlike a pipe, it never makes two processes wait for each other.
private final class TemporaryFile {
  private let file: UnsafeMutablePointer<FILE>

  init() throws(CommandFailure) {
    guard let file = tmpfile() else {
      throw CommandFailure(
        .cannotCreate, "cannot create a temporary file: \(String(cString: strerror(errno)))")
    }
    self.file = file
  }

  deinit { fclose(file) }

  var descriptor: Int32 { fileno(file) }

  /// The start of the contents.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 2000)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
