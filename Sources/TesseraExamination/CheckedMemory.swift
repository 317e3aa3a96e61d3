import CTessera
import CTesseraExamination
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Lends call arguments in memory that faults past its ends and after the call.
final class CheckedCalls: CallExaminer {
  init(capacity: Int) { super.init(.checked(capacity: capacity)) }

  override func rowsWereTaken(from store: RowStore) {
    if let numbering = rows.numbering { store.moveToCheckedMemory(numbering) }
  }

  override func lendLasting(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? {
    tessera_checked_lend(UInt64(byteCount), name, 0)
  }

  override func takeBack(_ memory: UnsafeMutableRawPointer) { tessera_checked_retire(memory) }

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    tessera_checked_fill_stack()
    let call = tessera_checked_count()
    defer { tessera_checked_retire_from(call) }
    return body(lend(input, to: engine))
  }

  override func lend(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? {
    tessera_checked_lend(UInt64(byteCount), name, 1)
  }

  private func lend(
    _ input: UnsafePointer<tessera_input>, to engine: EngineDescription
  ) -> UnsafePointer<tessera_input> {
    var copy = input.pointee
    let sections = Int(copy.section_count)
    let items = Int(copy.section_starts[sections])
    copy.section_starts = lend(copy.section_starts, sections + 1, "section_starts")
    copy.parameters = lend(copy.parameters, engine.parameters.count, "the parameters")
    copy.functions = lend(copy.functions, engine.delegateFunctions.count, "the delegate functions")
    var columns = Array(UnsafeBufferPointer(start: copy.values, count: engine.values.count))
    for (index, value) in engine.values.enumerated() {
      guard let data = columns[index].data else { continue }
      let count = value.scope == .item ? items : sections
      let stride = Int(columns[index].stride)
      let size =
        stride == 0 ? value.type.stride : count == 0 ? 0 : (count - 1) * stride + value.type.stride
      let name = "the \(value.scope == .item ? "item" : "section") values \(value.name)"
      columns[index].data = lend(data, byteCount: size, name).map { UnsafeRawPointer($0) } ?? data
    }
    copy.values = columns.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return copy.values }
      return lend(start, buffer.count, "the columns of values", otherwise: copy.values)
    }
    copy.lists = lend(copy.lists, of: engine)
    return lend(&copy, 1, "the tessera_input", otherwise: input)
  }

  private func lend(
    _ lists: UnsafePointer<tessera_list>, of engine: EngineDescription
  ) -> UnsafePointer<tessera_list> {
    var copies: [tessera_list] = []
    for (index, declared) in engine.lists.enumerated() {
      let list = lists[index]
      var columns = Array(UnsafeBufferPointer(start: list.columns, count: declared.columns.count))
      for (place, column) in declared.columns.enumerated() {
        guard let data = columns[place].data else { continue }
        let count = columns[place].stride == 0 ? min(1, list.count) : list.count
        let name = "the column \(column.name) of the list \(declared.name)"
        columns[place].data =
          lend(data, byteCount: Int(count) * column.type.stride, name)
          .map { UnsafeRawPointer($0) } ?? data
      }
      copies.append(
        tessera_list(
          count: list.count,
          columns: lend(
            columns, columns.count, "the columns of the list \(declared.name)",
            otherwise: list.columns)))
    }
    return lend(copies, copies.count, "the lists", otherwise: lists)
  }

  /// Out of memory, returns the elements themselves, or `otherwise` if they aren't valid.
  private func lend<Item>(
    _ start: UnsafePointer<Item>, _ count: Int, _ name: String,
    otherwise: UnsafePointer<Item>? = nil
  ) -> UnsafePointer<Item> {
    guard let copy = lend(start, byteCount: count * MemoryLayout<Item>.stride, name) else {
      return otherwise ?? start
    }
    return UnsafePointer(copy.assumingMemoryBound(to: Item.self))
  }

  private func lend(
    _ start: UnsafeRawPointer, byteCount: Int, _ name: String
  ) -> UnsafeMutableRawPointer? {
    guard let copy = lend(byteCount: byteCount, name) else { return nil }
    copy.copyMemory(from: start, byteCount: byteCount)
    return copy
  }
}

extension ExaminationServer {
  func beginChecks() throws(HostError) -> UnsafeMutablePointer<tessera_misuse> {
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
    tessera_checked_choose(1, 0)
    let zeros = try usedMemory(scenes)
    misuse.pointee.round = 1
    tessera_checked_choose(0, 0x40)
    let others = try usedMemory(scenes)
    guard let (found, expected) = Self.difference(zeros, others) else { return nil }
    // If zeros differ again, the cause is something else, such as a static variable.
    misuse.pointee.round = 0
    tessera_checked_choose(1, 0)
    guard try Self.difference(zeros, usedMemory(scenes)) == nil else { return nil }
    return "\(found) where new memory is not zero, instead of \(expected) where it is"
  }

  private typealias Used = (images: [LayoutRows], answers: [String])

  private static func difference(_ before: Used, _ after: Used) -> (
    found: String, expected: String
  )? {
    for (before, after) in zip(before.images, after.images) {
      if let difference = before.difference(from: after) {
        return (difference.found, difference.expected)
      }
    }
    return zip(before.answers, after.answers).first { $0 != $1 }.map { ($1, $0) }
  }

  private func usedMemory(_ scenes: [EngineInput]) throws(HostError) -> Used {
    let calls = CheckedCalls(capacity: scenes.map(examined.rowCapacity).max() ?? 0)
    let layout = try ExaminedLayout(scenes[0], examined, examiner: calls)
    try layout.prepare()
    var (images, answers): Used = ([], [])
    for scene in scenes + scenes.prefix(1) {
      do throws(HostError) { try layout.prepare(scene) } catch  where error.kind == .refused {
        continue
      }
      images.append(try layout.image())
      answers += layout.answers()
      images.append(try layout.image())
      tessera_checked_verify()
    }
    layout.destroy()
    tessera_checked_verify()
    return (images, answers)
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
    let rule: Rule
    switch Int(noted.pointee.kind) {
    case Int(TESSERA_MISUSE_HEAP): rule = .heap
    case Int(TESSERA_MISUSE_BOUNDS): rule = .bounds
    case Int(TESSERA_MISUSE_ROWS): rule = .rows
    default: rule = .kept
    }
    let bytes = UnsafeRawBufferPointer(start: tessera_misuse_text(noted), count: 240)
    let text = UntrustedText.onOneLine(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    self.init(
      rule: rule, sentence: "\(death.asked) \(text)",
      isInFunction: death.call == EngineCall.function.name)
  }
}
