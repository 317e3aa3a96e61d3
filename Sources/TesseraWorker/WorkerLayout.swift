import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// If the process dies, the call throws, and the next call starts a new one with the same input.
package final class WorkerLayout: LayoutRunner {
  package let traits: ChainTraits
  package let numbering: ChainNumbers
  package private(set) var prepared: RowStore
  package private(set) var index: PreparedIndex
  package private(set) var warnings: [String] = []
  package var progress: (@Sendable (Double) -> Bool)?
  package var trace: (@Sendable (String) -> Void)?
  package var timeLimit: Double? {
    didSet { worker?.secondsPerCall = timeLimit ?? source.limits.secondsPerCall }
  }
  package var time = QuestionTime()
  package var endReports: Int32? {
    didSet { if let endReports { worker?.report(to: endReports) } }
  }

  package let chain: [EngineDescription]
  package let values: SessionValues
  package let input: SharedInput
  package let map: SharedMap
  private let source: any WorkerSource
  private var isCancelled = false
  private var asked: AskedParts?
  private var delegateErrors: [HostError] = []
  package private(set) var rows: SharedRows
  package var starts: SectionStarts
  /// The data last sent; nil if the worker may have other data.
  private var knownData: [UInt8]?
  /// Whether the next question must carry the values.
  private var hasNewValues = false
  package private(set) var worker: Worker?

  /// `kept` is a worker with the loaded chain and its input in `input`.
  package init(
    chain: [EngineDescription], values: SessionValues, starts: SectionStarts, input: SharedInput,
    source: any WorkerSource, startsNow: Bool, kept: Worker? = nil
  ) throws(HostError) {
    (self.chain, self.values, self.starts) = (chain, values, starts)
    (self.input, self.source) = (input, source)
    traits = ChainTraits(chain: chain)
    numbering = try ChainNumbers(chain: chain)
    map = SharedMap(numbering: numbering, memory: source.limits.memory, rowLimit: source.rowLimit)
    // This process's limits may have changed the layout of shared memory.
    let used = kept?.memory.byteCount == map.byteCount ? kept : nil
    let memory: SharedMemory
    if let used { memory = used.memory } else { memory = try Self.memory(map) }
    rows = SharedRows(memory: memory, map: map)
    prepared = try rows.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    if let used {
      worker = used
      used.secondsPerCall = source.limits.secondsPerCall
      _ = used.takeOutput()
      do throws(HostError) { try renew() } catch {
        // A new worker reports why the engines cannot be created.
        used.end(nil)
        worker = nil
      }
    }
    guard startsNow, worker == nil else { return }
    if used == nil { worker = try start(memory) } else { _ = try living() }
  }

  deinit {
    if let worker, worker.isReusable { source.keep(worker, input: input.memory) }
  }

  private static func memory(_ map: SharedMap) throws(HostError) -> SharedMemory {
    try SharedMemory(named: "tessera-rows", byteCount: map.byteCount, isReadOnly: false)
  }

  private func start(_ memory: SharedMemory) throws(HostError) -> Worker {
    let worker = try source.start(memory: memory, input: input.memory)
    let found: [EngineDescription]
    switch try watching({ () throws(HostError) in try worker.descriptions(of: traits.id) }) {
    case .success(let descriptions): found = descriptions
    case .failure(let error): throw error.about(traits.id)
    }
    guard found == chain else { throw traits.broken(.changedDescription) }
    return worker
  }

  private func living() throws(HostError) -> Worker {
    if let worker, !worker.isGone { return worker }
    guard worker?.isInherited != true else { throw .forkedSession }
    if let lost = worker, lost.exitReason == nil {
      let error = lost.exitError(lost.end(nil), "the time between two calls", of: traits.id)
      note(error)
      worker = nil
      throw error
    }
    let memory = try Self.memory(map)
    rows = SharedRows(memory: memory, map: map)
    prepared = try rows.preparedStore(numbering)
    index = PreparedIndex(store: prepared, numbering: numbering, traits: traits)
    (worker, knownData) = (nil, nil)
    let new = try start(memory)
    worker = new
    if let timeLimit { new.secondsPerCall = timeLimit }
    if let endReports { new.report(to: endReports) }
    return new
  }

  package var isLost: Bool { worker.map { $0.exitReason != nil || $0.isInherited } ?? true }

  package func noticesEnd() -> Bool {
    guard let worker, worker.isGone, !worker.isInherited else { return false }
    if worker.exitReason == nil {
      note(worker.exitError(worker.end(nil), "the time between two calls", of: traits.id))
    }
    return true
  }

  package var sandbox: SandboxGrade { worker?.grade ?? .none }

  private func note(_ error: HostError) { source.engineDied(error) }

  private func watching<Result>(
    _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    do throws(HostError) { return try body() } catch {
      if error.kind == .died { note(error) }
      throw error
    }
  }

  package func close() throws(HostError) {
    guard let worker, !worker.isGone else { return }
    try ask(RenewQuestion(creates: false), CallContext(viewport: Viewport()))
    worker.end(nil)
    self.worker = nil
  }

  /// Recreates the layouts in the same process; throws `.died` if an engine crashes or hangs.
  package func renew() throws(HostError) {
    guard let worker, !worker.isGone else { return }
    index.rowsWillChange()
    knownData = nil
    try ask(RenewQuestion(creates: true), CallContext(viewport: Viewport()))
  }

  // ---------------------------------------------------------------- calls

  @discardableResult
  package func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext, rows: RowStore?
  ) throws(HostError) -> Asked.Reply { try ask(question, context, rows: rows, parts: 0) }

  /// `parts`: each has a separate timeout.
  private func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext, rows: RowStore?, parts: Int
  ) throws(HostError) -> Asked.Reply {
    let worker = try living()
    let changesPrepared = Asked.writesRows && rows == nil
    var isKnown = false
    defer { if changesPrepared, !isKnown { index.forget() } }
    var head = QuestionHead(type: Self.number(of: Asked.self))
    if let rows { share(rows, in: &head) }
    var body = ByteWriter(reserving: 64)
    question.write(to: &body)
    var reader = try send(
      &head, body, context, to: worker, question.call, asked: question.asked,
      takesValues: Asked.takesValues,
      capacity: Asked.writesRows || rows != nil ? (rows ?? prepared).capacity : nil, parts: parts)
    return try checked { () throws(HostError) in
      let reply = try Asked.Reply.read(from: &reader)
      try question.check(reply, of: chain)
      if Asked.writesRows, !question.keepsRows(reply) {
        if changesPrepared { index.rowsWillChange() }
        try adopt(try reader.read(), into: rows ?? prepared)
        if changesPrepared {
          index.rowsChanged(isEverything: context.change.what & TESSERA_CHANGED_ALL != 0)
        }
      }
      isKnown = true
      return reply
    }
  }

  private static func number(of type: any Question.Type) -> UInt8 {
    UInt8(questionTypes.firstIndex { $0 == type }!)
  }

  /// - Parameters:
  ///   - call: For errors; nil for the call that the worker noted.
  ///   - capacity: In rows; nil for a reply without rows.
  private func send(
    _ head: inout QuestionHead, _ body: ByteWriter, _ context: CallContext, to worker: Worker,
    _ call: EngineCall?, asked: @autoclosure () -> String?, takesValues: Bool, capacity: Int?,
    parts: Int
  ) throws(HostError) -> ByteReader {
    isCancelled = false
    let takesValues = takesValues || hasNewValues
    hasNewValues = false
    var data = ByteWriter(reserving: takesValues ? 256 : 0)
    if takesValues { data.put(values, starts: starts, in: input) }
    head.hasData = takesValues && data.bytes != knownData
    if head.hasData { knownData = nil }
    (head.reportsProgress, head.traces) = (progress != nil, trace != nil)
    let long = body.bytes.count > Self.longest ? try copyToInput(body.bytes) : nil
    defer { if let long { input.deallocate(long, byteCount: body.bytes.count) } }
    head.isLong = long != nil
    var message = ByteWriter(reserving: 512)
    head.write(to: &message)
    if head.hasData { message.put(raw: data.bytes) }
    message.put(context)
    if let long {
      message.put(input.offset(of: long))
      message.put(body.bytes.count)
    } else {
      message.put(raw: body.bytes)
    }
    let (outcome, reader) = try watching { () throws(HostError) in
      try worker.ask(
        message, call, asked: asked(), of: traits.id, in: time, parts: parts, answering: answer)
    }
    if head.hasData { knownData = data.bytes }
    for line in outcome.trace { trace?(UntrustedText.onOneLine(line)) }
    warnings = outcome.warnings.prefix(100).map { UntrustedText.onOneLine($0) }
    if let output = worker.takeOutput() {
      warnings.append("it printed \"\(output)\"")
      source.enginePrinted(output, in: asked() ?? (call ?? worker.stage).name)
    }
    guard let failure = outcome.failure else { return reader }
    if let own = values.takeDelegateError() { throw own }
    // Blame the program only if the worker names the given capacity.
    if let capacity, let error = noRoom(failure, capacity) { throw error }
    throw reported(failure) ?? rejected(failure)
  }

  /// In bytes; longer questions use the input memory.
  private static let longest = SharedMap.hostBoxSize / 2

  private func copyToInput(_ bytes: [UInt8]) throws(HostError) -> UnsafeMutableRawPointer {
    let copy = try input.allocate(byteCount: bytes.count)
    bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    return copy
  }

  /// An out-of-space error, or nil if `failure` is something else.
  private func noRoom(_ failure: Untrusted<HostError>, _ capacity: Int) -> HostError? {
    if failure == Untrusted(.noRoom(traits.id, capacity: capacity)) {
      return .noRoom(traits.id, capacity: capacity, roomRemedy)
    }
    let error = HostError.noRoom(traits.id, capacity: capacity, .askForPart)
    return failure == Untrusted(error) ? error : nil
  }

  package var roomRemedy: HostError.Remedy {
    map.capacity < source.rowLimit ? .allowMoreMemory : .allowMoreRows
  }

  private func reported(_ failure: Untrusted<HostError>) -> HostError? {
    failure.reported(by: chain.map(\.id), isCancelled: isCancelled)
  }

  private func rejected(_ failure: Untrusted<HostError>) -> HostError {
    worker?.end(nil)
    return HostError(
      .invalidAnswer, "its process rejected the question: \(failure.sentence)", engine: traits.id)
  }

  package func checked<Result>(_ read: () throws(HostError) -> Result) throws(HostError) -> Result {
    do throws(HostError) { return try read() } catch {
      worker?.end(nil)
      throw traits.broken(error)
    }
  }

  func answer(_ kind: AnswerKind, _ reader: inout ByteReader) throws(HostError) -> any ByteCodable {
    guard kind != .delegate else {
      if let worker { asked?.advance(to: worker.finishedParts) }
      if let asked { values.name(asked.part(starts)) }
      let reply = try values.reply(to: try .read(from: &reader), ahead: answersAhead)
      if case .failure(let failure) = reply, delegateErrors.count < 1_000 {
        delegateErrors.append(failure)
      }
      return reply
    }
    let fraction = try reader.read(Double.self)
    let shouldContinue = progress?(fraction >= 0 && fraction <= 1 ? fraction : 0) ?? true
    if !shouldContinue { isCancelled = true }
    return shouldContinue
  }

  /// Stops after 10 ms or before a failure: an unrequested result must not cause an error.
  private func answersAhead(
    of arguments: [Value], _ count: Int, _ function: DelegateFunction
  ) -> [Value] {
    // In a batch, each layout numbers its sections from 0.
    let sections = asked?.sections ?? starts.counts.indices
    guard count > 0, arguments.count == 2, case .unsigned(let section) = arguments[0],
      case .unsigned(let item) = arguments[1],
      let number = Untrusted(section).exactly(in: 0..<sections.count),
      case let place = sections.lowerBound + number,
      let first = Untrusted(item).exactly(in: 0..<starts.counts[place])
    else { return [] }
    var values: [Value] = []
    let latest = monotonicSeconds(isCoarse: true) + 0.01
    for next in (first..<starts.counts[place]).dropFirst().prefix(count) {
      guard monotonicSeconds(isCoarse: true) <= latest,
        let value = function.answerAhead([.unsigned(section), .unsigned(UInt64(next))])
      else { break }
      values.append(value)
    }
    return values
  }

  private func adopt(_ runCount: Untrusted<Int>, into store: RowStore) throws(HostError) {
    let runs = try SharedRun.read(
      runCount, from: rows.base + SharedMap.runs, capacity: store.capacity,
      kinds: numbering.kinds, itemCounts: starts.counts[...])
    try checkTouched(runs)
    store.adopt(runs)
  }

  /// Checks that claimed rows are in touched memory: reading untouched pages would allocate them.
  private func checkTouched(_ runs: ContiguousArray<Run>) throws(HostError) {
    let rowCount = runs.last.map { $0.row + $0.count } ?? 0
    let byteCount = UInt64(rowCount) * UInt64(MemoryLayout<Rect>.stride)
    guard let worker, byteCount > worker.touchedBytes else { return }
    worker.lookAtMemory()
    guard byteCount <= worker.touchedBytes else {
      throw ByteReader.broken(
        "has \(rowCount) rows, and the frames of the last ones were never written")
    }
  }

  private func share(_ store: RowStore, in head: inout QuestionHead) {
    SharedRun.write(store.runs, to: rows.base + SharedMap.runs)
    head.isOfAnswer = true
    head.columns = store.columns
    (head.capacity, head.runCount) = (store.capacity, store.runs.count)
  }
}

