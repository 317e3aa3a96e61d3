import CTesseraHost
import TesseraGeometry
import TesseraHost

@c @implementation package func tessera_session_export(
  _ pointer: OpaquePointer?, _ schema: Out<ArrowSchema>, _ array: Out<ArrowArray>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let table = try ArrowColumn(try handle.lastAnswer())
    schema?.initialize(to: table.schema())
    array?.initialize(to: table.array())
  }
}

@c @implementation package func tessera_session_export_stream(
  _ pointer: OpaquePointer?, _ stream: Out<ArrowArrayStream>
) -> Int32 {
  session(pointer, reads: true) { handle in
    try notNull(stream, "stream").initialize(
      to: ArrowArrayStream(try ArrowColumn(try handle.lastAnswer())))
  }
}

@c @implementation package func tessera_arrow_share(
  _ array: In<ArrowArray>, _ schema: Out<ArrowSchema>,
  _ copy: Out<ArrowArray>, _ stream: Out<ArrowArrayStream>
) -> Int32 {
  // Arrays of other libraries have other private data.
  guard let array = array?.pointee, let release = array.release, let data = array.private_data,
    unsafeBitCast(release, to: Int.self) == unsafeBitCast(releaseArray, to: Int.self)
  else { return Int32.misused }
  let node = Unmanaged<ArrowNode<ArrowArray>>.fromOpaque(data).takeUnretainedValue()
  guard let column = node.column?.divided else { return Int32.misused }
  schema?.initialize(to: column.schema())
  copy?.initialize(to: column.array())
  stream?.initialize(to: ArrowArrayStream(column))
  return Int32.ok
}

private struct ArrowColumn {
  private let name: String
  private let format: String
  private let length: Int
  private var nullCount = 0
  /// Validity first; without nulls it has no memory.
  private var buffers: [ArrowMemory?]
  private var children: [ArrowColumn] = []
  private var dictionary: [ArrowColumn] = []

  private init(
    _ name: String, _ format: String, _ length: Int, _ buffers: [ArrowMemory?],
    children: [ArrowColumn] = [], dictionary: [ArrowColumn] = [], nullCount: Int = 0
  ) {
    (self.name, self.format, self.length) = (name, format, length)
    (self.buffers, self.children, self.dictionary) = (buffers, children, dictionary)
    self.nullCount = nullCount
  }

  /// Shares the result's memory where no conversion is needed; throws if out of memory.
  init(_ elements: Elements) throws(HostError) {
    let memory = elements.memory
    // Bytes for an index path and bits.
    try CountedMemory.require(memory.count, size: 24 + memory.declared.count)
    let count = memory.count
    func shared(_ base: UnsafeRawPointer) -> ArrowMemory { ArrowMemory(base, of: memory) }
    func lists(_ name: String, _ width: Int, _ base: UnsafeRawPointer) -> ArrowColumn {
      let item = ArrowColumn("item", "g", count * width, [nil, shared(base)])
      return ArrowColumn(name, "+w:\(width)", count, [nil], children: [item])
    }
    self.init("", "+s", count, [nil], children: Self.indexPaths(elements))
    children.append(lists("frame", 4, memory.frames))
    if let transforms = memory.transforms { children.append(lists("transform", 16, transforms)) }
    if let alphas = memory.alphas {
      children.append(ArrowColumn("alpha", "g", count, [nil, shared(alphas)]))
    }
    if let zIndexes = memory.zIndexes {
      children.append(ArrowColumn("z_index", "i", count, [nil, shared(zIndexes)]))
    }
    if let hidden = memory.hidden {
      children.append(
        ArrowColumn("hidden", "b", count, [nil, ArrowMemory(bits: hidden, count: count)]))
    }
    for (number, declared) in memory.declared.enumerated() {
      guard let values = memory.attribute(number) else { continue }
      let name = declared.name
      switch declared.type.component {
      case .truth:
        let bytes = values.assumingMemoryBound(to: UInt8.self)
        children.append(
          ArrowColumn(name, "b", count, [nil, ArrowMemory(bits: bytes, count: count)]))
      case .choice:
        children.append(
          ArrowColumn(
            name, "i", count, [nil, shared(values)], dictionary: [Self.texts(declared.choices)]))
      case .double where declared.type.isVector:
        children.append(lists(name, declared.type.width, values))
      default:
        let format = declared.type == .integer ? "l" : "g"
        children.append(ArrowColumn(name, format, count, [nil, shared(values)]))
      }
    }
  }

