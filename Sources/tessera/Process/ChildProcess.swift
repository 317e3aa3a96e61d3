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
    case descriptor(Int32)
  }

  /// Runs a program and passes on its output as it comes.
  ///
  /// The program gets no descriptors but the standard ones, and the usual reactions to signals.
  ///
  /// - Parameters:
  ///   - program: A path, or the name of a program in `PATH`.
  ///   - input: The descriptor of its standard input; nothing by default.
  ///   - seconds: The time after which it is killed.
  ///   - received: Receives each piece of the output. If it throws, the program is killed.
  /// - Throws: `POSIXError` if the program cannot be started, and what `received` throws.
  static func run(
    _ program: String, _ arguments: [String],
    environment: [String: String] = ProcessEnvironment.values, input: Int32? = nil,
    errors: Errors = .nowhere, seconds: Int = .max,
    received: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws -> Ending {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.error(errno) }
    defer { close(ends[0]) }
    let identifier: pid_t
    do {
      defer { close(ends[1]) }
      identifier = try start(
        program, arguments, environment, input: input, output: ends[1], errors: errors)
    }
    do {
      if try !read(ends[0], seconds, received) { kill(identifier, SIGKILL) }
    } catch {
      kill(identifier, SIGKILL)
      _ = wait(for: identifier)
      throw error
    }
    return wait(for: identifier)
  }

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String], input: Int32?,
    output: Int32, errors: Errors
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
    case .descriptor(let errors): posix_spawn_file_actions_adddup2(&actions, errors, 2)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
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
    _ descriptor: Int32, _ seconds: Int, _ received: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let end = seconds == .max ? Int.max : now() + seconds * 1000
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = end == .max ? -1 : max(0, end - now())
      let found = poll(&ready, 1, Int32(clamping: left))
      if found == 0 { return false }
      let count = found < 0 ? -1 : Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return true }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw error(errno)
      }
      try piece.withUnsafeBytes { try received(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  private static func wait(for identifier: pid_t) -> Ending {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// Milliseconds of a clock that nobody sets.
  private static func now() -> Int { Int(SystemClock.nanoseconds() / 1_000_000) }

  private static func error(_ number: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}
