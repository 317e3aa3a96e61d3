import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// Why a worker's process ended.
package enum WorkerExit {
  /// A call took longer than its time limit, alone or with earlier calls for the same question.
  case deadline(seconds: Double, earlierCalls: Int? = nil)
  /// It used more memory of all kinds than its limit.
  case usedMemory(tessera_usage, limit: UInt64)
  /// It had more threads than its limit.
  case threads(limit: UInt32)
  /// It reached its limit of private memory and then crashed with a signal.
  case memory(limit: UInt64, signal: Int32)
  /// It reached its limit of private memory and then did not return in time.
  case memoryAndDeadline(limit: UInt64, seconds: Double)
  /// It used up its processor time.
  case processorTime(seconds: UInt64)
  /// It made a forbidden system call; nil if it is not known which.
  case forbiddenCall(number: Int32?)
  /// It crashed with a signal.
  case signal(Int32)
  /// It exited with a status.
  case exit(status: Int32)
  /// Other code in this process has already collected its exit status.
  case unknown

  /// What the program can do about it, in addition to the sentence.
  var remedy: HostError.Remedy? {
    switch self {
    case .deadline: .allowMoreTime
    case .usedMemory, .memory, .memoryAndDeadline: .allowMoreMemory
    default: nil
    }
  }

  /// What the engine did.
  var code: HostError.Code {
    switch self {
    case .deadline, .processorTime, .memoryAndDeadline: .hung
    case .usedMemory, .threads, .memory: .exceededLimit
    case .forbiddenCall: .forbiddenCall
    case .signal, .unknown: .crashed
    case .exit: .exited
    }
  }

  /// The signal with which it crashed; nil if it did not.
  var signal: Int32? {
    switch self {
    case .signal(let number), .memory(_, let number): number
    default: nil
    }
  }

  /// What happened during a call, to be appended to the engine's name.
  package func sentence(during call: String) -> String {
    switch self {
    case .deadline(let seconds, let earlier):
      "did not return from \(call) within \(seconds.shortText) s"
        + (earlier.map { ", together with \(counted($0, "call")) before it for the same question," }
          ?? "") + " and was stopped"
    case .usedMemory(let usage, let limit):
      "used more than its limit of \(Self.size(limit)) of memory in \(call) and was stopped (rows "
        + "\(Self.size(usage.rows)), input \(Self.size(usage.input)), private \(Self.size(usage.own)))"
    case .threads(let limit):
      "started more than \(limit) threads in \(call) and was stopped; start fewer"
    case .memory(let limit, let signal):
      "reached its limit of \(Self.size(limit)) of memory and crashed in \(call) with "
        + Self.name(ofSignal: signal)
    case .memoryAndDeadline(let limit, let seconds):
      "reached its limit of \(Self.size(limit)) of memory, did not return from \(call) "
        + "within \(seconds.shortText) s and was stopped"
    case .processorTime(let seconds):
      "used up its \(seconds) s of processor time in \(call) and was stopped"
    case .forbiddenCall(let number):
      if let function = number.flatMap({ tessera_forbidden_function_name($0) }) {
        "called \(String(cString: function)) in \(call), which engines must not call, and was stopped"
      } else {
        "made \(Self.name(ofCall: number)) in \(call), which engines must not make, and was stopped"
      }
    case .signal(let number): "crashed in \(call) with \(Self.name(ofSignal: number))"
    case .exit(let status):
      "ended its process in \(call) with exit status \(status); an engine returns a status instead"
    case .unknown: "ended in \(call)"
    }
  }

  private static func name(ofCall number: Int32?) -> String {
    guard let number else { return "a system call" }
    let name = tessera_system_call_name(number).map { String(cString: $0) }
    return "the system call \(name ?? "number \(number)")"
  }

  /// What the worker's own program did before any code of a library ran.
  var sentenceBeforeLoading: String {
    switch self {
    case .exit(let status): "ended with exit status \(status)"
    case .signal(let number): "crashed with \(Self.name(ofSignal: number))"
    case .deadline(let seconds, _): "did not answer within \(seconds.shortText) s and was stopped"
    default: sentence(during: EngineCall.starting.name)
    }
  }

  private static func size(_ bytes: UInt64) -> String {
    bytes >= 1 << 30 && bytes % (1 << 30) == 0 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
  }

  /// A signal's name with its usual cause: "SIGFPE (division by zero)".
  private static func name(ofSignal number: Int32) -> String {
    switch number {
    case SIGSEGV: "SIGSEGV (invalid memory access)"
    case SIGBUS: "SIGBUS (access to memory that does not exist)"
    case SIGABRT: "SIGABRT (it aborted)"
    case SIGILL: "SIGILL (illegal instruction or failed precondition)"
    case SIGFPE: "SIGFPE (division by zero)"
    case SIGTRAP: "SIGTRAP (failed precondition)"
    case SIGXFSZ: "SIGXFSZ (it wrote to a file)"
    case SIGKILL: "SIGKILL (another process killed it)"
    default: tessera_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
    }
  }
}

