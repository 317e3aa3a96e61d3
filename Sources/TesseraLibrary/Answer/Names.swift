import CTesseraHost
import TesseraHost

/// The name of a kind that the session answered with.
@c @implementation
public func tessera_session_kind_name(
  _ pointer: OpaquePointer?, _ kind: UInt32
) -> UnsafePointer<CChar>? {
  guard let handle = pointer?.handle(SessionHandle.self), handle.kinds.names.count > kind else {
    return nil
  }
  return handle.texts.pointer(to: handle.kinds.names[Int(kind)])
}

/// How many attributes the elements of the last answer have.
@c @implementation
public func tessera_session_attribute_count(_ pointer: OpaquePointer?) -> UInt32 {
  UInt32(pointer?.handle(SessionHandle.self).answer?.attributes.count ?? 0)
}

/// The name of an attribute.
@c @implementation
public func tessera_session_attribute_name(
  _ pointer: OpaquePointer?, _ attribute: UInt32
) -> UnsafePointer<CChar>? {
  guard let handle = pointer?.handle(SessionHandle.self),
    let declared = handle.attribute(attribute)
  else { return nil }
  return handle.texts.pointer(to: declared.name)
}

/// The name of a choice of an attribute.
@c @implementation
public func tessera_session_attribute_choice(
  _ pointer: OpaquePointer?, _ attribute: UInt32, _ choice: UInt32
) -> UnsafePointer<CChar>? {
  guard let handle = pointer?.handle(SessionHandle.self),
    let choices = handle.attribute(attribute)?.choices, choices.count > choice
  else { return nil }
  return handle.texts.pointer(to: choices[Int(choice)])
}

/// An attribute of elements of the last answer.
@c @implementation
public func tessera_session_copy_attribute(
  _ pointer: OpaquePointer?, _ attribute: UInt32, _ first: UInt64,
  _ numbers: UnsafeMutablePointer<Double>?, _ components: UInt32, _ capacity: UInt64,
  _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  session(pointer) { handle in
    let count = try Argument.present(count, "place for the count")
    let answer = try handle.lastAnswer()
    guard let declared = handle.attribute(attribute) else {
      throw Misuse(
        "there is no attribute \(attribute); the last answer has \(answer.attributes.count)")
    }
    let width = max(1, declared.type.components.count)
    guard components == UInt32(width) else {
      throw Misuse(
        "\(declared.name) consists of \(width) numbers; room is given for \(components)")
    }
    let start = Int(clamping: first)
    let places = start < answer.count ? start..<answer.count : 0..<0
    let wanted = places.prefix(Int(min(capacity, 1 << 40)))
    count.pointee = UInt64(wanted.count)
    guard !wanted.isEmpty else { return }
    var next = try Argument.present(numbers, "numbers")
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
  /// What the engine declares of an attribute of the last answer.
  fileprivate func attribute(_ number: UInt32) -> AttributeDescription? {
    guard let attributes = answer?.attributes, attributes.count > number else { return nil }
    return attributes[Int(number)]
  }
}
