import TesseraHost
import TesseraScenario

/// The results of a batch as a stream in the IPC format of Apache Arrow.
///
/// A row is a layout, and a column of elements has a list for each layout. The values of `category`,
/// `kind` and of choices are dictionaries, which come once after the schema.
final class ArrowStream {
  private let columns: BuiltInColumns
  private let numbering: ChainNumbers
  private let engine: String
  private var bytes: [UInt8] = []
  /// The memory of the last record batch, which the next one uses.
  private var body = ArrowBody()

  init(_ engine: Engine) throws(HostError) {
    self.engine = engine.description.id
    numbering = try ChainNumbers(chain: engine.chain)
    let traits = ChainTraits(chain: engine.chain)
    columns = traits.asksEachTime ? numbering.adjustedColumns : numbering.columns
  }

  /// The number of bytes that were not taken.
  var count: Int { bytes.count }

  /// Calls a closure with the bytes so far, and removes them.
  func take(_ sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard !bytes.isEmpty else { return }
    try bytes.withUnsafeBytes(sink)
    bytes.removeAll(keepingCapacity: true)
  }

  /// What follows the last batch.
  static let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

  /// The schema and the dictionaries.
  func start() -> [UInt8] {
    let fields =
      [
        ArrowField("id", .text), ArrowField("line", .integer(bits: 64), isNullable: false),
        ArrowField("status", .integer(bits: 32), isNullable: false), ArrowField("error", .text),
        ArrowField("content_size", .numbers(2)),
      ]
      + elementFields.map { field in
        ArrowField(
          field.name,
          .list(ArrowField("item", field.arrowType, isNullable: field.isNullable)))
      }
    var result: [UInt8] = []
    ArrowMessage.schema(fields, metadata: [("engine", engine)]).append(to: &result)
    for (id, texts) in dictionaries.enumerated() {
      var body = ArrowBody()
      body.append(texts: texts)
      ArrowMessage.dictionary(id, of: texts.count, body).append(to: &result)
    }
    return result
  }

  /// The texts of each dictionary, by its id.
  private var dictionaries: [[String]] {
    [["cell", "supplementary", "decoration"], numbering.kinds.map(\.name)]
      + numbering.attributes.filter { $0.type.component == .choice }.map(\.choices)
  }

  private var elementFields: [ArrowField] {
    var fields = [
      ArrowField("category", .choice(dictionary: 0, bits: 8), isNullable: false),
      ArrowField("kind", .choice(dictionary: 1, bits: 32)),
      ArrowField("section", .integer(bits: 64), isNullable: false),
      ArrowField("item", .integer(bits: 64), isNullable: false),
      ArrowField("frame", .numbers(4), isNullable: false),
    ]
    func add(_ name: String, _ type: ArrowType) {
      fields.append(ArrowField(name, type, isNullable: false))
    }
    if columns.contains(.transform) { add("transform", .numbers(16)) }
    if columns.contains(.alpha) { add("alpha", .number) }
    if columns.contains(.zIndex) { add("z_index", .integer(bits: 32)) }
    if columns.contains(.hidden) { add("hidden", .bool) }
    var dictionary = 2
    for attribute in numbering.attributes {
      switch attribute.type.component {
      case .truth: add(attribute.name, .bool)
      case .choice:
        add(attribute.name, .choice(dictionary: dictionary, bits: 32))
        dictionary += 1
      case .double where attribute.type.isVector:
        add(attribute.name, .numbers(attribute.type.width))
      default: add(attribute.name, attribute.type == .integer ? .integer(bits: 64) : .number)
      }
    }
    return fields
  }

  /// Appends a record batch with the results of some lines.
  func append(_ outcomes: [ScenarioBatch.Outcome]) {
    body.clear()
    let layouts = outcomes.map { try? $0.layout.get() }
    let errors = outcomes.map { outcome -> HostError? in
      if case .failure(let error) = outcome.layout { error } else { nil }
    }
    let areLaidOut = layouts.map { $0 != nil }
    body.append(texts: outcomes.map(\.idText))
    body.append(outcomes.map { Int64($0.line) })
    body.append(errors.map { $0?.kind.status.rawValue ?? 0 })
    let messages: [String?] = errors.map { error in error.map(\.commandMessage) }
    body.append(texts: messages)
    body.appendNode(outcomes.count, areValid: areLaidOut)
    let sizes: [Size] = layouts.map { $0?.contentSize ?? .zero }
    body.appendNode(2 * outcomes.count)
    body.appendBuffer(of: sizes)
    var ends: [Int32] = [0]
    for layout in layouts { ends.append(ends[ends.count - 1] + Int32(layout?.range.count ?? 0)) }
    append(layouts.compactMap(\.self), count: Int(ends[ends.count - 1]), to: &body) { body in
      body.appendNode(outcomes.count, areValid: areLaidOut)
      body.appendBuffer(of: ends)
    }
    ArrowMessage.records(outcomes.count, body).append(to: &bytes)
  }

