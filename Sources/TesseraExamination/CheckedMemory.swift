import CTessera
import CTesseraExamination
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

extension tessera_input {
  /// Replaces all that an input points to; `block` may return nil to keep the memory.
  fileprivate func copied(
    for engine: EngineDescription,
    column: (tessera_column, _ count: Int, _ size: Int, _ name: String) -> tessera_column,
    block: (UnsafeRawPointer, _ byteCount: Int, _ name: String) -> UnsafeMutableRawPointer?
  ) -> tessera_input {
    func array<Item>(
      _ start: UnsafePointer<Item>?, _ count: Int, or other: UnsafePointer<Item>, _ name: String
    ) -> UnsafePointer<Item> {
      let copy = start.flatMap { block($0, count * MemoryLayout<Item>.stride, name) }
      return copy.map { UnsafePointer($0.assumingMemoryBound(to: Item.self)) } ?? other
    }
    func array<Item>(
      _ items: [Item], or other: UnsafePointer<Item>, _ name: String
    ) -> UnsafePointer<Item> {
      items.withUnsafeBufferPointer { array($0.baseAddress, $0.count, or: other, name) }
    }
    let sections = Int(section_count)
    let items = Int(section_starts[sections])
    var copy = self
    copy.section_starts = array(section_starts, sections + 1, or: section_starts, "section_starts")
    copy.parameters = array(
      parameters, engine.parameters.count, or: parameters, "the parameters")
    copy.functions = array(
      functions, engine.delegateFunctions.count, or: functions, "the delegate functions")
    copy.values = array(
      engine.values.enumerated().map { index, value in
        let isOfItem = value.scope == .item
        let name = "the \(isOfItem ? "item" : "section") values \(value.name)"
        return column(values[index], isOfItem ? items : sections, value.type.stride, name)
      }, or: values, "the columns of values")
    copy.lists = array(
      engine.lists.enumerated().map { index, declared in
        let list = lists[index]
        let columns = declared.columns.enumerated().map { place, description in
          column(
            list.columns[place], Int(list.count), description.type.stride,
            "the column \(description.name) of the list \(declared.name)")
        }
        let name = "the columns of the list \(declared.name)"
        return tessera_list(count: list.count, columns: array(columns, or: list.columns, name))
      }, or: lists, "the lists")
    return copy
  }
}

/// Lends call arguments in memory that faults past its ends and after the call.
private final class CheckedCalls: CheckedRows {
  override func rowsWereTaken(from store: RowStore) {
    // Invalidates the engine's pointers.
    var names = store.columns(numbering).map(\.name)[...]
    store.move { column(byteCount: $0, names.popFirst() ?? "frame") }
  }

  override func lendLasting(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? {
    tessera_checked_lend(UInt64(byteCount), name, 0)
  }

  override func takeBack(_ memory: UnsafeMutableRawPointer) { tessera_checked_retire(memory) }

  override func lend(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? {
    tessera_checked_lend(UInt64(byteCount), name, 1)
  }

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    tessera_checked_fill_stack()
    let call = tessera_checked_count()
    defer { tessera_checked_retire_from(call) }
    func block(
      _ start: UnsafeRawPointer, _ byteCount: Int, _ name: String
    ) -> UnsafeMutableRawPointer? {
      let copy = lend(byteCount: byteCount, name)
      copy?.copyMemory(from: start, byteCount: byteCount)
      return copy
    }
    var copy = input.pointee.copied(
      for: engine,
      column: { column, count, size, name in
        guard let data = column.data else { return column }
        let stride = Int(column.stride)
        let byteCount = stride == 0 ? size : count == 0 ? 0 : (count - 1) * stride + size
        let lent = block(data, byteCount, name).map { UnsafeRawPointer($0) }
        return tessera_column(data: lent ?? data, stride: column.stride)
      }, block: block)
    let lent = block(&copy, MemoryLayout<tessera_input>.stride, "the tessera_input")
    return body(lent.map { UnsafePointer($0.assumingMemoryBound(to: tessera_input.self)) } ?? input)
  }
}

/// Passes values at larger strides.
private final class SpreadValues: CallWatch {
  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    var blocks: [UnsafeMutableRawPointer] = []
    defer { for block in blocks { block.deallocate() } }
    func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
      let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
      blocks.append(block)
      return block
    }
    let copy = input.pointee.copied(
      for: engine,
      column: { column, count, size, _ in
        guard let data = column.data, column.stride != 0, count > 0 else { return column }
        let stride = 3 * size
        let block = allocate(count * stride)
        memset(block, 0x40, count * stride)
        for place in 0..<count {
          let value = data + place * Int(column.stride)
          (block + place * stride).copyMemory(from: value, byteCount: size)
        }
        return tessera_column(data: UnsafeRawPointer(block), stride: UInt64(stride))
      },
      block: { start, byteCount, _ in
        let block = allocate(byteCount)
        block.copyMemory(from: start, byteCount: byteCount)
        return block
      })
    return withUnsafePointer(to: copy, body)
  }
}

