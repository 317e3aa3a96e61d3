import FoundationEssentials
import Glibc
import Synchronization
import TesseraHost

/// `tessera-pictures`, which runs picture libraries in a sandbox, one process per request.
public struct PictureProgram {
  private let path: String

  /// Throws if the program is not installed.
  public init() throws(HostError) {
    do throws(HostError) {
      path = try findProgram("tessera-pictures", which: "draws PNG and PDF")
    } catch {
      throw HostError(
        error.code,
        "PNG, PDF and picture files need the program tessera-pictures, which is neither beside this command "
          + "nor in ../libexec/tessera; install it, or write .svg or .html")
    }
  }

  /// Draws an SVG document as PNG or PDF; `scale` is the pixels of a PNG per unit.
  public func draw(
    as format: LayoutFormat, scale: Double, to output: BufferedOutput,
    svg: (BufferedOutput) throws -> Void
  ) throws {
    let scale = format == .png ? scale : 1
    let answer: Data
    do {
      answer = try self.answer(to: ["draw", format.rawValue, "\(scale)"], input: svg)
    } catch let error as POSIXError where error.code == .ETIMEDOUT {
      throw HostError(
        .crashed, "tessera-pictures did not draw this within \(Self.drawingSeconds) s; draw less")
    }
    try answer.withUnsafeBytes { try output.write($0) }
  }

  /// The result of a request.
  public func answer(to request: [String], input: (BufferedOutput) throws -> Void) throws -> Data {
    var answer = Data()
    try self.answer(to: request, input: input) { answer += $0 }
    return answer
  }

  /// Passes on a request's output as it arrives, and warns once if the sandbox isn't full.
  public func answer(
    to request: [String], input: (BufferedOutput) throws -> Void,
    deadline: ChildProcess.Deadline = .init(seconds: drawingSeconds),
    received: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let grade = try run(request, input: input, deadline: deadline, received: received)
    if !grade.isFull { Self.warn(of: grade) }
  }

  private func run(
    _ request: [String], input: (BufferedOutput) throws -> Void, deadline: ChildProcess.Deadline,
    received: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> PictureSandbox {
    // A pipe could deadlock, a file can't.
    guard let file = tmpfile() else {
      throw HostError(
        .unwritableFile, "cannot create a temporary file: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    let sent = fileno(file)
    var said: [UInt8] = []
    var grade = PictureSandbox.none
    // The possible first line; nil after it.
    var start: [UInt8]? = []
    func passStart() throws {
      guard let rest = start else { return }
      start = nil
      if !rest.isEmpty { try rest.withUnsafeBytes { try received($0) } }
    }
    let buffer = BufferedOutput(descriptor: sent, name: "a temporary file")
    try input(buffer)
    try buffer.flush()
    lseek(sent, 0, SEEK_SET)

    // Only variables for finding fonts.
    let environment = ProcessEnvironment.values.filter { name, _ in
      ["HOME", "LANG", "LD_LIBRARY_PATH"].contains(name)
        || ["XDG_", "LC_", "FONTCONFIG_"].contains(where: name.hasPrefix)
    }
    let ending: ChildProcess.Ending
    do {
      ending = try ChildProcess.run(
        path, request + ["grade"], environment: environment, input: sent,
        errors: .received { said = (said + $0).suffix(2000) }, deadline: deadline
      ) { piece in
        guard start != nil else { return try received(piece) }
        start! += piece
        let mark = Array("sandbox ".utf8)
        if start!.prefix(mark.count).elementsEqual(mark.prefix(start!.count)) {
          guard let end = start!.prefix(100).firstIndex(of: 0x0A) else {
            return start!.count < 100 ? () : try passStart()
          }
          if let stated = PictureSandbox(line: String(decoding: start![..<end], as: UTF8.self)) {
            grade = stated
            start!.removeFirst(end + 1)
          }
        }
        try passStart()
      }
    } catch let error as POSIXError {
      throw HostError(.crashed, "cannot start \(path): \(error.systemReason)")
    }
    try passStart()
    guard case .status(let status) = ending else {
      guard !deadline.hasPassed else { throw POSIXError(.ETIMEDOUT) }
      throw HostError(
        .crashed,
        "tessera-pictures was ended by signal \(ending.number): a picture needs too much memory or "
          + "time, or has a fault; give less of it")
    }
    guard status == 0 else {
      // Libraries may print before the sentence.
      let sentence = String(decoding: said, as: UTF8.self).split(separator: "\n").last.map {
        UntrustedText.onOneLine(String($0))
      }
      throw HostError(
        HostError.Code.allCases.first { $0.kind.status == status } ?? .exited,
        sentence ?? "tessera-pictures ended with status \(status)")
    }
    return grade
  }

  /// The sandbox grade of the program.
  public func grade() throws -> PictureSandbox {
    try run(["grade"], input: { _ in }, deadline: .init(seconds: 10), received: { _ in })
  }

  /// The grade, or why the program doesn't run.
  public static func trial() -> Result<PictureSandbox, HostError> {
    do { return .success(try PictureProgram().grade()) } catch {
      let failure = error as? HostError
      return .failure(failure ?? HostError(.hung, "tessera-pictures does not respond"))
    }
  }

  /// The time limit of a drawing.
  public static let drawingSeconds = 120

  private static let hasWarned = Mutex(false)

  private static func warn(of grade: PictureSandbox) {
    guard hasWarned.withLock({ warned in (warned, warned = true).0 }) == false else { return }
    Diagnostics.say("warning: the sandbox of tessera-pictures is \(grade)")
  }
}

/// The grade of the sandbox, reported before any library is loaded.
public struct PictureSandbox: Equatable, Sendable, CustomStringConvertible {
  /// `full`, `reduced`, or `none` if not reported.
  public let name: String
  /// The missing features.
  public let missing: [String]

  static let none = PictureSandbox(name: "none", missing: [])

  /// Whether nothing is missing.
  public var isFull: Bool { name == "full" }

  /// The grade and the missing features.
  public var description: String {
    missing.isEmpty ? name : "\(name): \(missing.joined(separator: ", "))"
  }
}

extension PictureSandbox {
  /// - Parameter line: `sandbox full`, or `sandbox reduced` and the missing features.
  fileprivate init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1, words[0] == "sandbox", ["full", "reduced"].contains(words[1]) else {
      return nil
    }
    self.init(name: words[1], missing: Array(words.dropFirst(2)))
  }
}
