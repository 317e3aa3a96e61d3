import CTesseraHost
import TesseraGeometry
import TesseraHost

/// How large the content is.
@c @implementation
public func tessera_session_content_size(
  _ pointer: OpaquePointer?, _ width: UnsafeMutablePointer<Double>?,
  _ height: UnsafeMutablePointer<Double>?
) -> Int32 {
  session(pointer) { handle in
    let width = try Argument.present(width, "place for the width")
    let height = try Argument.present(height, "place for the height")
    let size = try handle.session.contentSize()
    (width.pointee, height.pointee) = (size.width, size.height)
  }
}

/// The elements that meet a rect.
@c @implementation
public func tessera_session_query_rect(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
  _ elements: UnsafeMutablePointer<tessera_element>?, _ elementSize: UInt64, _ capacity: UInt64,
  _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  query(pointer, elements, elementSize, capacity, count) {
    try $0.elements(in: Rect(x: x, y: y, width: width, height: height))
  }
}

/// The elements that meet the viewport.
@c @implementation
public func tessera_session_query_viewport(
  _ pointer: OpaquePointer?, _ elements: UnsafeMutablePointer<tessera_element>?,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  query(pointer, elements, elementSize, capacity, count) { try $0.elements(in: $0.visibleRect) }
}

/// All elements.
@c @implementation
public func tessera_session_query_all(
  _ pointer: OpaquePointer?, _ elements: UnsafeMutablePointer<tessera_element>?,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  query(pointer, elements, elementSize, capacity, count) { try $0.elements() }
}

/// More of the last answer.
@c @implementation
public func tessera_session_copy_elements(
  _ pointer: OpaquePointer?, _ first: UInt64, _ elements: UnsafeMutablePointer<tessera_element>?,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  session(pointer) { handle in
    let count = try Argument.present(count, "place for the count")
    let room = try ElementRoom(elements, size: elementSize, capacity: capacity)
    let answer = try handle.lastAnswer()
    count.pointee = UInt64(
      answer.copy(
        from: Int(clamping: first), to: room, kinds: handle.kinds.numbers(of: answer.kinds)))
  }
}

/// One element.
@c @implementation
public func tessera_session_find(
  _ pointer: OpaquePointer?, _ category: tessera_category, _ kind: UnsafePointer<CChar>?,
  _ section: UInt64, _ item: UInt64, _ element: UnsafeMutablePointer<tessera_element>?,
  _ elementSize: UInt64
) -> Int32 {
  TesseraLibrary.session(pointer) { handle in
    let room = try ElementRoom(
      try Argument.present(element, "place for the element"), size: elementSize, capacity: 1)
    guard let category = ElementCategory(rawValue: category) else {
      throw HostError(
        .invalidInput,
        "the category is \(category); give TESSERA_CELL, TESSERA_SUPPLEMENTARY or "
          + "TESSERA_DECORATION")
    }
    let sought = ElementIdentity(
      category: category, kind: try Argument.optionalText(kind, "kind's name"),
      section: Int(clamping: section), item: Int(clamping: item))
    guard let found = try handle.session.element(sought) else {
      let what = sought.kind ?? category.name
      throw HostError(.notFound, "the layout has no \(what) \(item) in section \(section)")
    }
    room.write(tessera_element(found, as: found.identity, &handle.kinds), at: 0)
  }
}

/// Asks a session, keeps the answer, and copies what there is room for.
private func query(
  _ pointer: OpaquePointer?, _ elements: UnsafeMutablePointer<tessera_element>?,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: UnsafeMutablePointer<UInt64>?,
  _ ask: (Session) throws -> Elements
) -> Int32 {
  session(pointer) { handle in
    let count = try Argument.present(count, "place for the count")
    let room = try ElementRoom(elements, size: elementSize, capacity: capacity)
    // What was answered before need not be kept while this is.
    handle.answer = nil
    let answer = try ask(handle.session)
    handle.answer = answer
    _ = answer.copy(from: 0, to: room, kinds: handle.kinds.numbers(of: answer.kinds))
    count.pointee = UInt64(answer.count)
  }
}