private final class InputComparison: CallWatch {
  /// Such as "org.example.a wrote to its parameters".
  private(set) var written: String?

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let copy = input.pointee
    let before = parts(of: copy, at: input, engine)
    let result = body(input)
    for (old, new) in zip(before, parts(of: copy, at: input, engine)) where old.bytes != new.bytes {
      written = written ?? "\(engine.id) wrote to \(old.name)"
    }
    return result
  }

  /// The writable parts of an input; starts and values are in read-only pages.
  private func parts(
    of input: tessera_input, at place: UnsafePointer<tessera_input>, _ engine: EngineDescription
  ) -> [(name: String, bytes: [UInt8])] {
    func bytes<Item>(_ start: UnsafePointer<Item>, _ count: Int) -> [UInt8] {
      Array(UnsafeRawBufferPointer(UnsafeBufferPointer(start: start, count: count)))
    }
    return [
      ("its parameters", bytes(input.parameters, engine.parameters.count)),
      ("the pointers to its values", bytes(input.values, engine.values.count)),
      ("its lists", bytes(input.lists, engine.lists.count)),
      ("its delegate functions", bytes(input.functions, engine.delegateFunctions.count)),
      ("its input", bytes(place, 1)),
    ]
  }
}

extension ExaminationServer {
  func writtenInput(_ scene: EngineInput) throws(HostError) -> String? {
    let comparison = InputComparison(capacity: examined.rowCapacity(scene))
    _ = try examined.prepared(scene, comparison).image(withAnswers: true)
    return comparison.written
  }

  /// Compares with the same values at larger strides.
  func spread(_ scene: EngineInput) throws(HostError) -> String? {
    let spread = SpreadValues(capacity: examined.rowCapacity(scene))
    let expected = try examined.prepared(scene).image(withAnswers: true)
    return try expected.change(to: examined.prepared(scene, spread).image(withAnswers: true))
  }

  private func beginChecks() throws(HostError) -> UnsafeMutablePointer<tessera_misuse> {
    let misuse = (memory.base + SharedMap.misuse).assumingMemoryBound(to: tessera_misuse.self)
    guard tessera_checked_begin(misuse) == 0 else {
      throw HostError(.notExamined, "there is no address space to check memory in")
    }
    return misuse
  }

  /// How a layout depends on uninitialized memory; any other misuse ends the process.
  func checkedMemory(_ scenes: [EngineInput]) throws(HostError) -> String? {
    let misuse = try beginChecks()
    tessera_checked_heap()
    // New memory holds zeros, then bytes that read as 32.5 or as a large integer.
    func used(atEnd: Int32, fill: UInt8) throws(HostError) -> [LayoutRows] {
      misuse.pointee.round = fill == 0 ? 0 : 1
      tessera_checked_choose(atEnd, fill)
      return try usedMemory(scenes)
    }
    func difference(from zeros: [LayoutRows], _ others: [LayoutRows]) -> (
      expected: String, found: String
    )? { zip(zeros, others).lazy.compactMap { $0.difference(from: $1) }.first }
    let zeros = try used(atEnd: 1, fill: 0)
    let others = try used(atEnd: 0, fill: 0x40)
    // If zeros differ again, the cause is something else, such as a static variable.
    guard let (expected, found) = difference(from: zeros, others),
      try difference(from: zeros, used(atEnd: 1, fill: 0)) == nil
    else { return nil }
    return "\(found) where new memory is not zero, instead of \(expected) where it is"
  }

  private func usedMemory(_ scenes: [EngineInput]) throws(HostError) -> [LayoutRows] {
    let calls = CheckedCalls(capacity: scenes.map(examined.rowCapacity).max() ?? 0)
    let layout = try examined.prepared(scenes[0], calls)
    var images: [LayoutRows] = []
    for scene in scenes + scenes.prefix(1) {
      do throws(HostError) { try layout.prepare(scene) } catch  where error.kind == .refused {
        continue
      }
      images += [try layout.image(withAnswers: true), try layout.image()]
      tessera_checked_verify()
    }
    layout.destroy()
    tessera_checked_verify()
    return images
  }

