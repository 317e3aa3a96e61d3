import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// Runs engines; it isn't trusted: reads are bounds-checked, and it is killed on timeout.
package final class Worker {
  package let memory: SharedMemory
  private let process: Int32
  /// A process forked from the owner has a copy of this object, but must not end the worker.
  private let owner = tessera_own_process()
  private let socket: Int32
  private let printed: Int32
  private let channel: Channel
  private let limits: WorkerLimits
  private var output: CapturedOutput
  /// Must stay open while the worker is watched.
  private let input: SharedMemory?
  /// Watches memory and threads, also between calls; nil once the process has ended.
  private var watch: OpaquePointer?
  private let isSandboxed: Bool
  private let requiresFullSandbox: Bool
  private let crashed: (@Sendable (Backtrace) -> Void)?
  private let libraries: [SealedLibrary]
  /// The verified state; nil without a sandbox or before it is ready.
  package private(set) var sandbox: tessera_sandbox_state?
  /// This program's peak memory at the start, which the system also attributes to the worker.
  private let ownPeak: UInt64
  private var processor: Int32 = -1
  private var spinning: Spinning
  /// Pins the worker to the caller's processor; false lets its threads run in parallel.
  package var isPinned = true
  /// The timeout in seconds, for all calls of one program call.
  package var secondsPerCall: Double
  /// A lower timeout in seconds by call; nil for none.
  package var limit: (@Sendable (String) -> Double?)?
  package private(set) var touchedBytes: UInt64 = 0
  private var lastLook = 0.0
  private let program: String
  package private(set) var exitReason: WorkerExit?

  /// - Parameters:
  ///   - isDebugged: Loads the original libraries, and keeps environment and standard error.
  ///   - crashed: Receives backtraces; nil to record none.
  ///   - input: Read-only for the worker.
  package init(
    program: String, isSandboxed: Bool, requiresFullSandbox: Bool = false,
    isDebugged: Bool = false, crashed: (@Sendable (Backtrace) -> Void)? = nil, limits: WorkerLimits,
    memory: SharedMemory, input: SharedMemory?, libraries: [SealedLibrary], task: WorkerStart.Task
  ) throws(HostError) {
    (self.program, self.crashed, self.libraries) = (program, crashed, libraries)
    (self.memory, self.input, self.limits) = (memory, input, limits)
    secondsPerCall = limits.secondsPerCall
    self.isSandboxed = isSandboxed
    self.requiresFullSandbox = requiresFullSandbox
    var (ours, theirs, reading, writing): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    guard tessera_socket_pair(&ours, &theirs) == 0 else { throw .workerNotStarted(program, errno) }
    defer { close(theirs) }
    guard tessera_pipe(&reading, &writing) == 0 else {
      let error = HostError.workerNotStarted(program, errno)
      close(ours)
      throw error
    }
    defer { close(writing) }
    socket = ours
    printed = reading
    output = CapturedOutput(descriptor: reading)
    channel = Channel(memory: memory, side: .host)
    spinning = Spinning(isPossible: tessera_other_processor(tessera_processor()) >= 0)
    var message = ByteWriter()
    message.put(
      WorkerStart(
        parent: getpid(), isSandboxed: isSandboxed, requiresFullSandbox: requiresFullSandbox,
        recordsCrash: crashed != nil, limits: limits,
        libraries: libraries.map {
          WorkerStart.Library(path: $0.path, file: isDebugged ? $0.identity : nil, abi: $0.abi)
        },
        inputByteCount: (input ?? memory).byteCount, task: task))
    var descriptors = [theirs, memory.descriptor, (input ?? memory).descriptor]
    descriptors += libraries.map(\.descriptor)
    do throws(HostError) {
      try channel.put(message)
      process = try Self.start(
        program, output: isDebugged ? STDERR_FILENO : writing, descriptors: descriptors,
        inherits: isDebugged)
      ownPeak = tessera_own_usage().memory
      watch = tessera_watch_start(
        process, memory.descriptor, (input ?? memory).descriptor, limits.memory, limits.threads)
    } catch {
      close(ours)
      close(reading)
      throw error
    }
  }

  deinit {
    if exitReason == nil { _ = end(nil) }
    close(socket)
    close(printed)
  }

  private static func start(
    _ program: String, output: Int32, descriptors: [Int32], inherits: Bool
  ) throws(HostError) -> Int32 {
    let name = strdup(program)
    // The explicit path saves a lookup that takes a fifth of the start.
    let variable = strdup("SWIFT_BACKTRACE=enable=no,swift-backtrace=/")
    defer {
      free(name)
      free(variable)
    }
    let arguments: [UnsafePointer<CChar>] = [UnsafePointer(name!)]
    var environment: [UnsafePointer<CChar>] = []
    if inherits {
      var variables = environ
      while let variable = variables.pointee {
        environment.append(UnsafePointer(variable))
        variables += 1
      }
    }
    if !inherits || getenv("SWIFT_BACKTRACE") == nil {
      environment.append(UnsafePointer(variable!))
    }
    let process = tessera_worker_start(
      program, arguments, 1, environment, UInt32(environment.count), output, descriptors,
      UInt32(descriptors.count))
    guard process > 0 else { throw .workerNotStarted(program, errno) }
    return process
  }

  /// Output since the last call, on one line; nil if empty.
  package func takeOutput() -> String? {
    guard output.total > 0 else { return nil }
    defer { output.forget() }
    return output.summary
  }

  /// Bytes printed since the last `takeOutput()`.
  package var printedBytes: Int {
    output.drain()
    return output.total
  }

  package func descriptions(
    of engine: String
  ) throws(HostError) -> Result<[EngineDescription], HostError> {
    var reader: ByteReader
    switch try loaded(engine) {
    case .success(let message): reader = message
    case .failure(let error): return .failure(error)
    }
    let engines = try reader.read([EngineDescription].self)
    try reader.finish()
    return .success(engines)
  }

  /// Also checks the sandbox; throws the errors of `ask`.
  package func loaded(_ engine: String) throws(HostError) -> Result<ByteReader, HostError> {
    if isSandboxed, let reason = superviseLoading() {
      // A SIGKILL from outside doesn't mean the worker binary is bad.
      guard !hasEnteredSandbox, reason.signal != SIGKILL else {
        throw exitError(reason, stage.name, of: engine)
      }
      throw startError(reason)
    }
    let outcome: Outcome
    let reader: ByteReader
    do throws(HostError) {
      (outcome, reader) = try ask(nil, nil, of: engine) { (_, _) throws(HostError) in
        throw ByteReader.broken("is a question before it is ready")
      }
    } catch {
      // Without a sandbox, the worker records when it starts to load the first library.
      guard !isSandboxed, stage == .starting, let exitReason, exitReason.signal != SIGKILL else {
        throw error
      }
      throw startError(exitReason)
    }
    if let failure = outcome.failure { return .failure(loadingError(failure)) }
    try verifyFilters()
    return .success(reader)
  }

  /// The worker ended before any engine code ran.
  private func startError(_ reason: WorkerExit) -> HostError {
    let printed = output.ofCrash.map { ", printing \"\($0)\"" } ?? ""
    return HostError(
      .wrongWorker,
      "the worker \(program) \(reason.sentenceBeforeLoading) before it loaded a library\(printed); "
        + "install the one of this host's release")
  }

  private func loadingError(_ failure: Untrusted<HostError>) -> HostError {
    // No engine code runs before the sandbox is entered.
    if isSandboxed, !hasEnteredSandbox { return failure.ofHost }
    guard !requiresFullSandbox || grade == .full else { return .incompleteSandbox(grade) }
    if let error = failure.reported(by: [], isLoading: true) { return error }
    _ = end(nil)
    return HostError(
      .invalidAnswer, "its process failed with an error of the host: \(failure.sentence)")
  }

  /// Code can't be mapped later: the kernel asks a closed listener.
  private func superviseLoading() -> WorkerExit? {
    var deadline = Deadline(seconds: limits.secondsPerCall)
    var listener: Int32 = -1
    defer { if listener >= 0 { close(listener) } }
    while !channel.wait(nanoseconds: 0) {
      guard let isLoaded = takeReports(&listener) else { return end(nil, patience: 50_000_000) }
      if isLoaded { return waitForTurn(until: &deadline) }
      if listener >= 0 { tessera_supervisor_permit(listener) }
      output.drain()
      guard deadline.left > 0 else { return end(.deadline(seconds: limits.secondsPerCall)) }
      if let watch, Int(tessera_watch_look(watch)) != TESSERA_WATCH_NOTHING { return end(nil) }
      tessera_supervisor_wait(socket, listener, 1_000_000)
    }
    _ = takeReports(&listener)
    return nil
  }

  /// Returns whether loading is complete; nil if the worker has ended.
  private func takeReports(_ listener: inout Int32) -> Bool? {
    var state = tessera_sandbox_state()
    // An engine can send reports too: only those before its code runs count, and only a few.
    for _ in 0..<16 {
      let found =
        hasEnteredSandbox
        ? tessera_supervisor_receive(socket, &state, nil)
        : tessera_supervisor_receive(socket, &state, &listener)
      switch found {
      case 0: return false
      case 1: break
      default: return nil
      }
      guard Int(state.progress) == TESSERA_SANDBOX_LOADED else {
        if !hasEnteredSandbox { sandbox = state }
        continue
      }
      if listener >= 0 { close(listener) }
      listener = -1
      return tessera_supervisor_answer(socket) == 0 ? true : nil
    }
    return false
  }

  /// The empty grade until the sandbox is entered.
  package var grade: SandboxGrade {
    guard hasEnteredSandbox, let sandbox else { return .none }
    return SandboxGrade(sandbox)
  }

  private var hasEnteredSandbox: Bool {
    sandbox.map { Int($0.progress) == TESSERA_SANDBOX_COMPLETE } ?? false
  }

  /// Throws `.refused` and kills the worker if a filter isn't in force.
  private func verifyFilters() throws(HostError) {
    guard isSandboxed else { return }
    let found = tessera_supervisor_filters(process)
    guard hasEnteredSandbox, let sandbox, found < 0 || found >= sandbox.filters else {
      _ = end(nil)
      throw HostError(
        .incompleteSandbox,
        "its process does not have the filters of the sandbox (found \(found)); it is not used",
        .diagnoseMachine)
    }
  }

  /// Kills the worker if it throws.
  ///
  /// - Parameters:
  ///   - message: Nil at the start, when the worker sends first.
  ///   - call: For errors; nil for the call that the worker noted, and likewise `asked`.
  ///   - time: A timeout shared with other calls; nil for a separate one.
  ///   - parts: Each part has the whole timeout.
  package func ask(
    _ message: ByteWriter?, _ call: EngineCall?, asked: @autoclosure () -> String? = nil,
    of engine: String, in time: QuestionTime? = nil, parts: Int = 0,
    answering answer: (AnswerKind, inout ByteReader) throws(HostError) -> any ByteCodable
  ) throws(HostError) -> (Outcome, ByteReader) {
    let start = monotonicSeconds()
    spinning.callBegins(at: start)
    (memory.base + SharedMap.spinning).storeBytes(of: spinning.nanoseconds, as: UInt32.self)
    follow()
    let shared = parts == 0 ? time : nil
    var deadline = Deadline(seconds: secondsPerCall, from: start, in: shared, parts: parts)
    defer {
      let end = monotonicSeconds()
      spinning.callEnded(at: end)
      shared?.add(ofEngines: end - start - deadline.granted, ofProgram: deadline.granted)
    }
    (memory.base + SharedMap.finishedParts).storeBytes(of: 0, as: UInt32.self)
    if let message {
      try channel.put(message)
      channel.pass()
    }
    while true {
      if let reason = waitForTurn(until: &deadline) {
        throw exitError(reason, (call ?? stage).name, asked() ?? notedArguments, of: engine)
      }
      do throws(HostError) {
        var reader = try channel.take()
        let isQuestion =
          reader.next == AnswerKind.delegate.rawValue || reader.next == AnswerKind.progress.rawValue
        guard isQuestion, let kind = AnswerKind(rawValue: try reader.read()) else {
          return (try Outcome.read(from: &reader), reader)
        }
        // The program's computing time doesn't count against the engine; reading the question does.
        let begun = monotonicSeconds()
        var reply = ByteWriter(reserving: 48)
        try answer(kind, &reader).write(to: &reply)
        guard !isInherited else { throw HostError.forkedSession }
        deadline.extend(by: monotonicSeconds() - begun)
        try channel.put(reply)
      } catch {
        _ = end(nil)
        throw error.kind == .brokenContract ? error.caused(by: engine) : error.about(engine)
      }
      channel.pass()
    }
  }

  package func exitError(
    _ reason: WorkerExit, _ call: String, _ asked: String? = nil, of engine: String
  ) -> HostError {
    reportBacktrace()
    let printed = output.ofCrash.map { "; it printed \"\($0)\"" } ?? ""
    return HostError(
      reason.code, reason.sentence(during: asked ?? call) + printed, reason.remedy, engine: engine,
      death: HostError.Death(
        call: call, asked: asked, signal: reason.signal, sentence: reason.sentence(during: call)))
  }

  private func reportBacktrace() {
    guard let crashed else { return }
    let crash = (memory.base + SharedMap.crash).assumingMemoryBound(to: tessera_crash.self)
    if let backtrace = Backtrace(of: crash, libraries: libraries) { crashed(backtrace) }
  }

  /// Adds the worker to an epoll set, which becomes readable when it ends.
  package func report(to set: Int32) { _ = tessera_poll_add(set, socket, 1) }

  package var isGone: Bool {
    exitReason != nil || isInherited || isLookDue && tessera_socket_is_closed(socket) != 0
  }

  /// The system calls would dominate closely spaced calls.
  private var isLookDue: Bool { !spinning.isOn || monotonicSeconds() - lastLook > 1e-3 }

  package func lookAtMemory() { touchedBytes = memory.touchedBytes }

  /// Whether another layout can use the worker: alive, little memory, most processor time left.
  var isReusable: Bool {
    !isGone && isPinned && memory.touchedBytes <= Self.keptBytes
      && input?.touchedBytes ?? 0 <= Self.keptBytes
      && tessera_worker_seconds(process) < Double(limits.processorSeconds) / 10
  }

  package func hasLoaded(_ others: [SealedLibrary]) -> Bool {
    libraries.map(\.digest) == others.map(\.digest) && libraries.map(\.path) == others.map(\.path)
  }

  /// The maximum bytes of rows or input of an idle worker.
  private static let keptBytes: UInt64 = 256 << 20

  package var isInherited: Bool { owner != tessera_own_process() }

  /// Moves the worker to the caller's processor, or elsewhere if spinning.
  private func follow() {
    guard isPinned else { return }
    let ours = tessera_processor()
    guard ours >= 0, spinning.isOn ? ours == processor : ours != processor else { return }
    processor = spinning.isOn ? tessera_other_processor(ours) : ours
    tessera_worker_pin(process, processor)
  }

  /// Nanoseconds; at least the system's tick (4 or 10 ms): a shorter timer costs more than a call.
  private static let slice: Int64 = 10_000_000

  /// Nil once the worker has answered.
  private func waitForTurn(until deadline: inout Deadline) -> WorkerExit? {
    var slice = Self.slice
    if spinning.isOn, channel.spin(nanoseconds: Int64(spinning.nanoseconds)), !isLookDue {
      return nil
    }
    while true {
      deadline.note(finishedParts)
      let left = deadline.left
      let seconds = min(secondsPerCall, limit?(stage.name) ?? .infinity)
      guard left > 0, deadline.used < seconds else {
        return end(.deadline(seconds: seconds, earlierCalls: deadline.earlierCalls))
      }
      let isOurs = channel.wait(nanoseconds: min(slice, Int64(min(left, 1) * 1e9) + 1))
      lookAtMemory()
      if isOurs, touchedBytes <= limits.memory {
        output.drain()
        if spinning.isOn { lastLook = monotonicSeconds() }
        return nil
      }
      if let watch, Int(tessera_watch_look(watch)) != TESSERA_WATCH_NOTHING { return end(nil) }
      // A worker that prints much is blocked until its output is read.
      slice = output.drain() ? 100_000 : Self.slice
      if tessera_socket_is_closed(socket) != 0 { return end(nil, patience: 50_000_000) }
    }
  }

  /// `cause` is nil to use the exit status; `patience` in nanoseconds.
  @discardableResult
  package func end(_ cause: WorkerExit?, patience: Int64 = 0) -> WorkerExit {
    if let exitReason { return exitReason }
    let stopped = stopWatching()
    guard !isInherited else {
      exitReason = .unknown
      return .unknown
    }
    var usage = tessera_worker_usage()
    let status = tessera_worker_end(process, patience, &usage)
    output.drain()
    // A larger parent hides the worker's peak; use the observed peak instead.
    let most = usage.memory > ownPeak ? usage.memory - min(usage.memory, stopped.usage.rows) : 0
    let isShort = max(most, stopped.usage.own) > limits.memory / 10 * 8
    let reason: WorkerExit
    if let found = stopped.reason {
      reason = found
    } else if case .deadline(let seconds, _) = cause, isShort {
      reason = .memoryAndDeadline(limit: limits.memory, seconds: seconds)
    } else {
      reason = cause ?? self.cause(status, isShort: isShort, seconds: usage.seconds)
    }
    exitReason = reason
    return reason
  }

  /// Must precede reuse of the process id by the system.
  private func stopWatching() -> (reason: WorkerExit?, usage: tessera_usage) {
    guard let watch else { return (nil, tessera_usage()) }
    let usage = tessera_watch_usage(watch)
    self.watch = nil
    switch Int(tessera_watch_end(watch)) {
    case TESSERA_WATCH_MEMORY: return (.usedMemory(usage, limit: limits.memory), usage)
    case TESSERA_WATCH_THREADS: return (.threads(limit: limits.threads), usage)
    default: return (nil, usage)
    }
  }

  private func cause(_ status: Int32, isShort: Bool, seconds: Double) -> WorkerExit {
    guard status >= 0 else { return .unknown }
    let signal = status & 0x7F
    guard signal != 0 else { return .exit(status: (status >> 8) & 0xFF) }
    if signal == SIGSYS { return .forbiddenCall(number: forbiddenCall) }
    if signal == SIGXCPU || signal == SIGKILL, seconds >= Double(limits.processorSeconds) {
      return .processorTime(seconds: limits.processorSeconds)
    }
    return isShort ? .memory(limit: limits.memory, signal: signal) : .signal(signal)
  }

  private var forbiddenCall: Int32? {
    let noted = (memory.base + SharedMap.forbiddenCall).load(as: tessera_forbidden_call.self)
    return noted.is_noted == 1 ? noted.number : nil
  }

  /// As the worker recorded.
  package var stage: EngineCall { EngineCall(rawValue: memory.stage.pointee) ?? .starting }

  private var notedArguments: String? {
    let noted = memory.notedArguments.prefix { $0 != 0 }
    return noted.isEmpty ? nil : UntrustedText.onOneLine(String(decoding: noted, as: UTF8.self))
  }

  /// As the worker recorded.
  package var finishedParts: Untrusted<UInt32> {
    Untrusted((memory.base + SharedMap.finishedParts).load(as: UInt32.self))
  }
}

