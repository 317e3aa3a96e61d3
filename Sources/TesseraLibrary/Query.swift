import CTesseraHost
import TesseraGeometry
import TesseraHost

@c @implementation package func tessera_session_content_size(
  _ pointer: OpaquePointer?, _ width: Out<Double>, _ height: Out<Double>
) -> Int32 {
  session(pointer) { handle in
    let width = try notNull(width, "place for the width")
    let height = try notNull(height, "place for the height")
    let size = try handle.session.contentSize()
    (width.pointee, height.pointee) = (size.width, size.height)
  }
}

@c @implementation package func tessera_session_query_rect(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
  _ elements: Out<tessera_element>, _ elementSize: UInt64, _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  query(pointer, elements, elementSize, capacity, count) {
    try $0.elements(in: Rect(x: x, y: y, width: width, height: height))
  }
}

@c @implementation package func tessera_session_query_drawn(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
  _ reach: Double, _ elements: Out<tessera_element>, _ elementSize: UInt64,
  _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  query(pointer, elements, elementSize, capacity, count) {
    try $0.elements(drawnIn: Rect(x: x, y: y, width: width, height: height), reach: reach)
  }
}

@c @implementation package func tessera_session_query_viewport(
  _ pointer: OpaquePointer?, _ elements: Out<tessera_element>, _ elementSize: UInt64,
  _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 { query(pointer, elements, elementSize, capacity, count) { try $0.visibleElements() } }

@c @implementation package func tessera_session_query_all(
  _ pointer: OpaquePointer?, _ elements: Out<tessera_element>, _ elementSize: UInt64,
  _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 { query(pointer, elements, elementSize, capacity, count) { try $0.elements() } }

@c @implementation package func tessera_session_query_columns(
  _ pointer: OpaquePointer?, _ rect: In<Double>,
  _ columns: Out<tessera_columns>, _ columnsSize: UInt64
) -> Int32 {
  session(pointer) { handle in
    let columns = try ProgramStruct(columns, size: columnsSize, "columns")
    handle.releaseLarge()
    let answer =
      try rect.map {
        try handle.session.elements(in: Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]))
      } ?? handle.session.visibleElements()
    columns.write(try handle.keepAnswer(answer))
  }
}

@c @implementation package func tessera_session_get_columns(
  _ pointer: OpaquePointer?, _ columns: Out<tessera_columns>, _ columnsSize: UInt64
) -> Int32 {
  session(pointer, reads: true) { handle in
    let columns = try ProgramStruct(columns, size: columnsSize, "columns")
    columns.write(handle.keep(try handle.lastAnswer()))
  }
}

@c @implementation package func tessera_session_get_attribute(
  _ pointer: OpaquePointer?, _ attribute: UInt32, _ values: Out<UnsafeRawPointer?>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let values = try notNull(values, "place for the values")
    let memory = try handle.lastAnswer().memory
    _ = try handle.attribute(attribute)
    values.pointee = memory.attribute(Int(attribute)).map { UnsafeRawPointer($0) }
  }
}

@c @implementation package func tessera_session_set_batch_columns(
  _ pointer: OpaquePointer?, _ names: In<Text>, _ count: UInt64
) -> Int32 {
  session(pointer) { handle in
    let count = try boundedCount(count, "count of columns", size: MemoryLayout<String>.stride)
    let chosen = try names.map { names in
      Set(try (0..<count).map { try notNullText(names[$0], "column's name") })
    }
    try handle.session.checkColumns(chosen)
    handle.batchColumns = chosen
  }
}

