import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// Why a worker is gone.
package enum WorkerExit: Equatable {
  /// It took longer than a call may.
  case deadline(seconds: Double)
  /// It filled more memory with rows than it may.
  case rowMemory(limit: UInt64)
  /// It ran into its limit of private memory and then into a signal.
  case memory(limit: UInt64, signal: Int32)
  /// The same, and then did not return.
  case memoryAndDeadline(limit: UInt64, seconds: Double)
  /// It used up its processor time.
  case processorTime(seconds: UInt64)
  /// It made a system call that engines may not make; nil where nobody noted which.
  case forbiddenCall(number: Int32?)
  case signal(Int32)
  case exit(status: Int32)
  /// Somebody else in this process has asked for its end.
  case unknown

  /// What a program can do about it besides what the sentence says.
  var remedy: HostError.Remedy? {
    if case .deadline = self { .allowMoreTime } else { nil }
  }

  /// What happened in a call, as the end of a sentence that starts with the engine's name.
  package func sentence(during call: String) -> String {
    switch self {
    case .deadline(let seconds):
      "did not return from \(call) within \(seconds.shortText) s and was stopped"
    case .rowMemory(let limit):
      "filled more than \(Self.size(limit)) of memory with rows in \(call) and was stopped; ask for "
        + "fewer items"
    case .memory(let limit, let signal):
      "took all the \(Self.size(limit)) of memory that it may have and crashed in \(call) with "
        + Self.name(ofSignal: signal)
    case .memoryAndDeadline(let limit, let seconds):
      "took all the \(Self.size(limit)) of memory that it may have, did not return from \(call) "
        + "within \(seconds.shortText) s and was stopped"
    case .processorTime(let seconds):
      "used up its \(seconds) s of processor time in \(call) and was stopped"
    case .forbiddenCall(let number):
      "made \(Self.name(ofCall: number)) in \(call), which engines may not make, and was stopped"
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

  /// "SIGSEGV (it touched memory that is not its own)".
  private static func name(ofSignal number: Int32) -> String {
    switch number {
    case SIGSEGV: "SIGSEGV (it touched memory that is not its own)"
    case SIGBUS: "SIGBUS (it touched memory that is not there)"
    case SIGABRT: "SIGABRT (it gave up by itself)"
    case SIGILL: "SIGILL (it stopped itself, or ran what is no instruction)"
    case SIGFPE: "SIGFPE (it divided by zero)"
    case SIGTRAP: "SIGTRAP (it stopped itself)"
    case SIGXFSZ: "SIGXFSZ (it wrote to a file)"
    case SIGKILL: "SIGKILL (somebody killed it)"
    default: tessera_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
    }
  }
}

/// How far a worker has come before it is ready.
package enum WorkerStage: UInt32 {
  case starting = 0, loading, registration, creation

  /// What it is in, for a sentence.
  package var call: String {
    switch self {
    case .starting: "its start"
    case .loading: "loading"
    case .registration: "its registration"
    case .creation: "create"
    }
  }
}

/// What an engine's process prints: read as it comes, and only the end of it kept.
package struct CapturedOutput {
  private let descriptor: Int32
  private var tail: [UInt8] = []
  /// How many bytes were printed in all.
  package private(set) var total = 0

  private static let kept = 2048
  /// The most that is read at a time, so that endless printing cannot hold the host up.
  private static let drained = 1 << 20

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Reads what is there, without waiting; false where nothing was.
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

  /// Forgets what was printed.
  package mutating func forget() {
    tail.removeAll(keepingCapacity: true)
    total = 0
  }

  /// The last that was printed, on one line; nil where there is nothing to read in it.
  package var last: String? {
    let text = ForeignText.onOneLine(String(decoding: tail, as: UTF8.self))
    guard !text.isEmpty else { return nil }
    return text.count > 200 ? "…" + text.suffix(200) : text
  }
}
