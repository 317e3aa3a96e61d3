import CTesseraSystem
import TesseraCatalog
import TesseraGeometry

/// How C passes the arguments and the result of one signature, computed once.
package final class CallInterface: @unchecked Sendable {  // immutable after init
  package let signature: Signature
  package let pointer: OpaquePointer
  /// The types of the arguments; the memory is valid as long as this object.
  package let types: UnsafeBufferPointer<ValueType>

  /// Prepares calls of a signature.
  ///
  /// - Throws: `.refused` if libffi cannot call the signature.
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

/// The arguments that C passed to a delegate function, indexed from 0.
///
/// A view that allocates nothing. It is valid only during the call; do not store it. The arguments
/// are not checked: numbers may not be finite. Every access is O(1); an index out of range is a
/// runtime error, as with an array.
public struct CallArguments {
  /// The addresses of the arguments, after that of the context.
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

  /// An integer or a bool; nil for other types and for a u64 beyond `Int64.max`.
  public func integer(at index: Int) -> Int64? {
    // Sections and items, by far the most common arguments, need no conversion.
    if type(at: index) == .u32 { return Int64(UInt32.load(from: addresses[index])) }
    let value = value(at: index)
    if case .number = value { return nil }
    return value.whole(Int64.self)
  }

  /// A number of any type or a bool, rounded beyond 2^53; nil for structures.
  public func number(at index: Int) -> Double? {
    if type(at: index) == .u32 { return Double(UInt32.load(from: addresses[index])) }
    if type(at: index) == .number { return Double.load(from: addresses[index]) }
    return value(at: index).double
  }

  /// Returns the argument at `index`, which must have that type, and increments the index.
  @inlinable package func next<Argument: NativeValue>(_: Argument.Type, _ index: inout Int)
    -> Argument
  {
    defer { index += 1 }
    return Argument.load(from: addresses[index])
  }
}

/// The memory for the result of a delegate function, valid during one call.
@usableFromInline package struct CallResult {
  @usableFromInline package let address: UnsafeMutableRawPointer
  package let type: ValueType

  /// Writes zero, as libffi expects a result of the type.
  package func storeZero() {
    guard type != .void else { return }
    address.initializeMemory(as: UInt8.self, repeating: 0, count: max(8, type.stride))
  }

  /// Converts a value to the result's type and writes it.
  ///
  /// - Throws: `.invalidInput` for a value that the type cannot hold.
  package func store(_ value: Value, of name: @autoclosure () -> String) throws(HostError) {
    let fitting = try value.converted(to: type, .callbackFailed, "\(name()) returned")
    fitting.store(as: type, to: address)
  }

  @usableFromInline package func conversionError(
    _ value: Value, of name: String
  ) -> HostError {
    value.conversionError(for: type, .callbackFailed, "\(name) returned")
  }
}