@c @implementation package func tessera_session_query_batch(
  _ pointer: OpaquePointer?, _ sectionCounts: In<UInt64>, _ bounds: In<Double>, _ count: UInt64,
  _ columns: Out<tessera_columns>, _ columnsSize: UInt64, _ batch: Out<tessera_batch>,
  _ batchSize: UInt64
) -> Int32 {
  session(pointer) { handle in
    let columns = try ProgramStruct(columns, size: columnsSize, "columns")
    let batch = try ProgramStruct(batch, size: batchSize, "batch")
    let count = try boundedCount(count, "count of layouts")
    let sections = handle.session.itemCounts.count
    guard count > 0 || sections == 0, sectionCounts != nil || count == sections else {
      throw HostError(
        .wrongCount,
        "there are \(count) layouts for \(sections) sections; give the sections of each layout, or "
          + "\(sections) layouts")
    }
    let parameters = try handle.checkedBatchParameters()
    handle.releaseLarge()
    let found = try handle.session.batch(
      sectionCounts.map { counts in (0..<count).map { Int(clamping: counts[$0]) } } ?? [],
      bounds.map { bounds in
        (0..<count).map { Size(width: bounds[2 * $0], height: bounds[2 * $0 + 1]) }
      } ?? [], handle.batchColumns, parameters.values, problems: parameters.problems)
    let layouts = try BatchColumns(found)
    handle.batch = layouts
    columns.write(handle.keep(found.elements))
    batch.write(
      tessera_batch(
        count: UInt64(count), ends: layouts.ends.baseAddress!,
        content_sizes: layouts.contentSizes.baseAddress!, statuses: layouts.statuses.baseAddress!))
  }
}

@c @implementation package func tessera_session_batch_message(
  _ pointer: OpaquePointer?, _ layout: UInt64
) -> Text {
  session(pointer, reads: true, else: nil) { handle in
    guard let batch = handle.batch, layout < UInt64(batch.count) else { return nil }
    return batch.texts.pointer(to: batch.errors[Int(layout)]?.libraryMessage ?? "")
  }
}

@c @implementation package func tessera_session_batch_code(
  _ pointer: OpaquePointer?, _ layout: UInt64
) -> Text {
  session(pointer, reads: true, else: nil) { handle in
    guard let batch = handle.batch, layout < UInt64(batch.count) else { return nil }
    return handle.texts.pointer(to: batch.errors[Int(layout)]?.code.rawValue ?? "")
  }
}

final class BatchColumns {
  let ends: UnsafeMutableBufferPointer<UInt64>
  let contentSizes: UnsafeMutableBufferPointer<Double>
  let statuses: UnsafeMutableBufferPointer<Int32>
  let errors: [Int: HostError]
  let count: Int
  var texts = TextStore()

  /// - Throws: `.unavailable` if out of memory.
  init(_ batch: LayoutBatch) throws(HostError) {
    count = batch.ranges.count
    try CountedMemory.require(count, size: 32)
    // Avoids a null address for no entries.
    ends = .allocate(capacity: max(1, count))
    contentSizes = .allocate(capacity: max(2, 2 * count))
    statuses = .allocate(capacity: max(1, count))
    errors = batch.errors
    for (layout, range) in batch.ranges.enumerated() {
      ends[layout] = UInt64(range.upperBound)
      contentSizes[2 * layout] = batch.contentSizes[layout].width
      contentSizes[2 * layout + 1] = batch.contentSizes[layout].height
      statuses[layout] = batch.errors[layout]?.kind.status ?? Int32.ok
    }
  }

  deinit {
    ends.deallocate()
    contentSizes.deallocate()
    statuses.deallocate()
  }
}

@c @implementation package func tessera_session_copy_elements(
  _ pointer: OpaquePointer?, _ first: UInt64, _ elements: Out<tessera_element>,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  session(pointer, reads: true) { handle in
    let count = try notNull(count, "place for the count")
    let room = try ElementRoom(elements, size: elementSize, capacity: capacity)
    let answer = try handle.lastAnswer()
    count.pointee = UInt64(
      answer.copy(
        from: Int(clamping: first), to: room, kinds: handle.kinds.numbers(of: answer.kinds)))
  }
}

@c @implementation package func tessera_session_find(
  _ pointer: OpaquePointer?, _ category: tessera_host_category, _ kind: Text, _ section: UInt64,
  _ item: UInt64, _ element: Out<tessera_element>, _ elementSize: UInt64
) -> Int32 {
  find(pointer, element, elementSize) { session in
    guard let category = ElementCategory(rawValue: category) else {
      throw HostError(
        .invalidValue,
        "the category is \(category); give TESSERA_HOST_CATEGORY_CELL, TESSERA_HOST_CATEGORY_SUPPLEMENTARY or "
          + "TESSERA_HOST_CATEGORY_DECORATION")
    }
    let sought = ElementIdentity(
      category: category, kind: try optionalText(kind, "kind's name"),
      section: Int(clamping: section), item: Int(clamping: item))
    guard let found = try session.element(sought) else {
      let what = sought.kind ?? category.name
      throw HostError(.elementNotFound, "the layout has no \(what) \(item) in section \(section)")
    }
    return found
  }
}

