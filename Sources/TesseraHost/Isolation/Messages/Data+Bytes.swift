import CTessera

/// What a layout is given beside its surroundings, as it crosses to a worker.
///
/// Section starts and values are told by where they lie in the memory that the worker can read.
extension ByteWriter {
  mutating func put(
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

/// What a worker's engines are given.
struct SuppliedData {
  let starts: UnsafeBufferPointer<UInt64>
  let settings: [[tessera_value]]
  let columns: [[ValueMemory?]]
  /// Whether the host answers each delegate function.
  let delegates: [[Bool]]
  /// The value that measuring supplies.
  let sizing: (place: SessionValues.Place, memory: ValueMemory)?
}

extension ByteReader {
  /// Reads what the host wrote for the engines of a chain.
  mutating func suppliedData(
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