  /// Appends the columns of all elements.
  ///
  /// - Parameter begin: Appends what each column of lists begins with.
  private func append(
    _ layouts: [BatchedLayout], count: Int, to body: inout ArrowBody,
    begin: (inout ArrowBody) -> Void
  ) {
    let pieces = layouts.flatMap(\.pieces)
    func column<Item>(_ value: (_ piece: BatchedLayout.Piece, _ item: Int) -> Item) -> [Item] {
      var values: [Item] = []
      values.reserveCapacity(count)
      for piece in pieces {
        for item in piece.firstItem..<piece.firstItem + piece.places.count {
          values.append(value(piece, item))
        }
      }
      return values
    }
    begin(&body)
    body.append(column { piece, _ in Int8(piece.category.rawValue) })
    begin(&body)
    body.appendNode(count, areValid: column { piece, _ in piece.category != .cell })
    body.appendBuffer(of: column { piece, _ in Int32(piece.kind) })
    begin(&body)
    body.append(column { piece, _ in Int64(piece.section) })
    begin(&body)
    body.append(column { _, item in Int64(item) })

    /// Appends what a column of each layout holds, or a default.
    func appendCopies<Item>(
      _ memory: (ElementColumns) -> UnsafeMutablePointer<Item>?, default value: Item
    ) {
      body.appendBuffer(byteCount: count * MemoryLayout<Item>.stride) { target in
        let target = target.bindMemory(to: Item.self)
        var place = 0
        for layout in layouts where !layout.range.isEmpty {
          let start = target.baseAddress! + place
          if let source = memory(layout.elements.memory) {
            start.update(from: source + layout.range.lowerBound, count: layout.range.count)
          } else {
            start.update(repeating: value, count: layout.range.count)
          }
          place += layout.range.count
        }
      }
    }
    begin(&body)
    body.appendNode(count)
    body.appendNode(4 * count)
    appendCopies(\.frames, default: Rect(x: 0, y: 0, width: 0, height: 0))
    if columns.contains(.transform) {
      begin(&body)
      body.appendNode(count)
      body.appendNode(16 * count)
      appendCopies(\.transforms, default: .identity)
    }
    if columns.contains(.alpha) {
      begin(&body)
      body.appendNode(count)
      appendCopies(\.alphas, default: 1)
    }
    if columns.contains(.zIndex) {
      begin(&body)
      body.appendNode(count)
      appendCopies(\.zIndexes, default: 0)
    }
    if columns.contains(.hidden) {
      begin(&body)
      body.append(
        bits: layouts.flatMap { layout in
          layout.range.map { layout.elements.memory.hidden?[$0] == 1 }
        })
    }
    for (number, attribute) in numbering.attributes.enumerated() {
      begin(&body)
      append(attribute, number, of: layouts, count: count, to: &body)
    }
  }

  /// Appends the column of an attribute.
  private func append(
    _ attribute: AttributeDescription, _ number: Int, of layouts: [BatchedLayout], count: Int,
    to body: inout ArrowBody
  ) {
    let stride = attribute.type.stride
    let initial = attribute.initial.raw(as: attribute.type, choices: attribute.choices)
    func copy(to target: UnsafeMutableRawBufferPointer) {
      var offset = 0
      for layout in layouts where !layout.range.isEmpty {
        let length = layout.range.count * stride
        let part = UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + length])
        if let values = layout.elements.memory.attributes[number].values {
          part.copyMemory(
            from: UnsafeRawBufferPointer(
              start: values + layout.range.lowerBound * stride, count: length))
        } else if let initial {
          withUnsafeBytes(of: initial) { bytes in
            for place in 0..<length { part[place] = bytes[place % stride] }
          }
        }
        offset += length
      }
    }
    guard attribute.type.component != .truth else {
      var truths = [UInt8](repeating: 0, count: count * stride)
      truths.withUnsafeMutableBytes(copy)
      return body.append(bits: truths.map { $0 == 1 })
    }
    body.appendNode(count)
    if attribute.type.component == .double, attribute.type.isVector {
      body.appendNode(count * attribute.type.width)
    }
    body.appendBuffer(byteCount: count * stride, copy)
  }
}