@c @implementation package func tessera_session_find_at(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double,
  _ element: Out<tessera_element>, _ elementSize: UInt64
) -> Int32 {
  find(pointer, element, elementSize) {
    guard let found = try $0.element(at: Point(x: x, y: y)) else {
      throw HostError(.elementNotFound, "there is no element at the point (\(x), \(y))")
    }
    return found
  }
}

@c @implementation package func tessera_session_find_next(
  _ pointer: OpaquePointer?, _ section: UInt64, _ item: UInt64, _ toward: tessera_host_toward,
  _ element: Out<tessera_element>, _ elementSize: UInt64
) -> Int32 {
  find(pointer, element, elementSize) {
    guard let direction = Session.Direction(rawValue: toward) else {
      throw HostError(
        .invalidValue,
        "the direction is \(toward); give TESSERA_HOST_TOWARD_LEFT to TESSERA_HOST_TOWARD_DOWN, 0 to 3"
      )
    }
    let start = ItemPath(section: Int(clamping: section), item: Int(clamping: item))
    guard let found = try $0.cell(nextTo: start, direction) else {
      throw HostError(
        .elementNotFound, "no cell is next to item \(item) of section \(section) on that side")
    }
    return found
  }
}

func find(
  _ pointer: OpaquePointer?, _ element: Out<tessera_element>,
  _ elementSize: UInt64, _ look: (Session) throws -> Element
) -> Int32 {
  session(pointer) { handle in
    let room = try ElementRoom(
      try notNull(element, "place for the element"), size: elementSize, capacity: 1)
    let found = try look(handle.session)
    room.write(tessera_element(found, as: found.identity, &handle.kinds), at: 0)
  }
}

@c @implementation package func tessera_session_offset_revealing(
  _ pointer: OpaquePointer?, _ section: UInt64, _ item: UInt64, _ placement: tessera_host_placement,
  _ x: Out<Double>, _ y: Out<Double>
) -> Int32 {
  session(pointer) { handle in
    let (x, y) = (try notNull(x, "place for x"), try notNull(y, "place for y"))
    guard let placement = Session.Placement(rawValue: placement) else {
      throw HostError(
        .invalidValue,
        "the placement is \(placement); give TESSERA_HOST_PLACEMENT_NEAREST to "
          + "TESSERA_HOST_PLACEMENT_END, 0 to 3")
    }
    let offset = try handle.session.offset(
      revealing: ItemPath(section: Int(clamping: section), item: Int(clamping: item)), placement)
    (x.pointee, y.pointee) = (offset.x, offset.y)
  }
}

@c @implementation package func tessera_session_needs(_ pointer: OpaquePointer?) -> UInt32 {
  session(pointer, else: 0) { $0.session.needs.rawValue }
}

private func query(
  _ pointer: OpaquePointer?, _ elements: Out<tessera_element>, _ elementSize: UInt64,
  _ capacity: UInt64, _ count: Out<UInt64>, _ ask: (Session) throws -> Elements
) -> Int32 {
  session(pointer) { handle in
    let count = try notNull(count, "place for the count")
    let room = try ElementRoom(elements, size: elementSize, capacity: capacity)
    handle.releaseLarge()
    let answer = try ask(handle.session)
    handle.answer = answer
    _ = answer.copy(from: 0, to: room, kinds: handle.kinds.numbers(of: answer.kinds))
    count.pointee = UInt64(answer.count)
  }
}