  /// Adds a column for each number of the frame, unless the name is taken.
  var divided: ArrowColumn {
    var table = self
    guard let place = children.firstIndex(where: { $0.name == "frame" }),
      let frames = children[place].children[0].buffers[1]
    else { return table }
    for (number, name) in ValueType.rect.components.enumerated().reversed()
    where !children.contains(where: { $0.name == name }) {
      let memory = ArrowMemory(byteCount: length * 8)
      let (from, to) = (frames.room(of: Double.self), memory.room(of: Double.self))
      for row in 0..<length { to[row] = from[4 * row + number] }
      table.children.insert(ArrowColumn(name, "g", length, [nil, memory]), at: place + 1)
    }
    return table
  }

  private static func indexPaths(_ elements: Elements) -> [ArrowColumn] {
    let memory = elements.memory
    func column<Number>(
      _ name: String, _ format: String, dictionary: [String]? = nil,
      _ write: (Run, UnsafeMutablePointer<Number>) -> Void
    ) -> ArrowColumn? {
      guard memory.names?.contains(name) ?? true else { return nil }
      let byteCount = memory.count * MemoryLayout<Number>.stride
      let numbers = ArrowMemory(byteCount: byteCount, used: byteCount)
      for run in memory.runs { write(run, numbers.room(of: Number.self) + run.row) }
      return ArrowColumn(
        name, format, memory.count, [nil, numbers], dictionary: dictionary.map { [texts($0)] } ?? []
      )
    }
    let category = column("category", "c", dictionary: ["cell", "supplementary", "decoration"]) {
      $1.update(repeating: Int8($0.category.rawValue), count: $0.count)
    }
    var kind = column("kind", "i", dictionary: elements.kinds.map(\.name)) {
      $1.update(repeating: $0.category == .cell ? 0 : Int32($0.kind), count: $0.count)
    }
    kind?.setNull(except: memory.runs.lazy.filter { $0.category != .cell })
    let section = column("section", "l") {
      $1.update(repeating: Int64($0.section), count: $0.count)
    }
    let item = column("item", "l") { run, numbers in
      for place in 0..<run.count { numbers[place] = Int64(run.firstItem) + Int64(place) }
    }
    return [category, kind, section, item].compactMap { $0 }
  }

  private mutating func setNull(except runs: some Sequence<Run>) {
    let validity = ArrowMemory(byteCount: (length + 7) / 8)
    let bits = validity.room(of: UInt8.self)
    nullCount = length
    for run in runs {
      for row in run.row..<run.row + run.count { bits[row / 8] |= 1 << UInt8(row % 8) }
      nullCount -= run.count
    }
    buffers[0] = validity
  }

  private static func texts(_ texts: [String]) -> ArrowColumn {
    let offsets = ArrowMemory(byteCount: (texts.count + 1) * 4)
    let bytes = ArrowMemory(byteCount: texts.reduce(0) { $0 + $1.utf8.count })
    var end = 0
    for (place, text) in texts.enumerated() {
      for byte in text.utf8 {
        bytes.room(of: UInt8.self)[end] = byte
        end += 1
      }
      offsets.room(of: Int32.self)[place + 1] = Int32(end)
    }
    return ArrowColumn("", "u", texts.count, [nil, offsets, bytes])
  }

  func schema() -> ArrowSchema {
    let parts = children.map { $0.schema() }
    let node = ArrowNode(parts, dictionary.first.map { $0.schema() })
    let (format, name) = (node.keep(text: format), node.keep(text: name))
    return ArrowSchema(
      format: format, name: name, metadata: nil,
      flags: buffers[0] == nil ? 0 : Int64(ARROW_FLAG_NULLABLE), n_children: Int64(parts.count),
      children: node.children, dictionary: node.dictionary,
      release: { schema in
        guard let schema, let data = schema.pointee.private_data else { return }
        let node = Unmanaged<ArrowNode<ArrowSchema>>.fromOpaque(data).takeRetainedValue()
        node.release { part in part.pointee.release.map { $0(part) } }
        (schema.pointee.private_data, schema.pointee.release) = (nil, nil)
      }, private_data: Unmanaged.passRetained(node).toOpaque())
  }

  func array() -> ArrowArray {
    let node = ArrowNode(children.map { $0.array() }, dictionary.first.map { $0.array() })
    node.column = self
    return ArrowArray(
      length: Int64(length), null_count: Int64(nullCount), offset: 0,
      n_buffers: Int64(buffers.count), n_children: Int64(children.count),
      buffers: node.keep(buffers), children: node.children, dictionary: node.dictionary,
      release: releaseArray, private_data: Unmanaged.passRetained(node).toOpaque())
  }
}