  /// Finds writes outside the rows; the guard page crashes the process.
  func guarded(_ scenes: [EngineInput], atEnd: Bool) throws(HostError) {
    _ = try beginChecks()
    tessera_checked_choose(atEnd ? 1 : 0, 0)
    try each(scenes) { scene throws(HostError) in
      let rows = SpacedRows(capacity: examined.rowCapacity(scene))
      let roomy = try ExaminedLayout(scene, examined, rows)
      let (written, prepared, answered) = try stray(of: roomy, atEnd: atEnd, limit: nil)
      if let written { return written }
      var found: String?
      var known = roomy.chain.answers
      _ = roomy.answers { call in
        // Other calls write no rows, and may have queried the layout.
        defer { known = roomy.chain.answers }
        guard ["adjust", "elements_in_rect", "element", "updates"].contains(call),
          let answer = roomy.chain.answers, answer !== known
        else { return }
        let write = answer.strayWrite(atEnd: atEnd, roomy.chain.numbering)
        found = found ?? write.map { "\(call) wrote \($0)" }
      }
      if let found { return found }
      // With exactly enough rows, the last run ends at the guard page.
      let exact = try ExaminedLayout(scene, examined, SpacedRows(capacity: prepared))
      return try stray(of: exact, atEnd: atEnd, limit: answered).written
    }
  }

  private func stray(
    of layout: ExaminedLayout, atEnd: Bool, limit: Int?
  ) throws(HostError) -> (written: String?, prepared: Int, answered: Int) {
    try layout.prepare()
    let prepared = layout.chain.prepared
    if let written = prepared.strayWrite(atEnd: atEnd, layout.chain.numbering) {
      return ("prepare wrote \(written)", prepared.usedRows, 0)
    }
    let answer = try layout.answer(limit: limit)
    let call = layout.chain.traits.isLazy ? "elements_in_rect" : "adjust"
    let written = answer.strayWrite(atEnd: atEnd, layout.chain.numbering)
    return (written.map { "\(call) wrote \($0)" }, prepared.usedRows, answer.usedRows)
  }
}

/// Leaves unused rows after each run, and a guard page at one end.
private final class SpacedRows: CheckedRows {
  override func add(
    _ count: UInt64, to store: RowStore, _ add: () -> tessera_status
  ) -> tessera_status {
    let first = store.rowCount
    let status = add()
    if store.rowCount > first { runWasAdded(to: store) }
    return status
  }

  override func runWasAdded(to store: RowStore) {
    let rows = store.rowCount..<min(store.rowCount + RowStore.space, store.capacity)
    for (_, base, stride) in store.columns() {
      (base + rows.lowerBound * stride).initializeMemory(
        as: UInt8.self, repeating: RowStore.spacePattern, count: rows.count * stride)
    }
    store.truncate(runs: store.runs.count, rows: rows.upperBound)
  }
}

extension RowStore {
  fileprivate static let space = 4
  fileprivate static let spacePattern: UInt8 = 0xA5

  fileprivate var usedRows: Int { runs.last.map { $0.row + $0.count } ?? 0 }

  /// Such as "the frame of row 1 after the 12 rows of run 0".
  fileprivate func strayWrite(atEnd: Bool, _ numbering: ChainNumbers) -> String? {
    let half = Self.space / 2
    for (number, run) in runs.enumerated() {
      let end = run.row + run.count
      let (space, place) =
        atEnd
        ? (end..<min(end + half, capacity), "after") : (max(run.row - half, 0)..<run.row, "before")
      for (name, base, stride) in columns(numbering) {
        let bytes = UnsafeRawBufferPointer(
          start: base + space.lowerBound * stride, count: space.count * stride)
        guard let byte = bytes.firstIndex(where: { $0 != Self.spacePattern }) else { continue }
        let row = atEnd ? byte / stride + 1 : space.count - byte / stride
        return "the \(name) of row \(row) \(place) the \(run.count) rows of run \(number)"
      }
    }
    return nil
  }
}

extension ExaminationReport.Misuse {
  package init?(ofDeath error: HostError, in memory: SharedMemory) {
    guard let death = error.death, error.code == .crashed else { return nil }
    let noted = UnsafePointer(
      (memory.base + SharedMap.misuse).assumingMemoryBound(to: tessera_misuse.self))
    guard noted.pointee.is_noted == 1 else {
      guard noted.pointee.round != 0 else { return nil }
      self.init(
        rule: .contents, sentence: "\(death.sentence) where new memory is not zero",
        isInFunction: false)
      return
    }
    let rule: Rule =
      switch Int(noted.pointee.kind) {
      case Int(TESSERA_MISUSE_HEAP): .heap
      case Int(TESSERA_MISUSE_BOUNDS): .bounds
      case Int(TESSERA_MISUSE_ROWS): .rows
      default: .kept
      }
    let bytes = UnsafeRawBufferPointer(start: tessera_misuse_text(noted), count: 240)
    let text = UntrustedText.onOneLine(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    self.init(
      rule: rule, sentence: "\(death.asked) \(text)",
      isInFunction: death.call == EngineCall.function.name)
  }
}
