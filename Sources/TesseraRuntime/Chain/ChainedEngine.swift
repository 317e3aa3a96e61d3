import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry

package final class ChainedEngine {
  package let engine: LoadedEngine
  let host: HostTable
  let output: OutputTable
  let base: SuperTable?
  var publishedFunctions: [String: PublishedFunction] = [:]
  /// Between `begin` and `end` of a batch update.
  var isInUpdate = false
  /// As declared in the last prepare.
  var hasNothingToAdjust = false
  private(set) var instance: OpaquePointer?
  private var isCreated = false
  /// In declaration order, like columns, lists and functions.
  let parameters: UnsafeMutableBufferPointer<tessera_value>
  private let keptParameters: UnsafeMutableBufferPointer<tessera_value>
  private var keptOverrides = SessionValues.Overridden()
  let columns: UnsafeMutableBufferPointer<tessera_column>
  let lists: UnsafeMutableBufferPointer<tessera_list>
  /// `lists` points into it.
  let listColumns: UnsafeMutableBufferPointer<tessera_column>
  let functions: UnsafeMutableBufferPointer<tessera_function>

  init(engine: LoadedEngine, output: OutputTable, base: SuperTable?) {
    self.engine = engine
    host = HostTable(abi: engine.abi)
    self.output = output
    self.base = base
    let description = engine.description
    parameters = .allocate(capacity: description.parameters.count)
    parameters.initialize(repeating: tessera_value())
    keptParameters = .allocate(capacity: description.parameters.count)
    keptParameters.initialize(repeating: tessera_value())
    columns = .allocate(capacity: description.values.count)
    columns.initialize(repeating: tessera_column())
    lists = .allocate(capacity: description.lists.count)
    listColumns = .allocate(capacity: description.lists.reduce(0) { $0 + $1.columns.count })
    listColumns.initialize(repeating: tessera_column())
    var start = listColumns.baseAddress!
    for (index, list) in description.lists.enumerated() {
      lists.initializeElement(at: index, to: tessera_list(count: 0, columns: start))
      start += list.columns.count
    }
    functions = .allocate(capacity: description.delegateFunctions.count)
    functions.initialize(repeating: tessera_function())
  }

  deinit {
    destroy()
    parameters.deallocate()
    keptParameters.deallocate()
    columns.deallocate()
    lists.deallocate()
    listColumns.deallocate()
    functions.deallocate()
  }

  func create() -> tessera_status {
    guard !isCreated else { return TESSERA_OK }
    if let examiner = output.state.examiner { host.lend(by: examiner) }
    guard let create = engine.table.create else {
      isCreated = true
      return TESSERA_OK
    }
    let status = create(engine.pointer, host.pointer, &instance)
    isCreated = status == TESSERA_OK
    return status
  }

  func destroy() {
    guard isCreated else { return }
    (isCreated, isInUpdate) = (false, false)
    engine.table.destroy?(instance)
    if let examiner = output.state.examiner { host.takeBack(by: examiner) }
  }

  var isLazy: Bool { engine.description.traits.contains(.lazy) }

  func keepParameters(_ overridden: SessionValues.Overridden) {
    _ = keptParameters.update(fromContentsOf: parameters)
    keptOverrides = overridden
  }

  /// Overridden values may always differ from the last successful prepare.
  func valuesMayDiffer(_ overridden: SessionValues.Overridden) -> Bool {
    overridden.hasColumns || overridden.hasColumns != keptOverrides.hasColumns
      || overridden.parameters != keptOverrides.parameters
  }

  func listsMayDiffer(_ overridden: SessionValues.Overridden) -> Bool {
    overridden.hasLists || keptOverrides.hasLists
  }

  var parametersDiffer: Bool {
    memcmp(
      keptParameters.baseAddress!, parameters.baseAddress!,
      parameters.count * MemoryLayout<tessera_value>.stride) != 0
  }

  /// A mirrored engine gets left and right insets exchanged.
  func withInput<Result>(
    _ context: CallContext, isMirrored: Bool, starts: UnsafeBufferPointer<UInt64>,
    change: tessera_change, _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let viewport = context.viewport
    let isRightToLeft = viewport.direction == .rightToLeft
    var visible = Rect(origin: viewport.offset, size: viewport.bounds)
    if let width = context.mirrorWidth { visible = visible.mirrored(in: width) }
    let swaps = isRightToLeft && isMirrored
    var input = tessera_input(
      struct_size: UInt32(MemoryLayout<tessera_input>.size),
      right_to_left: isRightToLeft ? 1 : 0, host: host.pointer, viewport: tessera_rect(visible),
      content_insets: tessera_insets(viewport.contentInsets, isMirrored: swaps),
      safe_area: tessera_insets(viewport.safeAreaInsets, isMirrored: swaps),
      layout_margins: tessera_insets(viewport.layoutMargins, isMirrored: swaps),
      scale: viewport.scale, section_count: UInt32(starts.count - 1), reserved: 0,
      section_starts: starts.baseAddress!, parameters: UnsafePointer(parameters.baseAddress!),
      values: UnsafePointer(columns.baseAddress!), lists: UnsafePointer(lists.baseAddress!),
      functions: UnsafePointer(functions.baseAddress!), super: base?.pointer, change: change)
    defer { output.callReturned() }
    guard let examiner = output.state.examiner else { return body(&input) }
    return examiner.call(engine.description, &input) { input in
      output.lent(by: examiner) { body(input) }
    }
  }
}

extension ChainedEngine {
  func published(_ name: String) throws(HostError) -> PublishedFunction? {
    if let known = publishedFunctions[name] { return known }
    let declared = engine.description.functions
    guard let index = declared.firstIndex(where: { $0.name == name && $0.isPublished }),
      let functions = engine.table.functions
    else { return nil }
    let size = Int(engine.table.function_size)
    let entry: tessera_function_declaration = DescriptionReader.load(
      at: UnsafeRawPointer(functions) + index * size, size: size)
    guard let code = entry.published else { return nil }
    let signature = try declared[index].parsedSignature
    let function = try PublishedFunction(
      name, signature, code: output.state.examiner?.replacement(for: code, signature) ?? code)
    publishedFunctions[name] = function
    return function
  }

  var snapping: tessera_snapping? { table(TESSERA_EXT_SNAPPING) }
  var reordering: tessera_reordering? { table(TESSERA_EXT_REORDERING) }
  var sizing: tessera_sizing? { table(TESSERA_EXT_SIZING) }
  var updates: tessera_updates? { table(TESSERA_EXT_UPDATES) }

  private func table<Table>(_ id: String) -> Table? {
    engine.table.extensionTable(id, of: engine.pointer)
  }
}
