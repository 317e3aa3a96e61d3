import CTessera
import TesseraCatalog
import TesseraGeometry

// The calls into a session's engines: fields, reply, encoding, and how a chain answers. A
// `LayoutRunner` is the chain itself, or sends the question to a worker.

// Runs a session's engines, in this process or in a worker. Questions use the current values and
// section starts; rows are valid until the next question.
package protocol LayoutRunner: AnyObject {
  var traits: ChainTraits { get }
  var numbering: ChainNumbers { get }
  var prepared: RowStore { get }
  var index: PreparedIndex { get }
  var warnings: [String] { get }
  /// 0...1; returning false cancels the call.
  var progress: (@Sendable (Double) -> Bool)? { get set }
  var trace: (@Sendable (String) -> Void)? { get set }
  /// Seconds per question; nil for the host's limit, and unlimited in-process.
  var timeLimit: Double? { get set }
  var time: QuestionTime { get set }
  /// Becomes readable when the engines' process ends; nil if unwanted.
  var endReports: Int32? { get set }

  var roomRemedy: HostError.Remedy { get }
  /// Whether the prepared layout is gone, such as after a worker exited.
  var isLost: Bool { get }
  var sandbox: SandboxGrade { get }

  /// Doesn't prepare.
  func valuesChanged()
  func supply(_ starts: SectionStarts)
  func answerStore(limit: Int, columns: BuiltInColumns) throws(HostError) -> RowStore

  /// The engines change or add to `rows`; nil for the prepared rows.
  @discardableResult
  func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext, rows: RowStore?
  ) throws(HostError) -> Asked.Reply
  // A crash fails only its part. `receive` gets each part's rows, valid until it returns, or its
  // error, and returns whether to go on.
  func prepareEach(
    _ parts: [LayoutPart], _ context: CallContext,
    receive: (Int, Result<PreparedPart, HostError>) -> Bool
  ) throws(HostError)
  /// Whether the process ended and the next call will restart it.
  func noticesEnd() -> Bool
  /// The next prepare creates new layouts.
  func close() throws(HostError)
  /// Recreates the layouts in the same process.
  func renew() throws(HostError)
}

extension LayoutRunner {
  @discardableResult
  package func ask<Asked: Question>(
    _ question: Asked, _ context: CallContext
  ) throws(HostError) -> Asked.Reply {
    try ask(question, context, rows: nil)
  }

  package func answerStore(limit: Int) throws(HostError) -> RowStore {
    try answerStore(limit: limit, columns: numbering.adjustedColumns)
  }
}

package protocol Question: ByteCodable {
  associatedtype Reply: ByteCodable
  /// Nil if it takes several calls.
  var call: EngineCall? { get }
  /// With arguments, for errors: "topOf(0, 4)"; nil if they don't matter.
  var asked: String? { get }
  /// Whether engines get values set since the last such question.
  static var takesValues: Bool { get }
  static var writesRows: Bool { get }
  /// Whether the reply reports unchanged rows.
  func keepsRows(_ reply: Reply) -> Bool
  func answer(
    by chain: LayoutChain, _ rows: RowStore, _ context: CallContext
  ) throws(HostError) -> Reply
  /// Throws `.brokenContract` for a reply that these engines can't have given.
  func check(_ reply: Reply, of chain: [EngineDescription]) throws(HostError)
}

extension Question {
  package var asked: String? { nil }
  package static var takesValues: Bool { false }
  package static var writesRows: Bool { false }
  package func keepsRows(_ reply: Reply) -> Bool { false }
  package func check(_ reply: Reply, of chain: [EngineDescription]) throws(HostError) {}
}

/// A message has the index of its question's type.
package let questionTypes: [any Question.Type] = [
  PrepareQuestion.self, ElementsQuestion.self, ElementQuestion.self, AdjustQuestion.self,
  BatchQuestion.self, CallQuestion.self, RestQuestion.self, TargetQuestion.self,
  BeginUpdateQuestion.self, EndUpdateQuestion.self, AppearanceQuestion.self, SizesQuestion.self,
  RenewQuestion.self,
]

/// For questions without an answer, or with the answer in the rows.
package struct Done: FieldCodable {
  package static let fields = Fields(Done.init)

  package init() {}
}

// ---------------------------------------------------------------- prepare