private struct Deadline {
  private let seconds: Double
  /// Finished parts at which the next part's time starts.
  private var parts: Range<Int>
  private var length: Double
  private var end: Double
  /// Endless questions would otherwise never time out.
  private var latest: Double
  private(set) var granted = 0.0
  /// The number of earlier calls that took a notable part of the time, or nil.
  let earlierCalls: Int?

  /// `time` is shared by several calls, or nil; each of the `parts` has the whole time.
  init(
    seconds: Double, from start: Double = monotonicSeconds(), in time: QuestionTime? = nil,
    parts: Int = 0
  ) {
    self.seconds = seconds
    self.parts = 1..<parts + 1
    length = seconds - (time?.ofEngines ?? 0)
    end = start + length
    latest = end + max(0, seconds - (time?.ofProgram ?? 0))
    earlierCalls = time.flatMap { $0.ofEngines >= 0.1 * seconds ? $0.calls : nil }
  }

  var left: Double { end - monotonicSeconds() }

  var used: Double { length - left }

  mutating func extend(by seconds: Double) {
    let later = min(end + seconds, latest)
    granted += later - end
    end = later
  }

  /// Restarts the time when a part is finished, once per part.
  mutating func note(_ finished: Untrusted<UInt32>) {
    guard let number = finished.exactly(in: parts) else { return }
    parts = number + 1..<parts.upperBound
    length = seconds
    end = monotonicSeconds() + seconds
    latest = end + seconds
  }
}