@c @implementation package func tessera_session_resting_offset(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double, _ velocityX: Double, _ velocityY: Double,
  _ restingX: Out<Double>, _ restingY: Out<Double>
) -> Int32 {
  session(pointer) { handle in
    let restingX = try notNull(restingX, "place for x")
    let restingY = try notNull(restingY, "place for y")
    let resting = try handle.session.restingOffset(
      for: Point(x: x, y: y), velocity: Point(x: velocityX, y: velocityY))
    (restingX.pointee, restingY.pointee) = (resting.x, resting.y)
  }
}

@c @implementation package func tessera_session_call(
  _ pointer: OpaquePointer?, _ name: Text, _ arguments: In<Double>,
  _ argumentCount: UInt32, _ result: Out<Double>, _ resultCount: UInt32
) -> Int32 {
  session(pointer) { handle in
    let name = try notNullText(name, "function's name")
    let declared = handle.session.engine.chain.lazy.flatMap(\.publishedFunctions)
      .first { $0.name == name }
    // The session reports undeclared names.
    guard let signature = try declared?.parsedSignature else {
      _ = try handle.session.call(name, [])
      return
    }
    let (wanted, wantedResult) = (
      signature.arguments.reduce(0) { $0 + $1.width }, signature.result.width
    )
    guard argumentCount == UInt32(wanted), resultCount == UInt32(wantedResult) else {
      throw HostError(
        .wrongCount,
        "\(name) is called with \(argumentCount) numbers for a result of \(resultCount); it is "
          + "\(signature), give \(wanted) and \(wantedResult)")
    }
    if wanted > 0 { _ = try notNull(arguments, "arguments") }
    var next = 0
    let values = try signature.arguments.map { type in
      defer { next += type.width }
      let numbers = (next..<next + type.width).map { arguments![$0] }
      guard let value = Value(type: type, numbers: numbers) else {
        throw HostError(
          .invalidValue,
          "\(name) is called with \(numbers[0].shortText); expected \(type.expectation)")
      }
      // The widest type of its kind, as the session takes it.
      return value
    }
    let numbers = try handle.session.call(name, values).numbers
    guard !numbers.isEmpty else { return }
    try notNull(result, "place for the result").update(from: numbers, count: numbers.count)
  }
}

@c @implementation package func tessera_session_kind_name(
  _ pointer: OpaquePointer?, _ kind: UInt32
) -> Text {
  session(pointer, reads: true, else: nil) { handle in
    guard handle.kinds.names.count > kind else { return nil }
    return handle.texts.pointer(to: handle.kinds.names[Int(kind)])
  }
}

@c @implementation package func tessera_session_attribute_count(_ pointer: OpaquePointer?) -> UInt32
{
  session(pointer, reads: true, else: 0) { UInt32($0.lookUpAttributes().count) }
}

@c @implementation package func tessera_session_attribute_name(
  _ pointer: OpaquePointer?, _ attribute: UInt32
) -> Text {
  session(pointer, reads: true, else: nil) { handle in
    let declared = handle.lookUpAttributes()
    guard attribute < declared.count else { return nil }
    return handle.texts.pointer(to: declared[Int(attribute)].name)
  }
}

@c @implementation package func tessera_session_attribute_choice(
  _ pointer: OpaquePointer?, _ attribute: UInt32, _ choice: UInt32
) -> Text {
  session(pointer, reads: true, else: nil) { handle in
    guard attribute < handle.answer?.attributes.count ?? 0 else { return nil }
    let choices = try handle.attribute(attribute).choices
    return choices.count > choice ? handle.texts.pointer(to: choices[Int(choice)]) : nil
  }
}

@c @implementation package func tessera_session_copy_attribute(
  _ pointer: OpaquePointer?, _ attribute: UInt32, _ first: UInt64, _ numbers: Out<Double>,
  _ components: UInt32, _ capacity: UInt64, _ count: Out<UInt64>
) -> Int32 {
  session(pointer) { handle in
    let count = try notNull(count, "place for the count")
    let answer = try handle.lastAnswer()
    let declared = try handle.attribute(attribute)
    let width = declared.type.width
    guard components == UInt32(width) else {
      throw Misuse("components is \(components), but \(declared.name) has \(width); give \(width)")
    }
    let start = Int(clamping: first)
    let places = start < answer.count ? start..<answer.count : 0..<0
    let wanted = places.prefix(Int(min(capacity, 1 << 40)))
    count.pointee = UInt64(wanted.count)
    guard !wanted.isEmpty else { return }
    var next = try notNull(numbers, "numbers")
    for place in wanted {
      let value = answer.attribute(Int(attribute), at: place)
      if case .choice(let name) = value {
        next.pointee = declared.choices.firstIndex(of: name).map(Double.init) ?? 0
      } else {
        for (offset, number) in value.numbers.enumerated() { next[offset] = number }
      }
      next += width
    }
  }
}

