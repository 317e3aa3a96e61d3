import CTessera
import CTesseraSystem
import TesseraCatalog

/// A C function created at run time and implemented in Swift, for an engine to call.
///
/// Runs on the thread that uses the layout, any number of times. During one engine call, equal
/// arguments must give equal results: for a worker, the host calls ahead for the items that follow
/// and reuses results. After an error, C receives zero and `takeError` returns it. The C function
/// lives as long as this object.
public final class DelegateFunction {
  @usableFromInline package typealias Body = (CallResult, CallArguments) throws(HostError) -> Void

  /// The name, for errors.
  public let name: String
  private let interface: CallInterface
  private let memory: ClosureMemory
  private let body: Body
  private var error: HostError?
  private var code: (@convention(c) () -> Void)?
  /// Whether an argument or the result is mirrored in a mirrored layout.
  package let isGeometric: Bool
  /// The content width for mirroring; nil if nothing is, or if another process mirrors.
  package var mirrorWidth: (() -> Double?)?

  /// The C function's signature.
  public var signature: Signature { interface.signature }

  /// Creates a function from a closure that returns any value; f32 is rounded.
  ///
  /// - Throws: `.refused` if the system forbids functions created at run time.
  public convenience init(
    _ name: String, _ signature: Signature,
    answer: @escaping (CallArguments) throws(HostError) -> Value
  ) throws(HostError) {
    try self.init(name: name, signature: signature) {
      (result, arguments) throws(HostError) in
      try result.store(try answer(arguments), of: name)
    }
  }

  /// Creates a function with a Swift closure's signature: `UInt8` for u8, `Float` for f32.
  ///
  /// - Throws: `.invalidInput` for more than 16 arguments; `.refused` if the system forbids it.
  @inlinable public convenience init<each Argument: NativeValue, Result: NativeValue>(
    _ name: String, _ answer: @escaping (repeat each Argument) -> Result
  ) throws(HostError) {
    var types: [ValueType] = []
    repeat types.append((each Argument).valueType)
    let signature = try Signature(result: Result.valueType, arguments: types)
    try self.init(name: name, signature: signature) {
      (result, arguments) throws(HostError) in
      var index = 0
      let value = answer(repeat arguments.next((each Argument).self, &index))
      guard value.isFinite else { throw result.conversionError(Value(value), of: name) }
      value.store(to: result.address)
    }
  }

  @usableFromInline package convenience init(
    name: String, signature: Signature, body: @escaping Body
  ) throws(HostError) { try self.init(name, CallInterface(signature), ClosureMemory(), body) }

  package init(
    _ name: String, _ interface: CallInterface, _ memory: ClosureMemory, _ body: @escaping Body
  ) throws(HostError) {
    (self.name, self.interface, self.memory, self.body) = (name, interface, memory, body)
    let signature = interface.signature
    isGeometric = ([signature.result] + signature.arguments).contains(where: \.isMirrored)
    code = prepare(memory, interface, context: Unmanaged.passUnretained(self).toOpaque())
    guard code != nil else {
      throw HostError(
        .unsupportedSignature,
        "\(name): functions of the signature \(interface.signature) cannot be created on this "
          + "system")
    }
  }

  /// Valid as long as this object.
  package var function: tessera_function {
    tessera_function(call: code, context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// For an engine in another process; `takeError` returns a thrown error too.
  package func answer(_ arguments: [Value]) throws(HostError) -> Value {
    do throws(HostError) { return try answer(unchecked: arguments) } catch {
      if self.error == nil { self.error = error }
      throw error
    }
  }

  /// With arguments not passed yet; stores no error.
  package func answerAhead(_ arguments: [Value]) -> Value? { try? answer(unchecked: arguments) }

  private func answer(unchecked arguments: [Value]) throws(HostError) -> Value {
    let types = interface.types
    let size = Value.memorySize
    return try withUnsafeTemporaryAllocation(
      byteCount: size * (1 + Signature.argumentLimit) + 8 * Signature.argumentLimit, alignment: 16
    ) { (buffer) throws(HostError) in
      guard let base = buffer.baseAddress else { return .void }
      let addresses = (base + size * (1 + Signature.argumentLimit))
        .assumingMemoryBound(to: UnsafeMutableRawPointer.self)
      for (place, value) in arguments.enumerated() {
        guard value.type == types[place].carrier else {
          throw HostError(
            .invalidArgument,
            "argument \(place + 1) of \(name) is a \(value.type); expected \(types[place])")
        }
        let address = base + size * (1 + place)
        (addresses + place).initialize(to: address)
        value.store(as: types[place], to: address)
      }
      try body(
        CallResult(address: base, type: interface.signature.result),
        CallArguments(addresses: addresses, types: types))
      return Value.load(signature.result, from: base)
    }
  }

  /// Returns the first error since the last call.
  public func takeError() -> HostError? {
    defer { error = nil }
    return error
  }

  fileprivate func run(
    _ address: UnsafeMutableRawPointer, _ addresses: UnsafePointer<UnsafeMutableRawPointer>
  ) {
    let result = CallResult(address: address, type: interface.signature.result)
    do throws(HostError) {
      let context = addresses[0].load(as: UnsafeMutableRawPointer?.self)
      guard context == Unmanaged.passUnretained(self).toOpaque() else {
        throw HostError(
          .missingContext,
          "\(name) was called without its context; pass the context of its tessera_function first")
      }
      // The arguments are copies that belong to this call.
      let width = isGeometric ? mirrorWidth?() : nil
      if let width {
        for (index, type) in interface.types.enumerated() where type.isMirrored {
          try mirror(addresses[1 + index], type, in: width, "argument \(index + 1) of \(name) is")
        }
      }
      try body(result, CallArguments(addresses: addresses + 1, types: interface.types))
      guard let width, result.type.isMirrored else { return }
      try mirror(address, result.type, in: width, "\(name) returned")
    } catch {
      result.storeZero()
      if self.error == nil { self.error = error }
    }
  }

  /// An argument that isn't finite stays so.
  private func mirror(
    _ address: UnsafeMutableRawPointer, _ type: ValueType, in width: Double,
    _ subject: @autoclosure () -> String
  ) throws(HostError) {
    let value = Value.load(type, from: address)
    type.mirror(address, in: width)
    guard !Value.load(type, from: address).isFinite, value.isFinite else { return }
    throw .noMirrorImage(.invalidArgument, subject(), value, in: width)
  }
}

// Outside the class: a C callback in isolated code would check its executor on every call.

private func prepare(
  _ memory: ClosureMemory, _ interface: CallInterface, context: UnsafeMutableRawPointer
) -> (@convention(c) () -> Void)? {
  tessera_closure_prepare(memory.pointer, interface.pointer, answer, context)
}

private func answer(
  _ context: UnsafeMutableRawPointer, _ result: UnsafeMutableRawPointer,
  _ arguments: UnsafePointer<UnsafeMutableRawPointer>
) {
  Unmanaged<DelegateFunction>.fromOpaque(context)._withUnsafeGuaranteedRef {
    $0.run(result, arguments)
  }
}

/// Executable memory for a later function, from before a process gives up the right to it.
package final class ClosureMemory {
  package let pointer: OpaquePointer

  package init() throws(HostError) {
    guard let pointer = tessera_closure_create() else {
      throw HostError(
        .unsupportedSignature,
        "the system provides no executable memory, which delegate functions need; allow it, or set "
          + "no delegate functions")
    }
    self.pointer = pointer
  }

  deinit { tessera_closure_destroy(pointer) }
}
