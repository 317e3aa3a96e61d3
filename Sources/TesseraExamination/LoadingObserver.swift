import CTesseraExamination
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

package final class LoadingObserver: WorkerExaminer {
  private var report = ExaminationReport()

  package init() {}

  package func serve(
    _ engines: [LoadedEngine], memory: SharedMemory, input: SharedMemory, channel: Channel
  ) throws(HostError) -> Never {
    let server = try ExaminationServer(
      engines: engines, loading: report, memory: memory, input: input, channel: channel)
    server.run()
  }

  package func load(
    _ path: String, named name: String, abi: ABIVersion, noting memory: SharedMemory
  ) throws(HostError) -> [LoadedEngine] {
    if report.stages.isEmpty { try record("the start") }
    EngineCall.loading.note(in: memory)
    var start = monotonicSeconds()
    let entry = try LoadedEngine.entry(path, named: name)
    report.loadingSeconds = max(report.loadingSeconds, Self.seconds(since: start))
    try record("loading")
    EngineCall.registration.note(in: memory)
    start = monotonicSeconds()
    let engines = try Registration.run(entry, abi: abi)
    report.registrationSeconds = max(report.registrationSeconds, Self.seconds(since: start))
    let first = engines.map(\.description)
    do throws(HostError) {
      let second = try Registration.run(entry, abi: abi).map(\.description)
      report.registrationProblem =
        report.registrationProblem ?? Self.difference(of: second, from: first)
    } catch {
      report.registrationProblem =
        report.registrationProblem ?? "in the second registration, \(error.message)"
    }
    try record("registration")
    return engines
  }

  private func record(_ stage: String) throws(HostError) {
    // Avoids waiting again for known threads.
    let threads = report.stages.last?.threads ?? .max
    report.stages.append(try ProcessFacts.settled(after: stage, threads: threads))
  }

  private static func seconds(since start: Double) -> Double { monotonicSeconds() - start }

  static func difference(
    of second: [EngineDescription], from first: [EngineDescription]
  ) -> String? {
    guard second.map(\.id) == first.map(\.id) else {
      let ids = { (list: [EngineDescription]) in list.map(\.id).joined(separator: ", ") }
      return "\(ids(second)) after \(ids(first))"
    }
    for (new, old) in zip(second, first) where new != old {
      return "\(new.id) with different declarations"
    }
    return nil
  }
}

/// Process state that a library must not change; a malicious engine could forge it.
package struct ProcessFacts: Sendable {
  /// Such as "loading" or "prepare".
  package let step: String
  package let threads: Int
  /// The umask.
  package let fileModeMask: Int
  package let openDescriptors: Int
  /// A hash of each descriptor's file; 0 if closed.
  package let descriptorFiles: [UInt64]
  /// By number.
  package let blockedSignals: [Int]
  /// A hash of each signal's action, from signal 1.
  package let signalActions: [UInt64]
  /// A hash.
  package let environment: UInt64
  /// All categories, as returned by the C library.
  package let locale: String
  let privateBytes: Int

  /// Such as "SIGUSR1" for 10.
  package static func name(ofSignal number: Int) -> String {
    tessera_signal_name(Int32(number)).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
  }

  /// Waits up to a second for threads to end: the kernel may still list joined threads.
  static func settled(after step: String, threads: Int) throws(HostError) -> ProcessFacts {
    var facts = try now(after: step)
    for _ in 0..<100 where facts.threads > threads {
      usleep(10_000)
      facts = try now(after: step)
    }
    return facts
  }

  /// In seconds; may have the granularity of the kernel's ticks.
  static var processorSeconds: Double { tessera_own_usage().seconds }

  static func now(after step: String) throws(HostError) -> ProcessFacts {
    var state = tessera_process_state()
    guard tessera_process_probe(&state) == 0 else {
      throw HostError(
        .notExamined, "the state of the process cannot be read; allow it to read /proc")
    }
    let mask = state.blocked_signals
    return ProcessFacts(
      step: step, threads: Int(state.threads), fileModeMask: Int(state.file_mode_mask),
      openDescriptors: Int(state.open_descriptors),
      descriptorFiles: withUnsafeBytes(of: state.descriptor_files) {
        Array($0.bindMemory(to: UInt64.self))
      }, blockedSignals: (1...64).filter { mask & 1 << UInt64($0 - 1) != 0 },
      signalActions: withUnsafeBytes(of: state.signal_actions) {
        Array($0.bindMemory(to: UInt64.self))
      }, environment: state.environment,
      locale: withUnsafeBytes(of: state.locale) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }, privateBytes: Int(state.private_bytes))
  }
}

extension ProcessFacts: FieldCodable {
  package static let fields = Fields(
    ProcessFacts.init, \.step, \.threads, \.fileModeMask, \.openDescriptors, \.descriptorFiles,
    \.blockedSignals, \.signalActions, \.environment, \.locale, \.privateBytes)

  package static func read(from reader: inout ByteReader) throws(HostError) -> ProcessFacts {
    let facts = try fields.decode(&reader)
    guard facts.signalActions.count == 64, facts.blockedSignals.allSatisfy((1...64).contains) else {
      throw ByteReader.broken("describes signals other than 1 to 64")
    }
    for count in [facts.threads, facts.openDescriptors, facts.fileModeMask] {
      _ = try Untrusted(count).int(in: 0..<1 << 31, "count")
    }
    return facts
  }
}
