import CTessera

extension Layer {
  /// The function that this engine publishes under a name, made once; nil where there is none.
  func published(_ name: String) throws(HostError) -> PublishedFunction? {
    if let known = publishedFunctions[name] { return known }
    let declared = record.description.functions
    guard let index = declared.firstIndex(where: { $0.name == name && $0.isPublished }),
      let functions = record.table.functions
    else { return nil }
    let entry = (UnsafeRawPointer(functions) + index * Int(record.table.function_size))
      .load(as: tessera_function_declaration.self)
    guard let code = entry.published else { return nil }
    let function = try PublishedFunction(
      name, try declared[index].parsedSignature, code: code)
    publishedFunctions[name] = function
    return function
  }

  typealias Snapping =
    @convention(c) (
      OpaquePointer?, UnsafePointer<tessera_input>, tessera_point,
      UnsafeMutablePointer<tessera_point>
    ) -> tessera_status

  /// The engine's own answer to where a scroll rests; nil where it has none.
  var snapping: Snapping? {
    guard let table = record.table.extension?(record.pointer, TESSERA_SNAPPING) else { return nil }
    let snapping = table.assumingMemoryBound(to: tessera_snapping.self).pointee
    guard snapping.struct_size >= UInt32(MemoryLayout<tessera_snapping>.size) else { return nil }
    return snapping.resting_offset
  }
}