extension ScenarioBatch.Outcome {
  /// The id: a text without its quotes, anything else as it was written; nil if there is none.
  fileprivate var idText: String? {
    guard let id else { return nil }
    if id.first == UInt8(ascii: "\""), case .text(let text)? = try? JSON(parsing: id, name: "id") {
      return text
    }
    let text = String(decoding: id, as: UTF8.self)
    return text == "null" ? nil : text
  }
}

/// The type of an Arrow column.
private indirect enum ArrowType {
  case text, bool, number
  case integer(bits: Int32)
  /// As many doubles in each row.
  case numbers(Int)
  /// Indexes of the texts of a dictionary.
  case choice(dictionary: Int, bits: Int32)
  case list(ArrowField)
}

/// An Arrow column: its name and its type.
private struct ArrowField {
  let name: String
  let arrowType: ArrowType
  let isNullable: Bool

  init(_ name: String, _ type: ArrowType, isNullable: Bool = true) {
    (self.name, arrowType, self.isNullable) = (name, type, isNullable)
  }

  /// The field as the table `Field` of the format.
  var flat: FlatValue {
    var dictionary: FlatValue?
    var (number, parameters, children): (UInt8, [FlatValue?], [ArrowField]) = (0, [], [])
    switch arrowType {
    case .integer(let bits): (number, parameters) = (2, [.int(bits), .byte(1)])
    case .number: (number, parameters) = (3, [.short(2)])
    case .text: number = 5
    case .bool: number = 6
    case .list(let item): (number, children) = (12, [item])
    case .numbers(let count):
      (number, parameters) = (16, [.int(Int32(count))])
      children = [ArrowField("item", .number, isNullable: false)]
    case .choice(let id, let bits):
      number = 5
      dictionary = .table([.long(Int64(id)), .table([.int(bits), .byte(1)])])
    }
    return .table([
      .text(name), .byte(isNullable ? 1 : 0), .byte(number), .table(parameters), dictionary,
      .list(children.map(\.flat)),
    ])
  }
}

/// The nodes and buffers of a record batch.
private struct ArrowBody {
  private(set) var bytes: [UInt8] = []
  /// The row count and the null count of each column, depth first.
  private(set) var nodes: [[Int64]] = []
  /// The place and the length of each buffer.
  private(set) var buffers: [[Int64]] = []

  /// Removes everything, and keeps the memory.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    buffers.removeAll(keepingCapacity: true)
  }

  /// Appends a column whose values follow, and the bits that say which are valid.
  mutating func appendNode(_ count: Int, areValid: [Bool]? = nil) {
    let nullCount = areValid?.count { !$0 } ?? 0
    nodes.append([Int64(count), Int64(nullCount)])
    if let areValid, nullCount > 0 {
      appendBits(areValid)
    } else {
      appendBuffer(byteCount: 0) { _ in }
    }
  }

  /// Appends a column of plain values.
  mutating func append<Item>(_ values: [Item]) {
    appendNode(values.count)
    appendBuffer(of: values)
  }

  /// Appends a column of bools.
  mutating func append(bits: [Bool]) {
    appendNode(bits.count)
    appendBits(bits)
  }

  /// Appends a column of texts; nil is null.
  mutating func append(texts: [String?]) {
    appendNode(texts.count, areValid: texts.map { $0 != nil })
    var (ends, bytes) = ([Int32(0)], [UInt8]())
    for text in texts {
      bytes += (text ?? "").utf8
      ends.append(Int32(bytes.count))
    }
    appendBuffer(of: ends)
    appendBuffer(of: bytes)
  }

  mutating func appendBuffer<Item>(of values: [Item]) {
    values.withUnsafeBytes { source in
      appendBuffer(byteCount: source.count) { $0.copyMemory(from: source) }
    }
  }

  /// Appends memory of zeros for a closure to fill, in blocks of 64 bytes as the format recommends.
  mutating func appendBuffer(byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    let start = bytes.count
    buffers.append([Int64(start), Int64(byteCount)])
    guard byteCount > 0 else { return }
    bytes.append(contentsOf: repeatElement(0, count: (byteCount + 63) / 64 * 64))
    bytes.withUnsafeMutableBytes { bytes in
      fill(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + byteCount]))
    }
  }

  private mutating func appendBits(_ values: [Bool]) {
    appendBuffer(byteCount: (values.count + 7) / 8) { bits in
      for (place, value) in values.enumerated() where value { bits[place / 8] |= 1 << (place % 8) }
    }
  }
}

/// A message of the format: metadata as a flat buffer, then a body.
private struct ArrowMessage {
  private let metadata: [UInt8]
  private let body: [UInt8]

  static func schema(
    _ fields: [ArrowField], metadata: [(key: String, value: String)]
  ) -> ArrowMessage {
    let pairs = metadata.map { FlatValue.table([.text($0.key), .text($0.value)]) }
    return ArrowMessage(1, .table([.short(0), .list(fields.map(\.flat)), .list(pairs)]), [])
  }