extension EngineCall {
  /// Notes the call in the memory of a worker, for its host to report where it ended.
  package func note(in memory: SharedMemory) { memory.stage.pointee = rawValue }
}

extension SharedMemory {
  /// Where a worker notes its last call.
  package var stage: UnsafeMutablePointer<UInt32> {
    (base + SharedMap.stage).assumingMemoryBound(to: UInt32.self)
  }

  /// Where a worker notes the arguments of its last call, with a 0 after them.
  package var notedArguments: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base + SharedMap.notedArguments, count: 256)
  }

  /// Notes a call with its arguments, for the host to report where the process ended; nil for none.
  package func note(_ asked: String?) {
    notedArguments.copyBytes(from: (asked ?? "").utf8.prefix(notedArguments.count - 1))
    notedArguments[min(asked?.utf8.count ?? 0, notedArguments.count - 1)] = 0
  }
}

/// The output of an engine's process: read as it arrives; only its beginning and its end are kept.
package struct CapturedOutput {
  private let descriptor: Int32
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  /// The number of bytes printed since the output was last forgotten.
  package private(set) var total = 0

  private static let keptAtStart = 2048
  /// More than the stack trace that a language's runtime prints after the reason of a crash.
  private static let keptAtEnd = 16384
  /// The most bytes read at a time, so that endless output cannot block the host.
  private static let drained = 1 << 20
  /// The most characters of the beginning and of the end that a sentence shows.
  private static let shownAtStart = 240
  private static let shownAtEnd = 120

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Reads the available output without waiting; returns false if there was none.
  @discardableResult
  package mutating func drain() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { room in
      var count = 0
      while count < Self.drained {
        let got = read(descriptor, room.baseAddress, room.count)
        guard got > 0 else { break }
        count += got
        add(UnsafeRawBufferPointer(rebasing: room[..<got]))
      }
      return count > 0
    }
  }

  /// Keeps what of a piece of output is at the beginning or at the end of all.
  package mutating func add(_ piece: UnsafeRawBufferPointer) {
    total += piece.count
    let rest = piece.dropFirst(Self.keptAtStart - head.count)
    head.append(contentsOf: piece[..<rest.startIndex])
    tail.append(contentsOf: rest.suffix(Self.keptAtEnd))
    if tail.count > Self.keptAtEnd { tail.removeFirst(tail.count - Self.keptAtEnd) }
  }

  /// Discards the output read so far.
  package mutating func forget() {
    head.removeAll(keepingCapacity: true)
    tail.removeAll(keepingCapacity: true)
    total = 0
  }

  /// The beginning and the end of the output, on one line; nil if it contains nothing readable.
  package var summary: String? { Self.shortened(kept, isWhole: total == head.count + tail.count) }

  /// The output on one line, from the line with which a language's runtime begins its report of a crash
  /// if there is one; nil if it contains nothing readable.
  package var ofCrash: String? {
    let kept = kept
    let lines = kept.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.lastIndex(where: Self.reportsCrash) else { return summary }
    // The addresses in a stack trace explain nothing.
    let reason = lines[first...].prefix { !$0.hasPrefix("Current stack trace:") }
    return Self.shortened(reason.joined(separator: "\n"), isWhole: true)
  }

  private var kept: String {
    // The end may begin in the middle of a character.
    let isWhole = total == head.count + tail.count
    return isWhole
      ? String(decoding: head + tail, as: UTF8.self)
      : String(decoding: head, as: UTF8.self) + "\n" + String(decoding: tail, as: UTF8.self)
  }

  /// Whether a line is the first one of a crash: of Swift, C, C++, Rust or a sanitizer.
  private static func reportsCrash(_ line: Substring) -> Bool {
    let reports = [
      "Fatal error: ", ": Fatal error", "Assertion ", "terminate called after throwing",
      "panicked at", "Sanitizer: ", "runtime error: ", "*** stack smashing detected",
      "*** buffer overflow detected",
    ]
    return reports.contains { UntrustedText.occurs($0, in: line) }
  }

  private static func shortened(_ text: String, isWhole: Bool) -> String? {
    let line = UntrustedText.onOneLine(text)
    guard !line.isEmpty else { return nil }
    if isWhole, line.count <= shownAtStart + shownAtEnd { return line }
    return line.prefix(shownAtStart) + " … " + line.suffix(shownAtEnd)
  }
}
