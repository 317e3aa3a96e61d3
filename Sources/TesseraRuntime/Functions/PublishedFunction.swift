import CTessera
import CTesseraSystem
import TesseraCatalog

/// A C function that an engine publishes, called by its declared signature.
///
/// Made once and called often; it keeps nothing between calls.
package final class PublishedFunction: Sendable {
  /// The name that errors start with.
  package let name: String
  private let interface: CallInterface
  private let code: @convention(c) () -> Void

  /// The signature that the engine declared.
  package var signature: Signature { interface.signature }

  /// A function at an address, which must really have that signature.
  ///
  /// - Throws: `.refused` where this system cannot pass the signature.
  package init(
    _ name: String, _ signature: Signature, code: @escaping @convention(c) () -> Void
  ) throws(HostError) {
    self.name = name
    self.code = code
    interface = try CallInterface(signature)
  }

  /// Calls the function on a prepared layout, on the thread that uses it.
  ///
  /// Arguments are converted to the declared types: whole numbers exactly, f32 rounded.
  ///
  /// - Throws: `.invalidInput` for another count of arguments, or one that does not fit its type;
  ///   `.brokenContract` for a result that is not finite, or a bool other than 0 or 1.
  package func call(context: OpaquePointer?, arguments: [CallValue]) throws(HostError) -> CallValue {
    try arguments.withUnsafeBufferPointer { (buffer) throws(HostError) in
      try call(context: context, arguments: buffer)
    }
  }

  /// As `call(context:arguments:)`, for arguments that lie in no array.
  package func call(
    context: OpaquePointer?, arguments: UnsafeBufferPointer<CallValue>
  ) throws(HostError) -> CallValue {
    guard arguments.count == interface.types.count else {
      throw signature.miscounted(arguments.count, of: name)
    }
    return try withUnsafeTemporaryAllocation(byteCount: Room.size, alignment: 16) {
      (bytes) throws(HostError) in
      guard let base = bytes.baseAddress else { return .void }
      let room = Room(base: base)
      try room.fill(context, arguments, interface.types, name)
      tessera_call(interface.pointer, code, room.result, room.addresses)
      return try result(at: room.result)
    }
  }

  private func result(at address: UnsafeRawPointer) throws(HostError) -> CallValue {
    let type = signature.result
    if type == .f64 {
      let number = Double.load(from: address)
      if number.isFinite { return .number(number) }
    }
    // A bool is read as a number, so that one other than 0 and 1 is found. libffi widens whole
    // numbers; their low bytes come first on every machine that Swift runs on.
    let found = CallMemory.load(type == .bool ? .u8 : type, from: address)
    return try found.converted(to: type, .brokenContract, "\(name) gave")
  }
}

extension Signature {
  /// - Throws: `.invalidInput` for another count of arguments, or one that does not fit its type.
  package func check(_ given: [CallValue], of name: String) throws(HostError) {
    guard given.count == arguments.count else { throw miscounted(given.count, of: name) }
    for (place, (value, type)) in zip(given, arguments).enumerated() {
      _ = try value.converted(
        to: type, .invalidInput, "argument \(place + 1) of \(name) got")
    }
  }

  fileprivate func miscounted(_ count: Int, of name: String) -> HostError {
    let wanted = arguments.count
    return HostError(
      .invalidInput,
      "\(name) takes \(wanted) \(wanted == 1 ? "argument" : "arguments") "
        + "(\(arguments.map(\.description).joined(separator: ","))) but was given "
        + "\(count); give \(wanted)")
  }
}

/// Fixed room on the stack for one call: the result, the context, the values, their addresses.
private struct Room {
  static let size = addressOffset + (1 + Signature.argumentLimit) * 8
  private static let contextOffset = CallMemory.valueSize
  private static let valueOffset = contextOffset + 16
  private static let addressOffset = valueOffset + Signature.argumentLimit * CallMemory.valueSize

  let base: UnsafeMutableRawPointer

  var result: UnsafeMutableRawPointer { base }
  var addresses: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (base + Self.addressOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  func fill(
    _ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<CallValue>,
    _ types: UnsafeBufferPointer<SignatureType>, _ name: String
  ) throws(HostError) {
    (base + Self.contextOffset).storeBytes(of: context, as: OpaquePointer?.self)
    addresses.initialize(to: base + Self.contextOffset)
    for index in 0..<types.count {
      let address = base + Self.valueOffset + index * CallMemory.valueSize
      (addresses + 1 + index).initialize(to: address)
      // By far the most common type needs no conversion.
      if case .number(let number) = arguments[index], types[index] == .f64, number.isFinite {
        number.store(to: address)
        continue
      }
      let value = try arguments[index].converted(
        to: types[index], .invalidInput, "argument \(index + 1) of \(name) got")
      CallMemory.storeArgument(value, as: types[index], to: address)
    }
  }
}