package protocol WorkerSource: AnyObject, Sendable {
  var limits: WorkerLimits { get }
  var rowLimit: Int { get }
  func start(memory: SharedMemory, input: SharedMemory) throws(HostError) -> Worker
  func engineDied(_ error: HostError)
  func keep(_ worker: Worker, input: SharedMemory)
  func enginePrinted(_ text: String, in call: String)
}

extension WorkerLayout {
  package func supply(_ starts: SectionStarts) { self.starts = starts }

  package func valuesChanged() { hasNewValues = true }

  package func answerStore(limit: Int, columns: BuiltInColumns) throws(HostError) -> RowStore {
    try rows.answerStore(numbering, columns: columns, capacity: limit)
  }
}

/// Batches: many layouts per question; unfinished ones are retried if a process ends.
extension WorkerLayout {
  package func prepareEach(
    _ parts: [LayoutPart], _ context: CallContext,
    receive: (Int, Result<PreparedPart, HostError>) -> Bool
  ) throws(HostError) {
    index.forget()
    prepared.clear()
    var (next, section, reports, shouldContinue) = (0, 0, [String](), true)
    var (limit, startFailed) = (BatchQuestion.limit, false)
    while shouldContinue, next < parts.count {
      do throws(HostError) {
        _ = try living()
        startFailed = false
      } catch {
        // Starting a process can fail by chance.
        guard next > 0 else { throw error }
        guard startFailed else {
          startFailed = true
          continue
        }
        for number in next..<parts.count where shouldContinue {
          shouldContinue = receive(number, .failure(error))
        }
        break
      }
      let end = self.end(of: parts, from: next, section, limit: limit)
      let asked = Array(parts[next..<end])
      let parameters = values.partParameters.map { $0[next..<end] }
      self.asked = AskedParts(parts: asked, number: next, section: section)
      let stop = prepareSome(asked, parameters, from: section, context) { result in
        if !receive(next, result) { shouldContinue = false }
        section += parts[next].sectionCount
        next += 1
      }
      self.asked = nil
      values.name(nil)
      if reports.count < 100 { reports += warnings }
      guard shouldContinue, let stop, next < end else { continue }
      // Any engine of the batch may have corrupted memory: retry one by one.
      guard !stop.isDoubtful || asked.count == 1 else {
        limit = 1
        continue
      }
      shouldContinue = receive(next, .failure(stop.error))
      limit = BatchQuestion.limit
      section += parts[next].sectionCount
      next += 1
    }
    warnings = Array(reports.prefix(100))
  }

