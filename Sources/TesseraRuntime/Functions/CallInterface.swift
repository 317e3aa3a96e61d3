import CTesseraSystem
import TesseraCatalog
import TesseraGeometry

package final class CallInterface: @unchecked Sendable {  // immutable after init
  package let signature: Signature
  package let pointer: OpaquePointer
  /// Valid as long as this object.
  package let types: UnsafeBufferPointer<ValueType>

  package init(_ signature: Signature) throws(HostError) {
    let numbers = signature.arguments.map(\.callNumber)
    guard
      let pointer = tessera_call_interface_create(
        signature.result.callNumber, numbers, UInt32(numbers.count))
    else {
      throw HostError(
        .unsupportedSignature,
        "functions of the signature \(signature) cannot be called on this system; declare another "
          + "signature")
    }
    let types = UnsafeMutableBufferPointer<ValueType>.allocate(capacity: numbers.count)
    _ = types.initialize(from: signature.arguments)
    self.signature = signature
    self.pointer = pointer
    self.types = UnsafeBufferPointer(types)
  }

  deinit {
    tessera_call_interface_destroy(pointer)
    types.deallocate()
  }
}

/// The arguments of a delegate function's call.
///
/// Valid only during the call. Numbers may not be finite; an index out of range traps.
public struct CallArguments {
  /// After the context's address.
  @usableFromInline package let addresses: UnsafePointer<UnsafeMutableRawPointer>
  private let types: UnsafeBufferPointer<ValueType>

  package init(
    addresses: UnsafePointer<UnsafeMutableRawPointer>, types: UnsafeBufferPointer<ValueType>
  ) {
    self.addresses = addresses
    self.types = types
  }

  /// The number of arguments.
  public var count: Int { types.count }

  /// The type of an argument.
  public func type(at index: Int) -> ValueType {
    precondition(types.indices.contains(index), "argument index out of range")
    return types[index]
  }

  /// An argument of any type.
  public func value(at index: Int) -> Value { Value.load(type(at: index), from: addresses[index]) }

  /// An integer or a bool; nil for other types and a u64 above `Int64.max`.
  public func integer(at index: Int) -> Int64? {
    // Fast path for sections and items, by far the most common arguments.
    if type(at: index) == .u32 { return Int64(UInt32.load(from: addresses[index])) }
    let value = value(at: index)
    if case .number = value { return nil }
    return value.whole(Int64.self)
  }

  /// A number or a bool, rounded above 2^53; nil for structures.
  public func number(at index: Int) -> Double? {
    if type(at: index) == .u32 { return Double(UInt32.load(from: addresses[index])) }
    if type(at: index) == .number { return Double.load(from: addresses[index]) }
    return value(at: index).double
  }

  /// A point; nil for other types.
  public func point(at index: Int) -> Point? { load(.point, at: index) }

  /// A size; nil for other types.
  public func size(at index: Int) -> Size? { load(.size, at: index) }

  /// A rectangle; nil for other types.
  public func rect(at index: Int) -> Rect? { load(.rect, at: index) }

  /// Insets; nil for other types.
  public func insets(at index: Int) -> Insets? { load(.insets, at: index) }

  /// The argument must have that type; increments the index.
  @inlinable package func next<Argument: NativeValue>(_: Argument.Type, _ index: inout Int)
    -> Argument
  {
    defer { index += 1 }
    return Argument.load(from: addresses[index])
  }

  private func load<Structure: NativeValue>(_ expected: ValueType, at index: Int) -> Structure? {
    type(at: index) == expected ? Structure.load(from: addresses[index]) : nil
  }
}

@usableFromInline package struct CallResult {
  @usableFromInline package let address: UnsafeMutableRawPointer
  package let type: ValueType

  /// As wide as libffi expects.
  package func storeZero() {
    guard type != .void else { return }
    address.initializeMemory(as: UInt8.self, repeating: 0, count: max(8, type.stride))
  }

  package func store(_ value: Value, of name: @autoclosure () -> String) throws(HostError) {
    let fitting = try value.converted(to: type, .callbackFailed, "\(name()) returned")
    fitting.store(as: type, to: address)
  }

  @usableFromInline package func conversionError(_ value: Value, of name: String) -> HostError {
    value.conversionError(for: type, .callbackFailed, "\(name) returned")
  }
}
