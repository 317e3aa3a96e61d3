import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// What a host asks of a worker; the first byte of its message.
package enum Request: UInt8 {
  case prepare = 1, stillValid, elements, element, adjust, call, restingOffset, reorderingTarget
  case beginUpdate, endUpdate, shape, sizing, proposals, destroy, renew

  /// The name that the contract gives the function.
  package var name: String {
    switch self {
    case .prepare: "prepare"
    case .stillValid: "still_valid"
    case .elements: "elements_in_rect"
    case .element: "element"
    case .adjust: "adjust"
    case .call: "a published function"
    case .restingOffset: "resting_offset"
    case .reorderingTarget: "reordering.target"
    case .beginUpdate: "updates.begin"
    case .endUpdate: "updates.end"
    case .shape: "updates.initial_attributes or final_attributes"
    case .sizing: "sizing.estimate"
    case .proposals: "sizing.proposal"
    case .destroy: "destroy"
    case .renew: "destroy and create"
    }
  }
}

/// What a worker says; the first byte of its message.
package enum Answer: UInt8 {
  /// The call is over, and this is what came of it.
  case done = 1
  /// The call failed: kind and sentence.
  case failed
  /// Before it can go on it wants a delegate function's result.
  case delegate
  /// It tells how far it is, and wants to know whether to go on.
  case progress
}

extension ByteWriter {
  package mutating func put(_ given: Given) {
    put(given.surroundings)
    put(given.change.what)
    put(given.change.first_section)
    put(given.change.first_item)
    put(given.mirrorWidth != nil)
    put(given.mirrorWidth ?? 0)
    put(given.rowLimit)
  }

  package mutating func put(_ surroundings: Surroundings) {
    put(surroundings.bounds)
    put(surroundings.offset)
    put(surroundings.contentInsets)
    put(surroundings.safeAreaInsets)
    put(surroundings.layoutMargins)
    put(surroundings.scale)
    put(surroundings.direction == .rightToLeft)
  }

  package mutating func put(_ size: Size) {
    put(size.width)
    put(size.height)
  }

  package mutating func put(_ point: Point) {
    put(point.x)
    put(point.y)
  }

  package mutating func put(_ rect: Rect) {
    put(rect.x)
    put(rect.y)
    put(rect.width)
    put(rect.height)
  }

  package mutating func put(_ insets: Insets) {
    put(insets.top)
    put(insets.left)
    put(insets.bottom)
    put(insets.right)
  }
}

extension ByteReader {
  package mutating func given() throws(HostError) -> Given {
    let surroundings = try surroundings()
    let change = tessera_change(
      what: try uint32(), first_section: try uint32(), first_item: try uint64())
    let isMirrored = try bool()
    let width = try double()
    return Given(
      surroundings: surroundings, change: change, mirrorWidth: isMirrored ? width : nil,
      rowLimit: try int())
  }

  private mutating func surroundings() throws(HostError) -> Surroundings {
    var surroundings = Surroundings()
    surroundings.bounds = try size()
    surroundings.offset = try point()
    surroundings.contentInsets = try insets()
    surroundings.safeAreaInsets = try insets()
    surroundings.layoutMargins = try insets()
    surroundings.scale = try double()
    surroundings.direction = try bool() ? .rightToLeft : .leftToRight
    return surroundings
  }

  package mutating func size() throws(HostError) -> Size {
    Size(width: try double(), height: try double())
  }

  package mutating func point() throws(HostError) -> Point { Point(x: try double(), y: try double()) }

  package mutating func rect() throws(HostError) -> Rect {
    Rect(x: try double(), y: try double(), width: try double(), height: try double())
  }

  package mutating func insets() throws(HostError) -> Insets {
    Insets(top: try double(), left: try double(), bottom: try double(), right: try double())
  }

  package mutating func path() throws(HostError) -> ItemPath {
    ItemPath(section: try int(), item: try int())
  }
}

/// What a layout is given beside its surroundings, as it crosses to a worker.
///
/// Section starts and values are told by where they lie in the memory that the worker can read.
extension ByteWriter {
  package mutating func put(
    _ values: SessionValues, starts: SectionStarts, in input: SharedInput
  ) {
    put(starts.counts.count)
    put(input.offset(of: starts.buffer.baseAddress!))
    for settings in values.settings {
      for setting in settings { withUnsafeBytes(of: setting) { put(raw: $0) } }
    }
    for columns in values.columns {
      for memory in columns { put(memory?.column, in: input) }
    }
    for delegates in values.delegates {
      for function in delegates { put(function != nil) }
    }
    put(values.sizing?.place.layer ?? -1)
    put(values.sizing?.place.index ?? -1)
    put(values.sizing?.column, in: input)
  }

