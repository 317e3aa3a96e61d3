import CTessera
import TesseraCatalog
import TesseraGeometry

// The calls into the engines of a session. Each is one type here: its fields, its reply, how both are
// written in messages, and how a chain of engines answers it. A session asks a `LayoutRunner`, which is
// the chain itself, or sends the question to a chain in a worker.

/// Runs the engines of a session, in this process or in a worker.
///
/// Each question uses the session's current values and section starts. The rows that a question fills
/// are valid until the next question.
package protocol LayoutRunner: AnyObject {
  var traits: ChainTraits { get }
  var numbering: ChainNumbers { get }
  /// The rows of the last successful prepare.
  var prepared: RowStore { get }
  /// Finds rows of the last successful prepare.
  var index: PreparedIndex { get }
  /// The warnings that the engines reported in the last call.
  var warnings: [String] { get }
  /// Receives the progress of a long call, from 0 to 1; returns false to cancel the call.
  var progress: (@Sendable (Double) -> Bool)? { get set }
  /// Receives a line of text for each call into the engines.
  var trace: (@Sendable (String) -> Void)? { get set }
  /// The maximum time of the calls into the engines that answer one question of the program, in seconds; nil for
  /// that of the host. Engines in this process have no limit.
  var timeLimit: Double? { get set }
  /// What these calls have taken so far.
  var time: QuestionTime { get set }
  /// A set of descriptors that becomes readable when the engines' process ends; nil if none is wanted.
  var endReports: Int32? { get set }

  /// What a program can do to get more rows than a prepare may add.
  var roomRemedy: HostError.Remedy { get }
  /// Whether the prepared layout no longer exists, for example because its worker has exited.
  var isLost: Bool { get }
  /// The sandbox around the engines.
  var sandbox: SandboxGrade { get }

  /// Gives the engines the current values in the calls that follow, without a prepare.
  func valuesChanged()
  /// Sets the item counts for the calls that follow.
  func supply(_ starts: SectionStarts)
  /// Returns an empty store for rows of a question, at most `limit`.
  ///
  /// - Parameter columns: The built-in columns besides the frame.
  func answerStore(limit: Int, columns: BuiltInColumns) throws(HostError) -> RowStore

  /// Asks the engines a question.
  ///
  /// - Parameter rows: The rows that the question is about, which the engines change, or to which they
  ///   add those that they find; nil for the prepared rows.
  @discardableResult
  func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext, rows: RowStore?
  ) throws(HostError) -> Asked.Reply
  /// Prepares parts of the data one after the other, each as a layout of its own; afterwards nothing
  /// is prepared.
  ///
  /// An engine that ends its process costs the part that it was preparing; a new process goes on with
  /// the next.
  ///
  /// - Parameters:
  ///   - parts: Together all sections, in their order.
  ///   - receive: Called for each part, in their order, with its rows, which are valid until it
  ///     returns, or with its error; returns whether to go on with parts that are not prepared yet.
  /// - Throws: The error with which no part can be prepared.
  func prepareEach(
    _ parts: [LayoutPart], _ context: CallContext,
    receive: (Int, Result<PreparedPart, HostError>) -> Bool
  ) throws(HostError)
  /// Returns whether the engines' process has ended and no call has restarted it; the next call does.
  func noticesEnd() -> Bool
  /// Destroys the engines' layouts; the next prepare creates new ones.
  func close() throws(HostError)
  /// Destroys the engines' layouts and creates new ones in the same process.
  func renew() throws(HostError)
}

extension LayoutRunner {
  /// Asks the engines a question about no rows, or about the prepared ones.
  @discardableResult
  package func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext
  ) throws(HostError) -> Asked.Reply {
    try ask(question, context, rows: nil)
  }

  /// Returns an empty store for the result of a query of at most `limit` rows.
  package func answerStore(limit: Int) throws(HostError) -> RowStore {
    try answerStore(limit: limit, columns: numbering.adjustedColumns)
  }
}