/// Searches the folders of this code and of the program, then `libexec/tessera` of their prefixes,
/// `~/.local`, `/usr/local` and `/usr`.
package func findProgram(
  _ name: String = "tessera-worker", which purpose: String = "runs engines"
) throws(HostError) -> String {
  var folders: [String] = []
  for file in [ownFile, runningFile].compactMap({ $0 }) {
    folders += [
      SearchPath.parent(of: file),
      SearchPath.join(SearchPath.prefix(containing: file), "libexec/tessera"),
    ]
  }
  if tessera_is_privileged() == 0, let home = getenv("HOME").map({ String(cString: $0) }),
    home.hasPrefix("/")
  {
    folders.append("\(home)/.local/libexec/tessera")
  }
  folders += ["/usr/local/libexec/tessera", "/usr/libexec/tessera"]
  for folder in folders where access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
  throw HostError(
    .workerNotFound,
    "\(name), which \(purpose), is not in \(folders.joined(separator: " or "))", .locateWorker)
}

private var ownFile: String? { tessera_own_file().flatMap { resolved(String(cString: $0)) } }

private var runningFile: String? { resolved("/proc/self/exe") }

private func resolved(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

extension HostError {
  fileprivate static func workerNotStarted(_ program: String, _ number: Int32) -> HostError {
    let sentence = "the worker \(program) cannot be started: \(systemMessage(number))"
    return switch number {
    case EMFILE, ENFILE:
      HostError(.systemLimit, "\(sentence); raise the limit on open files (ulimit -n)")
    case EAGAIN:
      HostError(
        .systemLimit,
        "\(sentence); raise the limits on processes and on memory (ulimit -u, -v and -d)")
    case ENOMEM:
      HostError(.systemLimit, "\(sentence); raise the limit on memory (ulimit -v)")
    default: HostError(.workerNotStarted, sentence, .locateWorker)
    }
  }
}
