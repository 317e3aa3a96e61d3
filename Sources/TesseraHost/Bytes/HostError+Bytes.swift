extension ByteWriter {
  /// An error by its kind and its sentence.
  mutating func put(_ error: HostError) {
    put(error.kind.code)
    put(error.message)
  }
}

extension ByteReader {
  /// An error that was written as one, its sentence on one line; what is thrown says that it was
  /// not.
  mutating func hostError() throws(HostError) -> HostError {
    let code = try uint8()
    guard let kind = HostError.Kind.allCases.first(where: { $0.code == code }) else {
      throw Self.broken("holds an error of kind \(code)")
    }
    return HostError(kind, ForeignText.onOneLine(try string()))
  }
}

extension HostError.Kind {
  /// The number that stands for it in bytes.
  fileprivate var code: UInt8 {
    switch self {
    case .invalidInput: 1
    case .notFound: 2
    case .refused: 3
    case .brokenContract: 4
    case .cannotLoad: 5
    case .cancelled: 6
    case .notAllowed: 7
    case .died: 8
    case .cannotWrite: 9
    }
  }
}