  /// Limits a question's parts; their rows should fit into the processor's cache.
  private func end(of parts: [LayoutPart], from next: Int, _ section: Int, limit: Int) -> Int {
    let most = (1 << 19) / SharedMap.rowBytes(numbering.adjustedColumns, numbering.attributes)
    let last = min(parts.count, next + limit)
    var (end, section) = (next, section)
    let first = Int(starts.buffer[section])
    repeat {
      section += parts[end].sectionCount
      end += 1
    } while end < last && Int(starts.buffer[section]) - first < most
    return end
  }

  /// Nil if out of space; else why the next part isn't finished, and whether another part may be at
  /// fault.
  private func prepareSome(
    _ parts: [LayoutPart], _ parameters: [PartParameter], from first: Int,
    _ context: CallContext, receive: (Result<PreparedPart, HostError>) -> Void
  ) -> (error: HostError, isDoubtful: Bool)? {
    var stop: (HostError, Bool)?
    var done = 0
    delegateErrors = []
    do throws(HostError) {
      let question = BatchQuestion(firstSection: first, parts: parts, parameters: parameters)
      let reply = try ask(question, context, rows: nil, parts: parts.count)
      done = reply.exactly(in: 1..<parts.count + 1) ?? 0
    } catch {
      stop = (error, error.kind != .died)
      done = worker?.finishedParts.exactly(in: 0..<parts.count + 1) ?? 0
    }
    while values.takeDelegateError() != nil {}
    do throws(HostError) {
      let answers = traits.asksEachTime ? try answerStore(limit: prepared.capacity) : prepared
      var outcomes = SharedParts(rows.partBytes)
      var section = first
      for part in parts.prefix(done) {
        let counts = starts.counts[section..<section + part.sectionCount]
        section += part.sectionCount
        let outcome = try outcomes.read(
          prepared, answers, kinds: numbering.kinds, itemCounts: counts)
        switch outcome {
        case .success(let part):
          try checkTouched(part.store.runs)
          receive(.success(part))
        case .failure(let error):
          guard let known = partError(error) else { throw rejected(error) }
          receive(.failure(known))
        }
      }
    } catch {
      worker?.end(nil)
      stop = (error.kind == .brokenContract ? traits.broken(error) : error, true)
    }
    return stop
  }

  /// An error of the program or an engine, or nil.
  private func partError(_ error: Untrusted<HostError>) -> HostError? {
    if let own = delegateErrors.first(where: { error == Untrusted($0) }) { return own }
    return noRoom(error, map.capacity) ?? reported(error)
  }
}

private struct AskedParts {
  let parts: [LayoutPart]
  /// The layout's index, and the session's first section in it.
  private(set) var number: Int
  private var section: Int
  private var done = 0

  init(parts: [LayoutPart], number: Int, section: Int) {
    (self.parts, self.number, self.section) = (parts, number, section)
  }

  mutating func advance(to finished: Untrusted<UInt32>) {
    guard let finished = finished.exactly(in: 0..<parts.count) else { return }
    while done < finished {
      section += parts[done].sectionCount
      (done, number) = (done + 1, number + 1)
    }
  }

  var sections: Range<Int> { section..<section + parts[done].sectionCount }

  func part(_ starts: SectionStarts) -> SessionValues.Part {
    (number, section, Int(starts.buffer[section]))
  }
}
