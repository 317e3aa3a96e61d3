import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

// How the fields of messages are written, each beside how it is read.

extension CallContext: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(viewport)
    writer.put(change.what)
    writer.put(change.first_section)
    writer.put(change.first_item)
    writer.put(mirrorWidth)
    writer.put(rowLimit)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> CallContext {
    CallContext(
      viewport: try reader.read(),
      change: tessera_change(
        what: try reader.read(), first_section: try reader.read(), first_item: try reader.read()),
      mirrorWidth: try reader.read(), rowLimit: try reader.read())
  }
}

extension Viewport: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(bounds)
    writer.put(offset)
    writer.put(contentInsets)
    writer.put(safeAreaInsets)
    writer.put(layoutMargins)
    writer.put(scale)
    writer.put(direction == .rightToLeft)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Viewport {
    Viewport(
      bounds: try reader.read(), offset: try reader.read(), contentInsets: try reader.read(),
      safeAreaInsets: try reader.read(), layoutMargins: try reader.read(),
      scale: try reader.read(), direction: try reader.read() ? .rightToLeft : .leftToRight)
  }
}

extension SessionValues.Place: FieldCodable {
  package static let fields = Fields(SessionValues.Place.init(layer:index:), \.layer, \.index)
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
    for (layer, columns) in values.columns.enumerated() {
      for (index, memory) in columns.enumerated() {
        let place = SessionValues.Place(layer: layer, index: index)
        put(memory.map { values.shifted($0.column, at: place) }, in: input)
      }
    }
    for list in values.lists.joined() {
      put(list?.count ?? -1)
      for column in list?.columns ?? [] { put(column.column, in: input) }
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
    let sections = try read(Int.self)
    let starts = UnsafeBufferPointer(
      start: (input + (try read(Int.self))).bindMemory(to: UInt64.self, capacity: sections + 1),
      count: sections + 1)
    let settings = try chain.map { engine throws(HostError) in
      try engine.parameters.map { _ throws(HostError) in try rawValue() }
    }
    let columns = try chain.map { engine throws(HostError) in
      try engine.values.map { _ throws(HostError) in try column(in: input) }
    }
    let lists = try chain.map { engine throws(HostError) in
      try engine.lists.map { list throws(HostError) in try records(of: list, in: input) }
    }
    let delegates = try chain.map { engine throws(HostError) in
      try engine.delegateFunctions.map { _ throws(HostError) in try read(Bool.self) }
    }
    let place = try read(SessionValues.Place.self)
    let measured = try column(in: input)
    return SuppliedValues(
      starts: starts, settings: settings, columns: columns, lists: lists,
      delegates: delegates, sizing: measured.map { (place, $0) })
  }

  private mutating func records(
    of list: ListDescription, in input: UnsafeMutableRawPointer
  ) throws(HostError) -> ListMemory? {
    let count = try read(Int.self)
    guard count >= 0 else { return nil }
    var columns: [ValueMemory] = []
    for _ in list.columns {
      guard let column = try column(in: input) else {
        throw ByteReader.broken("holds a list without one of its columns")
      }
      columns.append(column)
    }
    return ListMemory(count: count, columns: columns)
  }

  private mutating func rawValue() throws(HostError) -> tessera_value {
    var value = tessera_value()
    let bytes = try raw(count: MemoryLayout<tessera_value>.size)
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return value
  }

  private mutating func column(in input: UnsafeMutableRawPointer) throws(HostError) -> ValueMemory?
  {
    let offset = try read(Int.self)
    let stride = try read(UInt64.self)
    guard offset >= 0 else { return nil }
    return ValueMemory(borrowing: tessera_column(data: input + offset, stride: stride))
  }
}