extension SessionHandle {
  /// Frees a large result before the next query; a small one survives a failure.
  func releaseLarge() { if answer?.memory.isLarge == true { answer = nil } }

  func keep(_ answer: Elements) -> tessera_columns {
    self.answer = answer
    let memory = answer.memory
    runs.set(memory.runs, kinds: kinds.numbers(of: answer.kinds))
    return tessera_columns(
      count: UInt64(memory.count), run_count: UInt64(memory.runs.count), runs: runs.runs,
      frames: UnsafeRawPointer(memory.frames).assumingMemoryBound(to: Double.self),
      transforms: memory.transforms.map {
        UnsafeRawPointer($0).assumingMemoryBound(to: Double.self)
      }, alphas: memory.alphas, z_indexes: memory.zIndexes, hidden: memory.hidden, content_width: 0,
      content_height: 0, offset_x: 0, offset_y: 0)
  }

  func keepAnswer(_ answer: Elements) throws(HostError) -> tessera_columns {
    let (content, offset) = (try session.contentSize(), session.offset)
    var columns = keep(answer)
    (columns.content_width, columns.content_height) = (content.width, content.height)
    (columns.offset_x, columns.offset_y) = (offset.x, offset.y)
    return columns
  }

  /// Assigns numbers; empty before the first query.
  fileprivate func lookUpAttributes() -> [AttributeDescription] {
    guard let attributes = answer?.attributes else { return [] }
    knownAttributes = attributes
    return attributes
  }

  /// `.invalidInput` means that the number is from a replaced library.
  fileprivate func attribute(_ number: UInt32) throws -> AttributeDescription {
    let attributes = try lastAnswer().attributes
    if let knownAttributes {
      let areSame = knownAttributes.elementsEqual(attributes) {
        $0.name == $1.name && $0.type == $1.type && $0.choices == $1.choices
      }
      guard areSame else {
        throw HostError(
          .staleNumber,
          "attribute \(number) was looked up before the library was replaced; look it up again")
      }
    }
    guard number < attributes.count else {
      throw Misuse("there is no attribute \(number); the last result has \(attributes.count)")
    }
    if knownAttributes == nil { knownAttributes = attributes }
    return attributes[Int(number)]
  }
}

extension Elements {
  /// O(*k*) without allocations; `kinds` are the program's numbers.
  func copy(from first: Int, to room: ElementRoom, kinds: [UInt32]) -> Int {
    guard first < count else { return 0 }
    let end = first + Swift.min(room.capacity, count - first)
    let (runs, write) = (memory.runs, writer(kinds: kinds))
    var place = first
    var number = first == 0 ? 0 : runs.lastIndex(atOrBefore: first, from: 0)
    while place < end {
      let run = runs[number]
      let runEnd = Swift.min(end, run.row + run.count)
      for place in place..<runEnd { room.write(at: place &- first) { write(place, run, $0) } }
      (place, number) = (runEnd, number + 1)
    }
    return end - first
  }

  /// `kinds` are the program's numbers of the layout's kinds.
  @inline(__always)
  func writer(
    kinds: [UInt32]
  ) -> (_ place: Int, _ run: Run, _ element: UnsafeMutablePointer<tessera_element>) -> Void {
    let (frames, transforms, alphas) = (memory.frames, memory.transforms, memory.alphas)
    let (zIndexes, hidden) = (memory.zIndexes, memory.hidden)
    let identity = tessera_element.matrix(.identity)
    return { place, run, element in
      element.pointee.category = run.category.rawValue
      element.pointee.kind = run.category == .cell ? TESSERA_HOST_NO_KIND : kinds[Int(run.kind)]
      element.pointee.section = UInt64(run.section)
      element.pointee.item = run.firstItem &+ UInt64(truncatingIfNeeded: place &- run.row)
      let frame = frames[place]
      (element.pointee.x, element.pointee.y) = (frame.x, frame.y)
      (element.pointee.width, element.pointee.height) = (frame.width, frame.height)
      element.pointee.alpha = alphas?[place] ?? 1
      element.pointee.z_index = zIndexes?[place] ?? 0
      element.pointee.hidden = hidden.map { UInt32($0[place]) } ?? 0
      element.pointee.transform = transforms.map { tessera_element.matrix($0[place]) } ?? identity
    }
  }
}

