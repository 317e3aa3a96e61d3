import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

// How the fields of messages are written, each beside how it is read.

extension ByteWriter {
  package mutating func put(_ context: CallContext) {
    put(context.surroundings)
    put(context.change.what)
    put(context.change.first_section)
    put(context.change.first_item)
    put(context.mirrorWidth != nil)
    put(context.mirrorWidth ?? 0)
    put(context.rowLimit)
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

  package mutating func put(_ path: ItemPath) {
    put(path.section)
    put(path.item)
  }

  package mutating func put(_ insets: Insets) {
    put(insets.top)
    put(insets.left)
    put(insets.bottom)
    put(insets.right)
  }
}

extension ByteReader {
  package mutating func callContext() throws(HostError) -> CallContext {
    let surroundings = try surroundings()
    let change = tessera_change(
      what: try uint32(), first_section: try uint32(), first_item: try uint64())
    let isMirrored = try bool()
    let width = try double()
    return CallContext(
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

  package mutating func point() throws(HostError) -> Point {
    Point(x: try double(), y: try double())
  }

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

// The input of a layout besides its call context. Section starts and values lie in memory that the
// worker can read; the message holds their offsets there.
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
  ) throws(HostError) -> SuppliedValues {
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
    return SuppliedValues(
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

  package mutating func put(_ values: [CallValue]) {
    put(count: values.count)
    for value in values { put(value) }
  }
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

  package mutating func callValues() throws(HostError) -> [CallValue] {
    var values: [CallValue] = []
    for _ in 0..<(try count(ofAtLeast: 33)) { values.append(try callValue()) }
    return values
  }
}
