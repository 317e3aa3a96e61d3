import CTessera
import TesseraGeometry

/// The table of a layout whose items are measured; nil for any other.
///
/// - Throws: A value that the layout does not have.
func describeSizing(
  _ type: any Layout.Type
) throws(LayoutFailure) -> UnsafePointer<tessera_sizing>? {
  guard let sizing = type as? any SizingLayout.Type else { return nil }
  let name = sizing.measuredValue
  let columns = Declarations(of: type.init()).columns
  let isSound = columns.contains {
    $0.name == name && $0.slot.scope == .item
      && [TESSERA_SIZE, TESSERA_NUMBER].contains($0.slot.contractType)
  }
  guard isSound else {
    throw .unsupported(
      "measuring supplies \(name), which is no item value of the layout's own; name one that is a "
        + "Size or a Double")
  }
  return permanentTable(
    tessera_sizing(
      struct_size: UInt32(MemoryLayout<tessera_sizing>.stride), reserved: 0,
      value: permanentText(name), estimate: layoutEstimate, proposal: layoutProposal))
}

private func layoutEstimate(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>,
  size: UnsafeMutablePointer<tessera_size>
) -> Int32 {
  var answer: Int32 = 0
  _ = withBound(layout) { bound in
    bound.call(input) { (input) throws(LayoutFailure) in
      guard let estimate = bound.abilities.sizing?.estimate(input) else { return }
      size.pointee = tessera_size(estimate)
      answer = 1
    }
  }
  return answer
}

private func layoutProposal(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, section: UInt32
) -> tessera_size {
  var answer = tessera_size()
  _ = withBound(layout) { bound in
    bound.call(input) { (input) throws(LayoutFailure) in
      guard let sizing = bound.abilities.sizing, Int(section) < input.sectionCount else { return }
      answer = tessera_size(sizing.proposal(forSection: Int(section), input))
    }
  }
  return answer
}