/// A lazy engine computes only the content size.
package struct PrepareQuestion: Question {
  /// Whether to ask first if the layout is still valid with other bounds.
  let unlessValid: Bool

  /// One byte, then the content size.
  package enum Reply: ByteCodable {
    case stillValid
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

  // By hand: a list of fields takes a microsecond.
  package func write(to writer: inout ByteWriter) { writer.put(unlessValid) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> PrepareQuestion {
    PrepareQuestion(unlessValid: try reader.read())
  }
}

// Prepares parts separately; `partFinished` keeps their rows. The reply is the number done.
package struct BatchQuestion: Question, FieldCodable {
  package static let fields = Fields(
    BatchQuestion.init, \.firstSection, \.parts, \.parameters)
  /// Parts per question.
  package static let limit = 256
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

package struct ElementQuestion: Question, PlainCodable {
  /// Rows in the answer, with space for more that the engine adds.
  package static let rowLimit = 1 << 16
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

/// The reply is nil if no engine publishes the function.
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

/// Bases first.
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
          chain.withInput(layer) { input in
            chain.lending(&resting, "the resting offset") {
              call(layer.instance, input, speed, $0)
            }
          }
        } result: { status in
          "status \(status), \(resting.x), \(resting.y)"
        }
        try chain.check(status, .restingOffset, in: chain.prepared)
      }
    }
    return Point(x: resting.x, y: resting.y)
  }
}

/// Bases first.
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

  /// The item that the dragged item goes before; may not exist.
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
          chain.withInput(layer) { input in
            chain.lending(&section, "the target's section") { section in
              chain.lending(&place, "the target's item") {
                target(
                  layer.instance, input, UInt32(item.section), UInt64(item.item), raw, section, $0)
              }
            }
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
          chain.withInput(layer) { input in
            // An empty array has no address, but the contract forbids null.
            let updates = UnsafeMutablePointer(mutating: buffer.baseAddress ?? emptyOperations)
            return chain.lending(updates, count: buffer.count, "the updates") {
              begin(layer.instance, input, $0, UInt64(buffer.count))
            }
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

  // Raw memory: a batch can have millions of operations.
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

private nonisolated(unsafe) let emptyOperations: UnsafePointer<tessera_update> = {
  let empty = UnsafeMutablePointer<tessera_update>.allocate(capacity: 1)
  empty.initialize(to: tessera_update())
  return UnsafePointer(empty)
}()

/// Only on engines whose `begin` was called.
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

/// Initial attributes of appearing elements, or final ones of disappearing elements.
package struct AppearanceQuestion: Question, FieldCodable {
  package static let fields = Fields(AppearanceQuestion.init, \.appears)
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

// Run by run from an element on. A reply covers at least one; the next question continues.
package struct SizesQuestion: Question, PlainCodable {
  /// Sizes per run, and roughly per reply, to fit a message.
  package static let limit = 16_384
  /// Elements per run if the engine answers with one size or none.
  package static let longest = 1 << 22
  let layer: Int
  /// Index among the engine's measured values.
  let measured: Int
  let start: ItemPath
  /// `longest`, or `limit` for an engine that answers with a size for each element.
  let most: Int

  package init(layer: Int, measured: Int, start: ItemPath, most: Int = Self.limit) {
    (self.layer, self.measured, self.start, self.most) = (layer, measured, start, most)
  }

  /// For each run the numbers of estimates and proposals; `sizes` has them in this order.
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

    /// Throws unless each is possible for a run, and they add up to the sizes.
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
    // Sizes are asked for before a prepare.
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
        // It is zero between calls.
        if !isZero { memory.update(repeating: unwritten, count: length) }
        let status = chain.traced("sizing.\(name)(section \(place.section), \(length) elements)") {
          chain.withInput(layer) { input in
            chain.lending(&run, "the tessera_run") { run in
              chain.lending(&count, "the count of sizes") { count in
                chain.lending(memory, count: length, "the sizes") {
                  function(layer.instance, input, run, $0, count)
                }
              }
            }
          }
        } result: {
          "status \($0), \(count) sizes"
        }
        if let error = chain.takeDelegateError() { throw error }
        // The last prepare may have been refused rows; irrelevant here.
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

  /// From this element to the run's end; 0 in an empty section.
  package static func length(
    at place: ItemPath, isKind: Bool, _ starts: UnsafeBufferPointer<UInt64>, _ most: Int = limit
  ) -> Int {
    if isKind { return 1 }
    let items = starts[place.section + 1] - starts[place.section]
    return min(most, Int(clamping: items) - place.item)
  }

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

package struct RenewQuestion: Question, FieldCodable {
  package static let fields = Fields(RenewQuestion.init, \.creates)
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
