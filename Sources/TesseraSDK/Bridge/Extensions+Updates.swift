import CTessera

nonisolated(unsafe) let updatesTable = permanentTable(
  tessera_updates(
    struct_size: UInt32(MemoryLayout<tessera_updates>.stride), reserved: 0,
    begin: layoutBegin, initial_attributes: layoutInitialAttributes,
    final_attributes: layoutFinalAttributes, end: layoutEnd))

private func layoutBegin(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>,
  updates: UnsafePointer<tessera_update>, count: UInt64
) -> tessera_status {
  withBound(layout) { bound in
    guard let updating = bound.abilities.updating else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      let told = UnsafeBufferPointer(start: updates, count: Int(clamping: count))
      try updating.begin(told.compactMap { Update($0) }, input)
    }
  }
}

private func layoutInitialAttributes(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  withBound(layout) { bound in
    guard let updating = bound.abilities.updating else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try updating.initialAttributes(input, into: Output(pointer: output, host: bound.host))
    }
  }
}

private func layoutFinalAttributes(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  withBound(layout) { bound in
    guard let updating = bound.abilities.updating else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try updating.finalAttributes(input, into: Output(pointer: output, host: bound.host))
    }
  }
}

private func layoutEnd(layout: OpaquePointer?) {
  _ = withBound(layout) { bound in
    bound.abilities.updating?.end()
    return TESSERA_OK
  }
}
