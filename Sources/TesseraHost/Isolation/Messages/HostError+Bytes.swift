extension ByteWriter {
  mutating func put(_ error: HostError) {
    put(UInt8(HostError.Kind.allCases.firstIndex(of: error.kind) ?? 0))
    put(error.message)
  }
}

extension ByteReader {
  /// An error that a worker tells of.
  mutating func hostError() throws(HostError) -> HostError {
    let number = Int(try uint8())
    guard number < HostError.Kind.allCases.count else {
      throw Self.broken("holds an error of kind \(number)")
    }
    return HostError(HostError.Kind.allCases[number], ForeignText.onOneLine(try string()))
  }
}