/// A question to the engines of a session.
package protocol Question: ByteCodable {
  associatedtype Reply: ByteCodable
  /// The call into the engines that answers the question; nil for one of several.
  var call: EngineCall? { get }
  /// The call with its arguments, for errors: "topOf(0, 4)"; nil if they do not matter.
  var asked: String? { get }
  /// Whether the engines get the values that were set since the last such question.
  static var takesValues: Bool { get }
  /// Whether the engines add or remove rows.
  static var writesRows: Bool { get }
  /// Whether the engines left the rows as they were after all, which the reply says.
  func keepsRows(_ reply: Reply) -> Bool
  /// Answers the question.
  func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Reply
  /// Checks the reply of a worker.
  ///
  /// - Throws: `.brokenContract` for one that these engines cannot have given.
  func check(_ reply: Reply, of chain: [EngineDescription]) throws(HostError)
}

extension Question {
  package var asked: String? { nil }
  package static var takesValues: Bool { false }
  package static var writesRows: Bool { false }
  package func keepsRows(_ reply: Reply) -> Bool { false }
  package func check(_ reply: Reply, of chain: [EngineDescription]) throws(HostError) {}
}

/// The types of all questions; a message has the place of its question's type.
package let questionTypes: [any Question.Type] = [
  PrepareQuestion.self, ElementsQuestion.self, ElementQuestion.self, AdjustQuestion.self,
  BatchQuestion.self, CallQuestion.self, RestQuestion.self, TargetQuestion.self,
  BeginUpdateQuestion.self, EndUpdateQuestion.self, ShapeQuestion.self, SizesQuestion.self,
  RenewQuestion.self,
]

/// The reply to a question whose answer is in the rows, or is that the call returned.
package struct Done: FieldCodable {
  package static let fields = Fields(Done.init)

  package init() {}
}

// ---------------------------------------------------------------- prepare

