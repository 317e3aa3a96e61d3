import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// Why a worker's process ended.
package enum WorkerExit {
  /// A call took longer than its time limit.
  case deadline(seconds: Double)
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
  var manner: HostError.Death.Manner {
    switch self {
    case .deadline, .processorTime, .memoryAndDeadline: .hung
    case .usedMemory, .threads, .memory: .exceeded
    case .forbiddenCall: .forbidden
    case .signal, .unknown: .crashed
    case .exit: .exited
    }
  }

  /// What happened during a call, to be appended to the engine's name.
  package func sentence(during call: String) -> String {
    switch self {
    case .deadline(let seconds):
      "did not return from \(call) within \(seconds.shortText) s and was stopped"
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
      "made \(Self.name(ofCall: number)) in \(call), which engines must not make, and was stopped"
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

/// What a worker is doing: before it is ready, and when one question leads to several calls.
package enum WorkerStage: UInt32 {
  case starting = 0, loading, registration, creation
  case prepare, adjust, elements, element, restingOffset, extensions, destruction, ending

  /// The stage as the name of a call, for an error.
  package var call: String {
    switch self {
    case .starting: "its start"
    case .loading: "loading"
    case .registration: "its registration"
    case .creation: "create"
    case .prepare: "prepare"
    case .adjust: "adjust"
    case .elements: "elements_in_rect"
    case .element: "element"
    case .restingOffset: "resting_offset"
    case .extensions: "extension"
    case .destruction: "destroy"
    case .ending: "exit"
    }
  }

  /// Records the stage in the memory of a worker, for its host to report where it ended.
  package func note(in memory: SharedMemory) {
    (memory.base + SharedMap.stage).storeBytes(of: rawValue, as: UInt32.self)
  }
}

/// The output of an engine's process: read as it arrives; only the last bytes are kept.
package struct CapturedOutput {
  private let descriptor: Int32
  private var tail: [UInt8] = []
  /// The number of bytes printed since the output was last forgotten.
  package private(set) var total = 0

  private static let kept = 2048
  /// The most bytes read at a time, so that endless output cannot block the host.
  private static let drained = 1 << 20

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
        total += got
        tail.append(contentsOf: room[..<got].suffix(Self.kept))
        if tail.count > Self.kept { tail.removeFirst(tail.count - Self.kept) }
      }
      return count > 0
    }
  }

  /// Discards the output read so far.
  package mutating func forget() {
    tail.removeAll(keepingCapacity: true)
    total = 0
  }

  /// The end of the output, on one line; nil if it contains nothing readable.
  package var last: String? {
    let text = ForeignText.onOneLine(String(decoding: tail, as: UTF8.self))
    guard !text.isEmpty else { return nil }
    return text.count > 200 ? "…" + text.suffix(200) : text
  }
}