final class ElementRuns {
  private(set) var runs =
    UnsafeMutablePointer<tessera_element_run>.allocate(capacity: 8)
  private var capacity = 8

  deinit { runs.deallocate() }

  /// `kinds` are the program's numbers of the layout's kinds.
  func set(_ new: UnsafeMutableBufferPointer<Run>, kinds: [UInt32]) {
    if new.count > capacity || capacity > 4096 && new.count < capacity / 4 {
      runs.deallocate()
      capacity = max(8, new.count)
      runs = .allocate(capacity: capacity)
    }
    for (place, run) in new.enumerated() {
      runs[place] = tessera_element_run(
        category: run.category.rawValue,
        kind: run.category == .cell ? TESSERA_HOST_NO_KIND : kinds[Int(run.kind)],
        section: UInt64(run.section), first_item: run.firstItem, count: UInt64(run.count))
    }
  }
}

extension tessera_element {
  init(_ element: Element, as identity: ElementIdentity, _ kinds: inout KindNumbers) {
    self.init(
      category: identity.category.rawValue,
      kind: identity.kind.map { kinds.number(of: $0) } ?? TESSERA_HOST_NO_KIND,
      section: UInt64(clamping: identity.section), item: UInt64(clamping: identity.item),
      x: element.frame.x, y: element.frame.y, width: element.frame.width,
      height: element.frame.height, alpha: element.alpha, z_index: Int32(clamping: element.zIndex),
      hidden: element.isHidden ? 1 : 0, transform: Self.matrix(element.transform))
  }
}

struct ElementRoom {
  private let base: UnsafeMutableRawPointer?
  private let stride: Int
  let capacity: Int

  private static let known = MemoryLayout<tessera_element>.size

  /// - Throws: `Misuse` for null, or a size that no header version had.
  init(_ elements: Out<tessera_element>, size: UInt64, capacity: UInt64) throws {
    guard size % 8 == 0 else {
      throw Misuse("the element has \(size) bytes; give sizeof(tessera_element)")
    }
    try tessera_element.check(size: size, "element")
    if capacity > 0 { _ = try notNull(elements, "elements") }
    base = UnsafeMutableRawPointer(elements)
    stride = Int(size)
    // Clamped to addressable memory.
    self.capacity = Int(min(capacity, 1 << 40))
  }

  /// Zeros fields unknown to this library; the index must be below the capacity.
  func write(_ element: tessera_element, at place: Int) {
    write(at: place) { $0.pointee = element }
  }

  /// `body` must write every field.
  @inline(__always)
  func write(at place: Int, _ body: (UnsafeMutablePointer<tessera_element>) -> Void) {
    guard let address = base.map({ $0 + place &* stride }) else { return }
    if stride < Self.known {
      var element = tessera_element()
      body(&element)
      return withUnsafeBytes(of: element) {
        address.copyMemory(from: $0.baseAddress!, byteCount: stride)
      }
    }
    body(address.assumingMemoryBound(to: tessera_element.self))
    if stride > Self.known {
      (address + Self.known).initializeMemory(
        as: UInt8.self, repeating: 0, count: stride - Self.known)
    }
  }
}

extension tessera_element {
  typealias Matrix = (
    Double, Double, Double, Double, Double, Double, Double, Double,
    Double, Double, Double, Double, Double, Double, Double, Double
  )

  @inline(__always) static func matrix(_ transform: Transform) -> Matrix {
    unsafeBitCast(transform, to: Matrix.self)
  }
}