/// Asks the engines to place every element, or those of a lazy engine to compute only the content size.
///
package struct PrepareQuestion: Question {
  /// Whether the engines are first asked if the prepared layout is still valid with other bounds, and
  /// then keep it.
  let unlessValid: Bool

  /// What a prepare resulted in, besides its rows: one byte, then the content size.
  package enum Reply: ByteCodable {
    case stillValid
    /// - Parameter isAdjusted: Whether the engines adjust the results of queries.
    case prepared(Size, isAdjusted: Bool)

    package func write(to writer: inout ByteWriter) {
      guard case .prepared(let size, let isAdjusted) = self else { return writer.put(UInt8(0)) }
      writer.put(UInt8(isAdjusted ? 1 : 2))
      writer.put(size)
    }

    package static func read(from reader: inout ByteReader) throws(HostError) -> Reply {
      let byte = try reader.read(UInt8.self)
      guard byte <= 2 else {
        throw ByteReader.broken("holds \(byte) for the result of a prepare; expected 0 to 2")
      }
      return byte == 0 ? .stillValid : .prepared(try reader.read(), isAdjusted: byte == 1)
    }
  }

  package init(unlessValid: Bool = false) { self.unlessValid = unlessValid }

  package var call: EngineCall? { unlessValid ? nil : .prepare }
  package static var takesValues: Bool { true }
  package static var writesRows: Bool { true }
  package func keepsRows(_ reply: Reply) -> Bool {
    if case .stillValid = reply { true } else { false }
  }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Reply {
    if unlessValid, chain.isStillValid(context) { return .stillValid }
    let size = try chain.prepare(context)
    return .prepared(size, isAdjusted: chain.isAdjusted)
  }

  package func check(_ reply: Reply, of chain: [EngineDescription]) throws(HostError) {
    guard case .prepared(let size, _) = reply else {
      guard unlessValid else { throw ByteReader.broken("keeps a layout that must be prepared") }
      return
    }
    guard size.isValid else {
      throw ByteReader.broken("has the content size \(Value.size(size))", .invalidContentSize)
    }
  }

  // Written by hand: a list of fields takes a microsecond.
  package func write(to writer: inout ByteWriter) { writer.put(unlessValid) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> PrepareQuestion {
    PrepareQuestion(unlessValid: try reader.read())
  }
}

/// Asks the engines to prepare parts of the data, each as a layout of its own, whose rows the chain's
/// `partFinished` keeps.
///
/// The reply is the number of parts that were prepared, or failed; there was no room for the rows of
/// more.
package struct BatchQuestion: Question, FieldCodable {
  package static let fields = Fields(
    BatchQuestion.init, \.firstSection, \.parts, \.parameters)
  /// The most parts of one question.
  package static let limit = 256
  /// The section that the first part begins with.
  let firstSection: Int
  let parts: [LayoutPart]
  let parameters: [PartParameter]

  package init(firstSection: Int, parts: [LayoutPart], parameters: [PartParameter] = []) {
    self.firstSection = firstSection
    self.parts = parts
    self.parameters = parameters
  }

  package var call: EngineCall? { .prepare }
  package static var takesValues: Bool { true }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Untrusted<Int> {
    var done = 0
    try chain.values.withParameters(ofParts: parameters) { () throws(HostError) in
      chain.prepareEach(parts, from: firstSection, context) { result in
        guard chain.partFinished?(done, result) == true else { return false }
        done += 1
        return true
      }
    }
    return Untrusted(done)
  }

  package func check(_ reply: Untrusted<Int>, of chain: [EngineDescription]) throws(HostError) {
    _ = try reply.int(in: 1..<parts.count + 1, "number of parts")
  }
}

// ---------------------------------------------------------------- queries

/// Asks a lazy layout for its elements in a rect.
package struct ElementsQuestion: Question, PlainCodable {
  let rect: Rect

  package init(rect: Rect) { self.rect = rect }

  package var call: EngineCall? { .elements }
  package static var writesRows: Bool { true }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Done {
    try chain.perform(.elements, context, in: rows, "\(Value.rect(rect))") {
      chain.query(from: 0, tessera_rect(rect))
    }
    return Done()
  }
}

/// Asks a lazy layout for one element.
package struct ElementQuestion: Question, PlainCodable {
  /// The capacity in rows for the answer, with space for others that the engine adds.
  package static let rowLimit = 1 << 16
  /// The element as a run of one.
  let run: tessera_run

  package init(run: tessera_run) { self.run = run }

  package var call: EngineCall? { .element }
  package static var writesRows: Bool { true }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Done {
    try chain.perform(
      .element, context, in: rows,
      "category \(run.category), kind \(run.kind), section \(run.section), item \(run.first_item)"
    ) {
      withUnsafePointer(to: run) { chain.lookUp(from: 0, $0) }
    }
    return Done()
  }
}

/// Asks the engines to adjust the rows of an answer for the viewport.
package struct AdjustQuestion: Question, PlainCodable {
  let rect: Rect

  package init(rect: Rect) { self.rect = rect }

  package var call: EngineCall? { .adjust }
  package static var writesRows: Bool { true }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Done {
    chain.state.preparedRows = chain.traits.isLazy ? nil : chain.index
    defer { chain.state.preparedRows = nil }
    try chain.perform(
      .adjust, context, in: rows, "\(context.viewport.traceText), rect \(Value.rect(rect))"
    ) {
      chain.adjust(from: 0, tessera_rect(rect))
    }
    return Done()
  }
}

// ---------------------------------------------------------------- published functions, scrolling, dragging

/// Calls a published function.
///
/// The reply is its result, or nil if no engine publishes a function with that name.
package struct CallQuestion: Question, FieldCodable {
  package static let fields = Fields(CallQuestion.init, \.function, \.arguments)
  let function: String
  let arguments: [Value]

  package init(function: String, arguments: [Value]) {
    self.function = function
    self.arguments = arguments
  }

  package var call: EngineCall? { .function }
  package var asked: String? { callText(function, arguments) }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Untrusted<Value>? {
    for layer in chain.layers {
      guard let published = try layer.published(function) else { continue }
      return try chain.withQueries(.function, context) { () throws(HostError) in
        let result = try published.call(context: layer.instance, arguments: arguments)
        if let error = chain.takeDelegateError() { throw error }
        if let failure = layer.host.failure {
          throw HostError(.refusedByEngine, failure, engine: layer.engine.description.id)
        }
        return Untrusted(result)
      }
    }
    return nil
  }
}

/// "topOf(0, 4)".
package func callText(_ name: String, _ arguments: [Value]) -> String {
  "\(name)(\(arguments.map(\.description).joined(separator: ", ")))"
}

/// Asks where a scroll comes to rest; base engines are called first.
package struct RestQuestion: Question, PlainCodable {
  let proposed: Point
  let velocity: Point

  package init(proposed: Point, velocity: Point) {
    self.proposed = proposed
    self.velocity = velocity
  }

  package var call: EngineCall? { .restingOffset }
  package var asked: String? {
    "resting_offset (proposed \(Value.point(proposed)), velocity \(Value.point(velocity)))"
  }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Point {
    var resting = tessera_point(x: proposed.x, y: proposed.y)
    let speed = tessera_point(x: velocity.x, y: velocity.y)
    try chain.withQueries(.restingOffset, context) { () throws(HostError) in
      for layer in chain.layers.reversed() {
        guard let call = layer.snapping?.resting_offset else { continue }
        let status = chain.traced("resting_offset(\(resting.x), \(resting.y))") {
          chain.withInput(layer) { call(layer.instance, $0, speed, &resting) }
        } result: { status in
          "status \(status), \(resting.x), \(resting.y)"
        }
        try chain.check(status, .restingOffset, in: chain.prepared)
      }
    }
    return Point(x: resting.x, y: resting.y)
  }
}

/// Asks where a dragged item goes; base engines are called first.
package struct TargetQuestion: Question, PlainCodable {
  let item: ItemPath
  let point: Point
  /// The reply if no engine changes it.
  let nearest: ItemPath

  package init(item: ItemPath, point: Point, nearest: ItemPath) {
    self.item = item
    self.point = point
    self.nearest = nearest
  }

  /// The item before which the dragged one goes, which may not exist.
  package struct Reply: FieldCodable {
    package static let fields = Fields(Reply.init, \.section, \.item)
    package let section: Untrusted<UInt32>
    package let item: Untrusted<UInt64>
  }

  package var call: EngineCall? { .target }
  package var asked: String? {
    "reordering.target (item \(item.item) of section \(item.section) at \(Value.point(point)))"
  }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Reply {
    var section = UInt32(nearest.section)
    var place = UInt64(nearest.item)
    let raw = tessera_point(x: point.x, y: point.y)
    try chain.withQueries(.target, context) { () throws(HostError) in
      for layer in chain.layers.reversed() {
        guard let target = layer.reordering?.target else { continue }
        let status = chain.traced("reordering.target(\(item), \(point.x), \(point.y))") {
          chain.withInput(layer) {
            target(
              layer.instance, $0, UInt32(item.section), UInt64(item.item), raw, &section, &place)
          }
        } result: { status in
          "status \(status), section \(section), item \(place)"
        }
        try chain.check(status, .target, in: chain.prepared)
      }
    }
    return Reply(section: Untrusted(section), item: Untrusted(place))
  }
}

extension ItemPath: PlainCodable {}

// ---------------------------------------------------------------- batch updates

/// Calls the engines' `begin` of a batch update.
package struct BeginUpdateQuestion: Question {
  let operations: [tessera_update]

  package init(operations: [tessera_update]) { self.operations = operations }

  package var call: EngineCall? { .updateBegin }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Done {
    chain.begin(.updateBegin, context, in: chain.prepared)
    defer { chain.state.call = nil }
    for layer in chain.layers.reversed() {
      guard let begin = layer.updates?.begin else { continue }
      let status = operations.withUnsafeBufferPointer { buffer in
        chain.traced("updates.begin(\(operations.count) operations)") {
          chain.withInput(layer) {
            // An empty array has no address, but the contract's pointer is never null.
            begin(layer.instance, $0, buffer.baseAddress ?? emptyOperations, UInt64(buffer.count))
          }
        } result: {
          "status \($0)"
        }
      }
      layer.isInUpdate = true
      do throws(HostError) {
        try chain.check(status, .updateBegin, in: chain.prepared)
      } catch {
        chain.endUpdate()
        throw error
      }
    }
    return Done()
  }

  // Written as they lie in memory: a batch can have millions of operations.
  package func write(to writer: inout ByteWriter) {
    writer.put(operations.count)
    operations.withUnsafeBytes { writer.put(raw: $0) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> BeginUpdateQuestion {
    let stride = MemoryLayout<tessera_update>.stride
    let count = try reader.read(Int.self)
    guard 0...reader.remaining / stride ~= count else {
      throw ByteReader.broken("is truncated: it declares \(count) operations")
    }
    let bytes = try reader.raw(count: count * stride)
    return BeginUpdateQuestion(
      operations: Array(unsafeUninitializedCapacity: count) { operations, initialized in
        UnsafeMutableRawBufferPointer(operations).copyBytes(from: bytes)
        initialized = count
      })
  }
}

/// The address that an engine receives for a batch without operations.
private nonisolated(unsafe) let emptyOperations: UnsafePointer<tessera_update> = {
  let empty = UnsafeMutablePointer<tessera_update>.allocate(capacity: 1)
  empty.initialize(to: tessera_update())
  return UnsafePointer(empty)
}()

/// Calls `end` on the engines whose `begin` was called.
package struct EndUpdateQuestion: Question, FieldCodable {
  package static let fields = Fields(EndUpdateQuestion.init)

  package init() {}

  package var call: EngineCall? { .updateEnd }

  package func answer(by chain: LayoutChain, _ rows: RowStore, _ context: CallContext) -> Done {
    chain.endUpdate()
    return Done()
  }
}

extension LayoutChain {
  fileprivate func endUpdate() {
    state.note(.updateEnd)
    for layer in layers.reversed() where layer.isInUpdate {
      layer.isInUpdate = false
      traced("updates.end()") {
        layer.updates?.end?(layer.instance)
      } result: { _ in
        "done"
      }
    }
  }
}

/// Calls the engines to change the initial attributes of elements that appear in a batch update, or the
/// final ones of elements that disappear.
package struct ShapeQuestion: Question, FieldCodable {
  package static let fields = Fields(ShapeQuestion.init, \.appears)
  let appears: Bool

  package init(appears: Bool) { self.appears = appears }

  package var call: EngineCall? { appears ? .initialAttributes : .finalAttributes }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Done {
    let call: EngineCall = appears ? .initialAttributes : .finalAttributes
    chain.begin(call, context, in: rows)
    defer {
      chain.state.call = nil
      chain.state.store = chain.prepared
    }
    for layer in chain.layers.reversed() {
      let table = layer.updates
      guard let function = appears ? table?.initial_attributes : table?.final_attributes
      else { continue }
      let status = chain.traced("\(call.name)(\(rows.rowCount) elements)") {
        chain.withInput(layer) { function(layer.instance, $0, layer.output.pointer) }
      } result: {
        "status \($0)"
      }
      try chain.check(status, call, in: rows)
    }
    return Done()
  }
}

// ---------------------------------------------------------------- measured sizes

/// Asks for the sizes that elements are assumed to have until they are measured, and for those that
/// they are offered, run by run from an element on.
///
/// Each reply covers at least one run; the next question begins after the last one that it covers.
package struct SizesQuestion: Question, PlainCodable {
  /// The most sizes of a run, and about the most of a reply, so that it fits a message.
  package static let limit = 16_384
  /// The most elements of a run for which an engine is asked for one size, or for none.
  package static let longest = 1 << 22
  /// The place of the engine in the chain.
  let layer: Int
  /// The place of the value among those that the engine measures.
  let measured: Int
  /// Where the first run begins.
  let start: ItemPath
  /// The most elements of a run: `longest`, or `limit` for an engine that answers with a size for each.
  ///
  /// Nothing is answered if such an engine is asked for long runs.
  let most: Int

  package init(layer: Int, measured: Int, start: ItemPath, most: Int = Self.limit) {
    (self.layer, self.measured, self.start, self.most) = (layer, measured, start, most)
  }

  /// For each run the number of estimates and of proposals, then all estimates and proposals of the
  /// first run, of the second, and so on.
  package struct Reply: FieldCodable {
    package static let fields = Fields(Reply.init(counts:sizes:), \.counts, \.sizes)
    package let counts: [Untrusted<Int>]
    package let sizes: [Size]

    package init(counts: [Int], sizes: [Size]) {
      self.init(counts: counts.map { Untrusted($0) }, sizes: sizes)
    }

    private init(counts: [Untrusted<Int>], sizes: [Size]) {
      (self.counts, self.sizes) = (counts, sizes)
    }

    /// The numbers, each of which a run can have, and together as many as there are sizes.
    ///
    /// - Throws: `.brokenContract` for others.
    package func checkedCounts() throws(HostError) -> [Int] {
      let counts = try counts.map { count throws(HostError) in
        try count.int(in: 0..<SizesQuestion.limit + 1, "number of sizes")
      }
      guard counts.count.isMultiple(of: 2), counts.reduce(0, +) == sizes.count else {
        throw ByteReader.broken(
          "has \(sizes.count) sizes, which are not those of its runs", .invalidSizing)
      }
      return counts
    }
  }

  package var call: EngineCall? { .sizing }
  package static var takesValues: Bool { true }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Reply {
    // A session asks for sizes before it prepares.
    if chain.isLost { try chain.create() }
    let layer = chain.layers[layer]
    let description = layer.engine.description
    guard let table = layer.sizing else { return Reply(counts: [], sizes: []) }
    let kind = description.measured[measured].kind.map { kind in
      description.kinds.firstIndex { $0.name == kind } ?? 0
    }
    chain.values.fill(chain.layers)
    chain.begin(.sizing, context, in: chain.prepared)
    defer { chain.state.call = nil }
    let most = max(1, min(self.most, Self.longest))
    guard let memory = chain.roomForSizes else { throw .noAddressSpace(rows: Self.longest) }
    let unwritten = chain.state.unwrittenSize
    let isZero = unwritten.width == 0 && unwritten.height == 0
    var (counts, sizes) = ([Int](), [Size]())
    var next: ItemPath? = start
    while let place = next, sizes.count + counts.count < Self.limit {
      let length = Self.length(at: place, isKind: kind != nil, chain.state.sectionStarts, most)
      next = Self.next(after: place, length, isKind: kind != nil, chain.state.sectionStarts)
      guard length > 0 else { continue }
      var run = tessera_run(
        category: kind == nil ? TESSERA_CATEGORY_CELL : TESSERA_CATEGORY_SUPPLEMENTARY,
        kind: UInt32(kind ?? 0), section: UInt32(place.section), reserved: 0,
        first_item: UInt64(place.item), count: UInt64(length))
      for (function, name) in [(table.estimates, "estimates"), (table.proposals, "proposals")] {
        guard name == "estimates" || counts.last != 0 else {
          counts.append(0)
          break
        }
        var count = UInt64(length)
        // It is zero between two calls.
        if !isZero { memory.update(repeating: unwritten, count: length) }
        let status = chain.traced("sizing.\(name)(section \(place.section), \(length) elements)") {
          chain.withInput(layer) { function(layer.instance, $0, &run, memory, &count) }
        } result: {
          "status \($0), \(count) sizes"
        }
        if let error = chain.takeDelegateError() { throw error }
        // The last prepare may have been refused rows; that does not matter here.
        if status != TESSERA_OK { try chain.check(status, .sizing, in: chain.prepared) }
        guard count == 1 || count == UInt64(length) || (count == 0 && name == "estimates") else {
          throw chain.broken(.wrongSizeCount(count, from: name, elements: length))
        }
        guard count <= UInt64(Self.limit) else { return Reply(counts: [], sizes: []) }
        counts.append(Int(count))
        for index in 0..<Int(count) {
          sizes.append(Size(width: memory[index].width, height: memory[index].height))
        }
        memory.update(repeating: tessera_size(), count: isZero ? Int(count) : length)
      }
    }
    return Reply(counts: counts, sizes: sizes)
  }

  /// The number of elements of the run that begins at an element; 0 in an empty section.
  package static func length(
    at place: ItemPath, isKind: Bool, _ starts: UnsafeBufferPointer<UInt64>, _ most: Int = limit
  ) -> Int {
    if isKind { return 1 }
    let items = starts[place.section + 1] - starts[place.section]
    return min(most, Int(clamping: items) - place.item)
  }

  /// Where the run after one of a length begins; nil if there is none.
  package static func next(
    after place: ItemPath, _ length: Int, isKind: Bool, _ starts: UnsafeBufferPointer<UInt64>
  ) -> ItemPath? {
    let items = Int(clamping: starts[place.section + 1] - starts[place.section])
    if !isKind, place.item + length < items {
      return ItemPath(section: place.section, item: place.item + length)
    }
    return place.section + 2 < starts.count ? ItemPath(section: place.section + 1, item: 0) : nil
  }

  package func check(_ reply: Reply, of chain: [EngineDescription]) throws(HostError) {
    _ = try reply.checkedCounts()
  }
}

// ---------------------------------------------------------------- the end

/// Asks the engines to destroy their layouts.
package struct RenewQuestion: Question, FieldCodable {
  package static let fields = Fields(RenewQuestion.init, \.creates)
  /// Whether the engines then create new ones.
  let creates: Bool

  package init(creates: Bool) { self.creates = creates }

  package var call: EngineCall? { creates ? nil : .destroy }

  package func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Done {
    chain.destroy()
    if creates { try chain.create() }
    return Done()
  }
}
