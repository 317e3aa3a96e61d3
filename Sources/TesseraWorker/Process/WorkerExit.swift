import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

package enum WorkerExit {
  /// A timeout, of one call or shared with earlier calls.
  case deadline(seconds: Double, earlierCalls: Int? = nil)
  /// All kinds of memory together.
  case usedMemory(tessera_usage, limit: UInt64)
  case threads(limit: UInt32)
  case memory(limit: UInt64, signal: Int32)
  case memoryAndDeadline(limit: UInt64, seconds: Double)
  case processorTime(seconds: UInt64)
  /// Nil if the call is unknown.
  case forbiddenCall(number: Int32?)
  case signal(Int32)
  case exit(status: Int32)
  /// Other code in this process has collected the exit status.
  case unknown

  var remedy: HostError.Remedy? {
    switch self {
    case .deadline: .allowMoreTime
    case .usedMemory, .memory, .memoryAndDeadline: .allowMoreMemory
    default: nil
    }
  }

  var code: HostError.Code {
    switch self {
    case .deadline, .processorTime, .memoryAndDeadline: .hung
    case .usedMemory, .threads, .memory: .exceededLimit
    case .forbiddenCall: .forbiddenCall
    case .signal, .unknown: .crashed
    case .exit: .exited
    }
  }

  var signal: Int32? {
    switch self {
    case .signal(let number), .memory(_, let number): number
    default: nil
    }
  }

  /// Follows the engine's name.
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

  /// For an end before any library code ran.
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
  package func note(in memory: SharedMemory) { memory.stage.pointee = rawValue }
}

extension SharedMemory {
  package var stage: UnsafeMutablePointer<UInt32> {
    (base + SharedMap.stage).assumingMemoryBound(to: UInt32.self)
  }

  /// Zero-terminated.
  package var notedArguments: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base + SharedMap.notedArguments, count: 256)
  }

  package func note(_ asked: String?) {
    notedArguments.copyBytes(from: (asked ?? "").utf8.prefix(notedArguments.count - 1))
    notedArguments[min(asked?.utf8.count ?? 0, notedArguments.count - 1)] = 0
  }
}

/// An engine's output, drained as it arrives; keeps only the start and the end.
package struct CapturedOutput {
  private let descriptor: Int32
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  package private(set) var total = 0

  private static let keptAtStart = 2048
  /// Longer than the stack trace that a runtime prints after a crash.
  private static let keptAtEnd = 16384
  private static let drained = 1 << 20
  /// Characters of each end in a message.
  private static let shownAtStart = 240
  private static let shownAtEnd = 120

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Doesn't block; false without output.
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

  package mutating func add(_ piece: UnsafeRawBufferPointer) {
    total += piece.count
    let rest = piece.dropFirst(Self.keptAtStart - head.count)
    head.append(contentsOf: piece[..<rest.startIndex])
    tail.append(contentsOf: rest.suffix(Self.keptAtEnd))
    if tail.count > Self.keptAtEnd { tail.removeFirst(tail.count - Self.keptAtEnd) }
  }

  package mutating func forget() {
    head.removeAll(keepingCapacity: true)
    tail.removeAll(keepingCapacity: true)
    total = 0
  }

  /// On one line; nil without readable text.
  package var summary: String? { Self.shortened(kept, isWhole: total == head.count + tail.count) }

  /// On one line, from the crash report's first line if any; nil without readable text.
  package var ofCrash: String? {
    let kept = kept
    let lines = kept.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.lastIndex(where: Self.reportsCrash) else { return summary }
    // Addresses in a stack trace explain nothing.
    let reason = lines[first...].prefix { !$0.hasPrefix("Current stack trace:") }
    return Self.shortened(reason.joined(separator: "\n"), isWhole: true)
  }

  private var kept: String {
    // The end may start in the middle of a character.
    let isWhole = total == head.count + tail.count
    return isWhole
      ? String(decoding: head + tail, as: UTF8.self)
      : String(decoding: head, as: UTF8.self) + "\n" + String(decoding: tail, as: UTF8.self)
  }

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