  private mutating func put(_ column: tessera_column?, in input: SharedInput) {
    put(column.map { input.offset(of: $0.data!) } ?? -1)
    put(column?.stride ?? 0)
  }
}

extension ByteReader {
  /// Reads what the host wrote for the engines of a chain.
  package mutating func suppliedData(
    _ chain: [EngineDescription], in input: UnsafeMutableRawPointer
  ) throws(HostError) -> SuppliedData {
    let sections = try int()
    let starts = UnsafeBufferPointer(
      start: (input + (try int())).bindMemory(to: UInt64.self, capacity: sections + 1),
      count: sections + 1)
    var settings: [[tessera_value]] = []
    for engine in chain {
      var own: [tessera_value] = []
      for _ in engine.parameters { own.append(try rawValue()) }
      settings.append(own)
    }
    var columns: [[ValueMemory?]] = []
    for engine in chain {
      var own: [ValueMemory?] = []
      for _ in engine.values { own.append(try column(in: input)) }
      columns.append(own)
    }
    var delegates: [[Bool]] = []
    for engine in chain {
      var own: [Bool] = []
      for _ in engine.delegateFunctions { own.append(try bool()) }
      delegates.append(own)
    }
    let place = SessionValues.Place(layer: try int(), index: try int())
    let measured = try column(in: input)
    return SuppliedData(
      starts: starts, settings: settings, columns: columns, delegates: delegates,
      sizing: measured.map { (place, $0) })
  }

  private mutating func rawValue() throws(HostError) -> tessera_value {
    var value = tessera_value()
    let bytes = try raw(count: MemoryLayout<tessera_value>.size)
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return value
  }

  private mutating func column(in input: UnsafeMutableRawPointer) throws(HostError) -> ValueMemory?
  {
    let offset = try int()
    let stride = try uint64()
    guard offset >= 0 else { return nil }
    return ValueMemory(borrowing: tessera_column(data: input + offset, stride: stride))
  }
}

extension ByteWriter {
  /// A value that a signature's type can hold, as the 32 bytes that C would see.
  package mutating func put(_ value: CallValue, as type: SignatureType) {
    withUnsafeTemporaryAllocation(byteCount: CallMemory.valueSize, alignment: 16) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0)
      if let base = room.baseAddress { CallMemory.storeResult(value, as: type, to: base) }
      put(type.rawValue)
      put(raw: UnsafeRawBufferPointer(room))
    }
  }

  /// A value of any type, with its case.
  package mutating func put(_ value: CallValue) { put(value, as: value.carrier) }
}

extension ByteReader {
  /// A value with its type; not checked to be finite.
  package mutating func callValue() throws(HostError) -> CallValue {
    let raw = try uint8()
    guard let type = SignatureType(rawValue: raw) else {
      throw Self.broken("holds a value of type \(raw)")
    }
    let bytes = try self.raw(count: CallMemory.valueSize)
    return withUnsafeTemporaryAllocation(byteCount: CallMemory.valueSize, alignment: 16) { room in
      room.copyBytes(from: bytes)
      return room.baseAddress.map { CallMemory.load(type, from: $0) } ?? .void
    }
  }
}


extension SessionValues {
  /// Answers a worker's question for the result of a delegate function.
  ///
  /// - Parameter answersAhead: What is told beside, where the worker asks for so many results that
  ///   follow.
  /// - Throws: `.brokenContract` for a question that makes no sense.
  package func delegateReply(
    _ question: inout ByteReader,
    ahead answersAhead: ([CallValue], Int, DelegateFunction) -> [CallValue] = { _, _, _ in [] }
  ) throws(HostError) -> ByteWriter {
    var reply = ByteWriter(reserving: 48)
    let layer = Int(try question.uint32())
    let place = Int(try question.uint32())
    let ahead = min(Int(try question.uint32()), WorkerLayout.mostAskedAhead)
    guard layer < delegates.count, place < delegates[layer].count,
      let function = delegates[layer][place]
    else { throw ByteReader.broken("asks for a delegate function that it was not given") }
    var arguments: [CallValue] = []
    for _ in function.signature.arguments { arguments.append(try question.callValue()) }
    do throws(HostError) {
      let value = try function.answer(arguments)
      reply.put(true)
      reply.put(value)
      for value in answersAhead(arguments, ahead, function) { reply.put(value) }
    } catch {
      reply.put(false)
      reply.put(error)
    }
    return reply
  }
}
