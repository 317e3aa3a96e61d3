/// Where the result of a function that the host made goes, during one call.
@usableFromInline struct CallResult {
  @usableFromInline let address: UnsafeMutableRawPointer
  let type: SignatureType

  /// - Throws: `.invalidInput` for a value that the type cannot hold.
  func store(_ value: CallValue, of name: @autoclosure () -> String) throws(HostError) {
    let fitting = try value.converted(to: type, .invalidInput, "\(name()) gave")
    CallMemory.storeResult(fitting, as: type, to: address)
  }

  /// The error for a value that the type cannot hold.
  @usableFromInline func unfit(_ value: CallValue, of name: String) -> HostError {
    value.unfit(for: type, .invalidInput, "\(name) gave")
  }
}

extension CallArguments {
  /// The argument at `index`, which is of that type, and goes on to the next.
  @inlinable func next<Argument: CallType>(_: Argument.Type, _ index: inout Int) -> Argument {
    defer { index += 1 }
    return Argument.load(from: addresses[index])
  }
}
