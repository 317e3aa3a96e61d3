import CTessera
import CTesseraSystem
import TesseraCatalog

/// A C function that an engine publishes; stateless and reusable.
package final class PublishedFunction: Sendable {
  package let name: String
  private let interface: CallInterface
  private let code: @convention(c) () -> Void

  package var signature: Signature { interface.signature }

  package init(
    _ name: String, _ signature: Signature, code: @escaping @convention(c) () -> Void
  ) throws(HostError) {
    self.name = name
    self.code = code
    interface = try CallInterface(signature)
  }

  // Converts integers exactly, rounds f32. Throws `.brokenContract` for an invalid result.
  package func call(context: OpaquePointer?, arguments: [Value]) throws(HostError) -> Value {
    guard arguments.count == interface.types.count else {
      throw .wrongArgumentCount(arguments.count, of: name, signature.arguments)
    }
    return try withUnsafeTemporaryAllocation(byteCount: CallBuffer.size, alignment: 16) {
      (bytes) throws(HostError) in
      guard let base = bytes.baseAddress else { return .void }
      let buffer = CallBuffer(base: base)
      try buffer.fill(context, arguments, interface.types, name)
      tessera_call(interface.pointer, code, buffer.result, buffer.addresses)
      return try result(at: buffer.result)
    }
  }

  private func result(at address: UnsafeRawPointer) throws(HostError) -> Value {
    let type = signature.result
    if type == .number {
      let number = Double.load(from: address)
      if number.isFinite { return .number(number) }
    }
    // A bool is read as an integer to detect other values. libffi widens; low bytes come first.
    let found = Value.load(type == .bool ? .u8 : type, from: address)
    return try found.converted(to: type, .invalidResult, "\(name) returned")
  }
}

extension Signature {
  package func check(_ values: [Value], of name: String) throws(HostError) {
    guard values.count == arguments.count else {
      throw .wrongArgumentCount(values.count, of: name, arguments)
    }
    for (place, (value, type)) in zip(values, arguments).enumerated() {
      _ = try value.converted(to: type, .invalidValue, "argument \(place + 1) of \(name) got")
    }
  }
}

/// On the stack: result, context, arguments, addresses.
private struct CallBuffer {
  static let size = addressOffset + (1 + Signature.argumentLimit) * 8
  private static let contextOffset = Value.memorySize
  private static let valueOffset = contextOffset + 16
  private static let addressOffset = valueOffset + Signature.argumentLimit * Value.memorySize

  let base: UnsafeMutableRawPointer

  var result: UnsafeMutableRawPointer { base }
  var addresses: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (base + Self.addressOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  func fill(
    _ context: OpaquePointer?, _ arguments: [Value],
    _ types: UnsafeBufferPointer<ValueType>, _ name: String
  ) throws(HostError) {
    (base + Self.contextOffset).storeBytes(of: context, as: OpaquePointer?.self)
    addresses.initialize(to: base + Self.contextOffset)
    for index in 0..<types.count {
      let address = base + Self.valueOffset + index * Value.memorySize
      (addresses + 1 + index).initialize(to: address)
      // Fast path for f64, by far the most common type.
      if case .number(let number) = arguments[index], types[index] == .number, number.isFinite {
        number.store(to: address)
        continue
      }
      let value = try arguments[index].converted(
        to: types[index], .invalidValue, "argument \(index + 1) of \(name) got")
      value.store(as: types[index], to: address)
    }
  }
}

extension HostError {
  fileprivate static func wrongArgumentCount(
    _ count: Int, of name: String, _ arguments: [ValueType]
  ) -> HostError {
    let expected = arguments.count
    return HostError(
      .wrongCount,
      "\(name) takes \(counted(expected, "argument")) "
        + "(\(arguments.map(\.description).joined(separator: ","))) but was given "
        + "\(count); give \(expected)")
  }
}