/// Its address also marks arrays of this library.
private let releaseArray: @convention(c) (UnsafeMutablePointer<ArrowArray>?) -> Void = { array in
  guard let array, let data = array.pointee.private_data else { return }
  let node = Unmanaged<ArrowNode<ArrowArray>>.fromOpaque(data).takeRetainedValue()
  node.release { part in part.pointee.release.map { $0(part) } }
  (array.pointee.private_data, array.pointee.release) = (nil, nil)
}

/// Owned by an exported struct until its release.
private final class ArrowNode<Part> {
  let children: UnsafeMutablePointer<UnsafeMutablePointer<Part>?>
  let dictionary: UnsafeMutablePointer<Part>?
  var column: ArrowColumn?
  private let childCount: Int
  private var memory: [ArrowMemory?] = []
  private var addresses: UnsafeMutablePointer<UnsafeRawPointer?>?
  private var texts = TextStore()

  init(_ parts: [Part], _ dictionary: Part?) {
    func place(_ part: Part) -> UnsafeMutablePointer<Part> {
      let place = UnsafeMutablePointer<Part>.allocate(capacity: 1)
      place.initialize(to: part)
      return place
    }
    childCount = parts.count
    children = .allocate(capacity: max(1, parts.count))
    for (number, part) in parts.enumerated() { (children + number).initialize(to: place(part)) }
    self.dictionary = dictionary.map(place)
  }

  deinit {
    for number in 0..<childCount { children[number]?.deallocate() }
    children.deallocate()
    dictionary?.deallocate()
    addresses?.deallocate()
  }

  /// Skips children that the consumer moved.
  func release(_ release: (UnsafeMutablePointer<Part>) -> Void) {
    for number in 0..<childCount { children[number].map(release) }
    dictionary.map(release)
  }

  func keep(text: String) -> Text { texts.pointer(to: text) }

  func keep(_ buffers: [ArrowMemory?]) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    let addresses = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
    for (number, buffer) in buffers.enumerated() {
      (addresses + number).initialize(to: buffer.map { UnsafeRawPointer($0.base) })
    }
    (memory, self.addresses) = (buffers, addresses)
    return addresses
  }
}

/// Column memory: a result's, which it retains, or owned.
private final class ArrowMemory {
  let base: UnsafeMutableRawPointer
  private let owner: ElementColumns?

  init(_ base: UnsafeRawPointer, of owner: ElementColumns) {
    (self.base, self.owner) = (UnsafeMutableRawPointer(mutating: base), owner)
  }

  /// In 64-byte blocks as the format recommends; the first `used` bytes aren't zeroed.
  init(byteCount: Int, used: Int = 0) {
    let size = max(64, (byteCount + 63) / 64 * 64)
    base = .allocate(byteCount: size, alignment: 64)
    (base + used).initializeMemory(as: UInt8.self, repeating: 0, count: size - used)
    owner = nil
  }

  convenience init(bits bytes: UnsafePointer<UInt8>, count: Int) {
    self.init(byteCount: (count + 7) / 8)
    let bits = room(of: UInt8.self)
    for place in 0..<count { bits[place / 8] |= bytes[place] << UInt8(place % 8) }
  }

  deinit { if owner == nil { base.deallocate() } }

  func room<Item>(of _: Item.Type) -> UnsafeMutablePointer<Item> {
    base.assumingMemoryBound(to: Item.self)
  }
}

private final class ArrowStreamState {
  let table: ArrowColumn
  var isDone = false

  init(_ table: ArrowColumn) { self.table = table }

  static func of(_ stream: Out<ArrowArrayStream>) -> ArrowStreamState? {
    stream?.pointee.private_data.map {
      Unmanaged<ArrowStreamState>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension ArrowArrayStream {
  fileprivate init(_ table: ArrowColumn) {
    // 22 is EINVAL: the stream was released.
    self.init(
      get_schema: { stream, schema in
        guard let state = ArrowStreamState.of(stream), let schema else { return 22 }
        schema.initialize(to: state.table.schema())
        return 0
      },
      get_next: { stream, array in
        guard let state = ArrowStreamState.of(stream), let array else { return 22 }
        array.initialize(to: state.isDone ? ArrowArray() : state.table.array())
        state.isDone = true
        return 0
      }, get_last_error: { _ in nil },
      release: { stream in
        guard let stream, let data = stream.pointee.private_data else { return }
        Unmanaged<ArrowStreamState>.fromOpaque(data).release()
        (stream.pointee.private_data, stream.pointee.release) = (nil, nil)
      }, private_data: Unmanaged.passRetained(ArrowStreamState(table)).toOpaque())
  }
}
