import CTessera

/// One engine of a session's chain: its instance, what it is given and what it says.
final class Layer {
  let record: EngineRecord
  let host = HostTable()
  let output: OutputTable
  private(set) var instance: OpaquePointer?
  private var isCreated = false
  /// What each parameter is now, in the order declared.
  let parameters: UnsafeMutableBufferPointer<tessera_value>
  /// Where each value is now, in the order declared.
  let columns: UnsafeMutableBufferPointer<tessera_column>
  /// The delegate functions, in the order declared.
  let functions: UnsafeMutableBufferPointer<tessera_function>

  init(record: EngineRecord, output: OutputTable) {
    self.record = record
    self.output = output
    let description = record.description
    parameters = .allocate(capacity: description.parameters.count)
    parameters.initialize(repeating: tessera_value())
    columns = .allocate(capacity: description.values.count)
    columns.initialize(repeating: tessera_column())
    functions = .allocate(capacity: description.delegateFunctions.count)
    functions.initialize(repeating: tessera_function())
  }

  deinit {
    if isCreated { record.table.destroy?(instance) }
    parameters.deallocate()
    columns.deallocate()
    functions.deallocate()
  }

  /// Makes the engine's instance, once.
  func create() -> tessera_status {
    guard !isCreated else { return TESSERA_OK }
    guard let create = record.table.create else {
      isCreated = true
      return TESSERA_OK
    }
    let status = create(record.pointer, host.pointer, &instance)
    isCreated = status == TESSERA_OK
    return status
  }

  /// Calls one of the engine's functions with what it is given now.
  func withInput<Result>(
    _ surroundings: Surroundings, starts: UnsafeBufferPointer<UInt64>, change: tessera_change,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    // A layout that the host mirrors lies in a mirrored world: what is left is on its right.
    let isMirrored = surroundings.direction == .rightToLeft
      && record.description.traits.contains(.mirrors)
    var input = tessera_input(
      struct_size: UInt32(MemoryLayout<tessera_input>.size),
      right_to_left: surroundings.direction == .rightToLeft ? 1 : 0,
      viewport: tessera_rect(
        x: surroundings.offset.x, y: surroundings.offset.y, width: surroundings.bounds.width,
        height: surroundings.bounds.height),
      content_insets: tessera_insets(surroundings.contentInsets, isMirrored: isMirrored),
      safe_area: tessera_insets(surroundings.safeAreaInsets, isMirrored: isMirrored),
      layout_margins: tessera_insets(surroundings.layoutMargins, isMirrored: isMirrored),
      scale: surroundings.scale, section_count: UInt32(starts.count - 1), reserved: 0,
      section_starts: starts.baseAddress!, parameters: UnsafePointer(parameters.baseAddress!),
      values: UnsafePointer(columns.baseAddress!),
      functions: UnsafePointer(functions.baseAddress!), change: change, super: nil)
    defer { output.callReturned() }
    return body(&input)
  }
}
