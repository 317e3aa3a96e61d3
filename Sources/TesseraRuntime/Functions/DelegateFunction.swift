import CTessera
import CTesseraSystem
import TesseraCatalog

/// A C function that the host makes at run time for an engine to call, answered in Swift.
///
/// Made once and called often, on the one thread that uses the layout. During one call into an engine
/// it is to answer the same question alike; for an engine in a process of its own, a function of
/// section and item is also asked for items that follow one, and the answers are kept for that call.
/// Where its answer throws or does not fit the result's type, C gets zero and the error waits in
/// `takeError`. The C function
/// lives as long as this object.
public final class DelegateFunction {
  /// Stores a result, or throws.
  @usableFromInline package typealias Body = (CallResult, CallArguments) throws(HostError) -> Void

  /// The name that errors start with.
  public let name: String
  private let interface: CallInterface
  private let memory: ClosureMemory
  private let body: Body
  private var error: HostError?
  private var code: (@convention(c) () -> Void)?

  /// The signature of the C function.
  public var signature: Signature { interface.signature }

  /// A function that answers with a value that fits its result's type: whole numbers exactly, f32
  /// rounded.
  ///
  /// - Throws: `.refused` where the system allows no functions made at run time.
  public convenience init(
    _ name: String, _ signature: Signature,
    answer: @escaping (CallArguments) throws(HostError) -> CallValue
  ) throws(HostError) {
    try self.init(name: name, signature: signature) {
      (result, arguments) throws(HostError) in
      try result.store(try answer(arguments), of: name)
    }
  }

  /// A function that answers with a number: an expression, for example.
  ///
  /// - Throws: `.refused` where the system allows no functions made at run time.
  public convenience init(
    _ name: String, _ signature: Signature,
    number: @escaping (CallArguments) throws(HostError) -> Double
  ) throws(HostError) {
    try self.init(name: name, signature: signature) {
      (result, arguments) throws(HostError) in
      try result.store(.number(try number(arguments)), of: name)
    }
  }

  /// A function of the signature that a Swift closure has: `UInt8` for u8, `Float` for f32.
  ///
  /// - Throws: `.invalidInput` for more than 16 arguments; `.refused` where the system allows no
  ///   functions made at run time.
  @inlinable public convenience init<each Argument: CallType, Result: CallType>(
    _ name: String, _ answer: @escaping (repeat each Argument) -> Result
  ) throws(HostError) {
    var types: [SignatureType] = []
    repeat types.append((each Argument).signatureType)
    let signature = try Signature(result: Result.signatureType, arguments: types)
    try self.init(name: name, signature: signature) {
      (result, arguments) throws(HostError) in
      var index = 0
      let value = answer(repeat arguments.next((each Argument).self, &index))
      guard value.isPassable else { throw result.unfit(value.callValue, of: name) }
      value.store(to: result.address)
    }
  }

  @usableFromInline package convenience init(
    name: String, signature: Signature, body: @escaping Body
  ) throws(HostError) {
    try self.init(name, CallInterface(signature), ClosureMemory(), body)
  }

  /// A function in executable memory that there is already.
  package init(
    _ name: String, _ interface: CallInterface, _ memory: ClosureMemory, _ body: @escaping Body
  ) throws(HostError) {
    self.name = name
    self.interface = interface
    self.memory = memory
    self.body = body
    code = prepare(memory, interface, context: Unmanaged.passUnretained(self).toOpaque())
    guard code != nil else {
      throw HostError(
        .refused, "\(name): functions of the signature \(interface.signature) cannot be made here")
    }
  }

  /// The C function with its context, for an engine to call while this object lives.
  package var function: tessera_function {
    tessera_function(call: code, context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Answers without C: for an engine in another process.
  ///
  /// - Throws: As the answer does, and `.brokenContract` for arguments of other types; the error waits
  ///   in `takeError` too.
  package func answer(_ arguments: [CallValue]) throws(HostError) -> CallValue {
    do throws(HostError) { return try answer(unchecked: arguments) } catch {
      if self.error == nil { self.error = error }
      throw error
    }
  }

  /// Answers what nobody has asked yet; nil where that goes wrong, which is then nobody's business.
  package func answerAhead(_ arguments: [CallValue]) -> CallValue? { try? answer(unchecked: arguments) }

  private func answer(unchecked arguments: [CallValue]) throws(HostError) -> CallValue {
    let types = interface.types
    let size = CallMemory.valueSize
    return try withUnsafeTemporaryAllocation(
      byteCount: size * (1 + Signature.argumentLimit) + 8 * Signature.argumentLimit, alignment: 16
    ) { (room) throws(HostError) in
      guard let base = room.baseAddress else { return .void }
      let addresses = (base + size * (1 + Signature.argumentLimit))
        .assumingMemoryBound(to: UnsafeMutableRawPointer.self)
      for (place, value) in arguments.enumerated() {
        guard value.isCarried(by: types[place]) else {
          throw HostError(
            .brokenContract, "argument \(place + 1) of \(name) came as another type than it has")
        }
        let address = base + size * (1 + place)
        (addresses + place).initialize(to: address)
        CallMemory.storeArgument(value, as: types[place], to: address)
      }
      try body(
        CallResult(address: base, type: interface.signature.result),
        CallArguments(addresses: addresses, types: types))
      return CallMemory.load(signature.result, from: base)
    }
  }

  /// What went wrong first since this was last called; nil if nothing did.
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
      guard context == Unmanaged.passUnretained(self).toOpaque() else { throw withoutContext }
      try body(result, CallArguments(addresses: addresses + 1, types: interface.types))
    } catch {
      CallMemory.storeZero(result.type, to: address)
      if self.error == nil { self.error = error }
    }
  }
}

extension DelegateFunction {
  private var withoutContext: HostError {
    HostError(
      .brokenContract,
      "\(name) was called without its context; pass the context of its tessera_function first")
  }
}

// Both outside the class: a C callback formed in isolated code would check its executor on each call.

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

/// Executable memory for one C function, got before the function's signature is known.
///
/// A process that is about to give up the right to executable memory makes as many as it may need
/// first, and passes each to the `DelegateFunction` that it becomes.
package final class ClosureMemory {
  package let pointer: OpaquePointer

  /// - Throws: `.refused` where the system gives no executable memory.
  package init() throws(HostError) {
    guard let pointer = tessera_closure_create() else {
      throw HostError(
        .refused,
        "the system gives no executable memory, which delegate functions need; allow it, or give "
          + "no delegate functions")
    }
    self.pointer = pointer
  }

  deinit { tessera_closure_destroy(pointer) }
}
