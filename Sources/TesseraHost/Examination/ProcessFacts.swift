import CTesseraSystem
import Glibc

/// The state of a worker's process, for tests of engines: what a library must leave as it is.
///
/// It comes from the process itself, so an engine that means to can make it up.
public struct ProcessFacts: Equatable, Sendable {
  /// How many threads there are.
  public let threads: Int
  /// The mask that new files' modes go through.
  public let fileModeMask: Int
  /// How many descriptors are open.
  public let openDescriptors: Int
  /// The signals that the thread blocks, by number.
  public let blockedSignals: [Int]
  /// A number for what is done on each signal, the first for signal 1.
  public let signalActions: [UInt64]
  /// A number for the environment.
  public let environment: UInt64
  /// The locale of all categories, as the C library tells it.
  public let locale: String
  /// The bytes that malloc has given out.
  public let heapBytes: Int
  /// The bytes of memory of the process's own.
  public let privateBytes: Int

  /// "SIGUSR1" for 10.
  public static func name(ofSignal number: Int) -> String {
    tessera_signal_name(Int32(number)).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
  }

  /// The state of this process when it has no more threads than it should, or a moment later: one
  /// that was waited for may still be listed.
  static func settled(threads: Int) throws(HostError) -> ProcessFacts {
    var facts = try now()
    for _ in 0..<50 where facts.threads > threads {
      usleep(4000)
      facts = try now()
    }
    return facts
  }

  /// The state of this process.
  static func now() throws(HostError) -> ProcessFacts {
    var state = tessera_process_state()
    guard tessera_process_probe(&state) == 0 else {
      throw HostError(.refused, "the state of the process cannot be read; allow it to read /proc")
    }
    let mask = state.blocked_signals
    return ProcessFacts(
      threads: Int(state.threads), fileModeMask: Int(state.file_mode_mask),
      openDescriptors: Int(state.open_descriptors),
      blockedSignals: (1...64).filter { mask & 1 << UInt64($0 - 1) != 0 },
      signalActions: withUnsafeBytes(of: state.signal_actions) {
        Array($0.bindMemory(to: UInt64.self))
      },
      environment: state.environment,
      locale: withUnsafeBytes(of: state.locale) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      },
      heapBytes: Int(state.heap_bytes), privateBytes: Int(state.private_bytes))
  }
}

extension ByteWriter {
  mutating func put(_ facts: ProcessFacts) {
    put(facts.threads)
    put(facts.fileModeMask)
    put(facts.openDescriptors)
    put(facts.blockedSignals.reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) })
    for action in facts.signalActions { put(action) }
    put(facts.environment)
    put(facts.locale)
    put(facts.heapBytes)
    put(facts.privateBytes)
  }
}

extension ByteReader {
  mutating func processFacts() throws(HostError) -> ProcessFacts {
    let (threads, mask, descriptors) = (try int(), try int(), try int())
    let blocked = try uint64()
    var actions: [UInt64] = []
    for _ in 0..<64 { actions.append(try uint64()) }
    return ProcessFacts(
      threads: threads, fileModeMask: mask, openDescriptors: descriptors,
      blockedSignals: (1...64).filter { blocked & 1 << UInt64($0 - 1) != 0 },
      signalActions: actions, environment: try uint64(), locale: try string(),
      heapBytes: try int(), privateBytes: try int())
  }
}