  static func dictionary(_ id: Int, of count: Int, _ body: ArrowBody) -> ArrowMessage {
    ArrowMessage(2, .table([.long(Int64(id)), header(count, body)]), body.bytes)
  }

  static func records(_ count: Int, _ body: ArrowBody) -> ArrowMessage {
    ArrowMessage(3, header(count, body), body.bytes)
  }

  private static func header(_ count: Int, _ body: ArrowBody) -> FlatValue {
    .table([.long(Int64(count)), .structs(body.nodes), .structs(body.buffers)])
  }

  /// A message of version 5 of the metadata.
  private init(_ kind: UInt8, _ header: FlatValue, _ body: [UInt8]) {
    var metadata = FlatBuffer(
      root: .table([.short(4), .byte(kind), header, .long(Int64(body.count))])
    ).bytes
    while metadata.count % 8 != 0 { metadata.append(0) }
    (self.metadata, self.body) = (metadata, body)
  }

  func append(to bytes: inout [UInt8]) {
    bytes += [0xFF, 0xFF, 0xFF, 0xFF]
    withUnsafeBytes(of: UInt32(metadata.count).littleEndian) { bytes += $0 }
    bytes += metadata
    bytes += body
  }
}

/// A value of a flat buffer.
private indirect enum FlatValue {
  case byte(UInt8), short(Int16), int(Int32), long(Int64)
  case text(String)
  /// The fields by their numbers; nil is left out.
  case table([FlatValue?])
  case list([FlatValue])
  /// Structures of long integers.
  case structs([[Int64]])

  /// The bytes that the value has in a table; a reference for what is elsewhere.
  var size: Int {
    switch self {
    case .byte: 1
    case .short: 2
    case .long: 8
    case .int, .text, .table, .list, .structs: 4
    }
  }
}

/// Writes values as flat buffers have them: each table after its list of offsets, then what it refers
/// to.
private struct FlatBuffer {
  private(set) var bytes: [UInt8] = []

  init(root: FlatValue) {
    append(UInt32(0))
    refer(to: root, at: 0)
  }

  private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private mutating func store<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    withUnsafeBytes(of: number.littleEndian) { source in
      for (index, byte) in source.enumerated() { bytes[place + index] = byte }
    }
  }

  /// Appends zeros until the end, with an offset, is a multiple of a number.
  private mutating func align(to multiple: Int, offset: Int = 0) {
    while (bytes.count + offset) % multiple != 0 { bytes.append(0) }
  }

  /// Appends a value, and stores its distance at the place that refers to it.
  private mutating func refer(to value: FlatValue, at place: Int) {
    let target: Int
    switch value {
    case .table(let fields): target = append(table: fields)
    case .text(let text):
      align(to: 4)
      target = bytes.count
      append(UInt32(text.utf8.count))
      bytes += text.utf8
      bytes.append(0)
    case .list(let values):
      align(to: 4)
      target = bytes.count
      append(UInt32(values.count))
      let first = bytes.count
      for _ in values { append(UInt32(0)) }
      store(UInt32(target - place), at: place)
      for (index, value) in values.enumerated() { refer(to: value, at: first + 4 * index) }
    case .structs(let structs):
      align(to: 8, offset: 4)
      target = bytes.count
      append(UInt32(structs.count))
      for number in structs.joined() { append(number) }
    case .byte, .short, .int, .long: preconditionFailure("a number is inside its table")
    }
    store(UInt32(target - place), at: place)
  }

  private mutating func append(table fields: [FlatValue?]) -> Int {
    var (offsets, size) = ([UInt16](), 4)
    for field in fields {
      guard let field else {
        offsets.append(0)
        continue
      }
      size = (size + field.size - 1) / field.size * field.size
      offsets.append(UInt16(size))
      size += field.size
    }
    let length = 4 + 2 * offsets.count
    align(to: 8, offset: length)
    let vtable = bytes.count
    append(UInt16(length))
    append(UInt16(size))
    for offset in offsets { append(offset) }
    let table = bytes.count
    append(Int32(table - vtable))
    bytes.append(contentsOf: repeatElement(0, count: size - 4))
    for (field, offset) in zip(fields, offsets) {
      let place = table + Int(offset)
      switch field {
      case nil: break
      case .byte(let number): store(number, at: place)
      case .short(let number): store(number, at: place)
      case .int(let number): store(number, at: place)
      case .long(let number): store(number, at: place)
      case .some(let value): refer(to: value, at: place)
      }
    }
    return table
  }
}
