import FoundationEssentials
import Glibc
import TesseraHost

/// A program that the command runs, and waits for.
enum ChildProcess {
  /// How a program ended.
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)

    /// The status, or the number of the signal.
    var number: Int32 {
      switch self {
      case .status(let number), .signal(let number): number
      }
    }
  }

  /// Where the program's errors go.
  enum Errors {
    case nowhere
    case withOutput
    case received((UnsafeRawBufferPointer) -> Void)
  }

  /// A time after which a program is killed.
  final class Deadline {
    private let seconds: Int
    private var end: Int

    init(seconds: Int) {
      self.seconds = seconds
      end = ChildProcess.now() + seconds * 1000
    }

    /// Gives as much time again, from now.
    func renew() { end = ChildProcess.now() + seconds * 1000 }

    /// Milliseconds.
    fileprivate var left: Int { max(0, end - ChildProcess.now()) }
    var hasPassed: Bool { left == 0 }
  }

  /// Runs a program and passes on its output as it comes.
  ///
  /// The program gets no descriptors but the standard ones, and the usual reactions to signals.
  ///
  /// - Parameters:
  ///   - program: A path, or the name of a program in `PATH`.
  ///   - input: The descriptor of its standard input; nothing by default.
  ///   - deadline: When it is killed. With one, it is also killed soon after the end of its output.
  ///   - received: Receives each piece of the output. If it throws, the program is killed.
  /// - Throws: `POSIXError` if the program cannot be started, and what `received` throws.
  static func run(
    _ program: String, _ arguments: [String],
    environment: [String: String] = ProcessEnvironment.values, input: Int32? = nil,
    errors: Errors = .nowhere, deadline: Deadline? = nil,
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
    let identifier: pid_t
    do {
      defer {
        close(ends[1])
        if errorEnds[1] >= 0 { close(errorEnds[1]) }
      }
      identifier = try start(
        program, arguments, environment, input: input, output: ends[1],
        errors: errorEnds[1] >= 0 ? errorEnds[1] : nil, errors)
    }
    do {
      if try !read(ends[0], errorEnds[0], receive, deadline, received) { kill(identifier, SIGKILL) }
    } catch {
      kill(identifier, SIGKILL)
      _ = wait(for: identifier)
      throw error
    }
    let ending = wait(for: identifier, atMost: deadline == nil ? nil : Self.millisecondsToEnd)
    if let receive { _ = pass(errorEnds[0], to: receive) }
    return ending
  }

  /// The time from the end of a program's output to its own.
  private static let millisecondsToEnd = 2000

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String], input: Int32?,
    output: Int32, errors errorsEnd: Int32?, _ errors: Errors
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    switch errors {
    case .nowhere: posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    case .withOutput: posix_spawn_file_actions_adddup2(&actions, output, 2)
    case .received: posix_spawn_file_actions_adddup2(&actions, errorsEnd ?? 2, 2)
    }
    guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      throw error(EMFILE)
    }
    for name in open {
      if let number = Int32(name), number > 2 {
        posix_spawn_file_actions_addclose(&actions, number)
      }
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var identifier: pid_t = 0
    var (words, variables) = (
      ([program] + arguments).map { strdup($0) } + [nil],
      environment.map { strdup("\($0)=\($1)") } + [nil]
    )
    defer { for text in words + variables { free(text) } }
    let status = posix_spawnp(&identifier, program, &actions, &attributes, &words, &variables)
    guard status == 0 else { throw error(status) }
    return identifier
  }

  /// Reads until the end; returns false if the time is up before.
  private static func read(
    _ output: Int32, _ errors: Int32, _ receive: ((UnsafeRawBufferPointer) -> Void)?,
    _ deadline: Deadline?,
    _ received: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    // A negative descriptor is ignored.
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

  /// Passes on what a program has written to its errors by now; returns false at their end.
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

  /// - Parameter milliseconds: When it is killed; never by default.
  private static func wait(for identifier: pid_t, atMost milliseconds: Int? = nil) -> Ending {
    var status: Int32 = 0
    if let milliseconds {
      let end = now() + milliseconds
      while true {
        let found = waitpid(identifier, &status, WNOHANG)
        if found == identifier { return ending(status) }
        if found == 0, now() >= end { break }
        usleep(500)
      }
      kill(identifier, SIGKILL)
    }
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return ending(status)
  }

  private static func ending(_ status: Int32) -> Ending {
    status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// Milliseconds of a clock that nobody sets.
  private static func now() -> Int { Int(monotonicNanoseconds() / 1_000_000) }

  private static func error(_ number: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}
