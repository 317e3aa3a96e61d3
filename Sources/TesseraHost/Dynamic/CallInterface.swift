import CTesseraSystem

/// How C passes the arguments and the result of one signature, worked out once.
final class CallInterface: @unchecked Sendable {  // nothing in it changes after init
  let signature: Signature
  let pointer: OpaquePointer
  /// The types of the arguments, at a place that lives as long as this.
  let types: UnsafeBufferPointer<SignatureType>

  /// - Throws: `.refused` where libffi cannot pass the signature.
  init(_ signature: Signature) throws(HostError) {
    let numbers = signature.arguments.map(\.rawValue)
    guard
      let pointer = tessera_call_interface_create(
        signature.result.rawValue, numbers, UInt32(numbers.count))
    else {
      throw HostError(
        .refused,
        "functions of the signature \(signature) cannot be called on this system; "
          + "declare another signature")
    }
    let types = UnsafeMutableBufferPointer<SignatureType>.allocate(capacity: numbers.count)
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
