import CTesseraSystem
import FoundationEssentials
import Glibc
import TesseraHost

/// Runs a program and waits for it.
public enum ChildProcess {
  /// How a program ended.
  public enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)

    /// The status or the signal.
    public var number: Int32 {
      switch self {
      case .status(let number), .signal(let number): number
      }
    }
  }

  /// The destination of standard error.
  public enum Errors {
    case nowhere
    case withOutput
    case received((UnsafeRawBufferPointer) -> Void)
  }

  /// A time after which a program is killed.
  public final class Deadline {
    private let seconds: Int
    private var end: Int

    /// Creates a deadline in seconds from now.
    public init(seconds: Int) {
      self.seconds = seconds
      end = ChildProcess.now() + seconds * 1000
    }

    /// Restarts the time from now.
    public func renew() { end = ChildProcess.now() + seconds * 1000 }

    /// Milliseconds.
    fileprivate var left: Int { max(0, end - ChildProcess.now()) }
    /// Whether the time is over.
    public var hasPassed: Bool { left == 0 }
  }

  /// Runs a program in its own session and passes on its output; throws `POSIXError`.
  ///
  /// - Parameters:
  ///   - program: A path or a name in `PATH`.
  ///   - input: The descriptor of standard input; empty by default.
  ///   - deadline: When to kill it; with one, also soon after the end of its output.
  ///   - follows: Kill it and its children when this process ends.
  ///   - received: If this throws, the program is killed.
  public static func run(
    _ program: String, _ arguments: [String],
    environment: [String: String] = ProcessEnvironment.values, input: Int32? = nil,
    errors: Errors = .nowhere, deadline: Deadline? = nil, follows: Bool = true,
    received: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws -> Ending {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.error(errno) }
    defer { close(ends[0]) }
    var errorEnds: [Int32] = [-1, -1]
    var receive: ((UnsafeRawBufferPointer) -> Void)?
    if case .received(let function) = errors {
      receive = function
      guard pipe(&errorEnds) == 0 else { throw Self.error(errno) }
      _ = fcntl(errorEnds[0], F_SETFL, O_NONBLOCK)
    }
    defer { if errorEnds[0] >= 0 { close(errorEnds[0]) } }
    let errorsEnd =
      switch errors {
      case .nowhere: Int32(-1)
      case .withOutput: ends[1]
      case .received: errorEnds[1]
      }
    let started = Result {
      try start(
        program, arguments, environment, follows: follows, [input ?? -1, ends[1], errorsEnd])
    }
    close(ends[1])
    if errorEnds[1] >= 0 { close(errorEnds[1]) }
    let identifier = try started.get()
    let isInTime: Bool
    do {
      isInTime = try read(ends[0], errorEnds[0], receive, deadline, received)
    } catch {
      _ = end(identifier, after: 0)
      throw error
    }
    let rest = isInTime ? (deadline == nil ? Int64.max : nanosecondsToEnd) : 0
    let ending = end(identifier, after: follows ? rest : nil)
    if let receive { _ = pass(errorEnds[0], to: receive) }
    return ending
  }

  /// After the end of the output.
  private static let nanosecondsToEnd: Int64 = 2_000_000_000

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String], follows: Bool,
    _ descriptors: [Int32]
  ) throws -> pid_t {
    // C would truncate it there.
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else { throw error(EINVAL) }
    let (words, variables) = (
      ([program] + arguments).map { strdup($0) } + [nil],
      environment.map { strdup("\($0)=\($1)") } + [nil]
    )
    defer { for text in words + variables { free(text) } }
    let identifier = tessera_child_start(program, words, variables, descriptors, follows ? 1 : 0)
    guard identifier > 0 else { throw error(errno) }
    return identifier
  }

  /// False on timeout.
  private static func read(
    _ output: Int32, _ errors: Int32, _ receive: ((UnsafeRawBufferPointer) -> Void)?,
    _ deadline: Deadline?,
    _ received: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var ready = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let left = deadline?.left ?? -1
      if left == 0 { return false }
      let found = poll(&ready, 2, Int32(clamping: left))
      if found == 0 { continue }
      if found > 0, ready[1].revents != 0, let receive, !pass(errors, to: receive) {
        ready[1].fd = -1
      }
      if found > 0, ready[0].revents == 0 { continue }
      let count = found < 0 ? -1 : Glibc.read(output, &piece, piece.count)
      if count == 0 { return true }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw error(errno)
      }
      try piece.withUnsafeBytes { try received(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Passes on pending errors; false at their end.
  private static func pass(
    _ errors: Int32, to receive: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(errors, &piece, piece.count)
    if count > 0 {
      piece.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
  }

  /// Kills the program and its children after a time; never if nil.
  private static func end(_ identifier: pid_t, after nanoseconds: Int64?) -> Ending {
    var status: Int32 = 0
    if let nanoseconds {
      var usage = tessera_worker_usage()
      status = tessera_worker_end(identifier, nanoseconds, &usage)
    } else {
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }
    return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// Monotonic time in ms.
  private static func now() -> Int { Int(monotonicNanoseconds() / 1_000_000) }

  private static func error(_ number: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}
