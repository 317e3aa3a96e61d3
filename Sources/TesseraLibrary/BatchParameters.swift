import CTesseraHost
import TesseraHost

/// Unchecked until layout, since the library may be replaced in between.
struct BatchParameter {
  /// A number, a vector or a choice's name for each layout.
  let values: [Value]
  /// Faults independent of the type, such as nulls, by layout.
  let faults: [Int: String]

  fileprivate func checked(
    as declared: ParameterDescription
  ) -> (values: [Value], problems: [Int: HostError]) {
    var problems = faults.mapValues { HostError.invalidValue(declared.name, $0) }
    // Other types are checked where they are set.
    guard !declared.type.isVector, declared.type != .choice else { return (values, problems) }
    let converted = values.enumerated().map { layout, value in
      guard case .number(let number) = value else { return value }
      if let problem = declared.type.problem(with: number) {
        if problems[layout] == nil { problems[layout] = .invalidValue(declared.name, problem) }
        return declared.initial
      }
      return Value(type: declared.type, numbers: [number]) ?? value
    }
    return (converted, problems)
  }
}

extension SessionHandle {
  /// Throws `.invalidInput` if a parameter is no longer declared.
  func checkedBatchParameters() throws(HostError) -> (
    values: [String: [Value]], problems: [Int: HostError]
  ) {
    var (values, problems): ([String: [Value]], [Int: HostError]) = ([:], [:])
    for (name, parameter) in batchParameters.sorted(by: { $0.key < $1.key }) {
      let checked = parameter.checked(as: try session.values.settable(name).declared)
      values[name] = checked.values
      problems.merge(checked.problems) { first, _ in first }
    }
    return (values, problems)
  }
}

extension ValueType {
  /// Nil if the number is valid for the type.
  func problem(with number: Double) -> String? {
    guard number.isFinite else { return "is \(number.shortText); expected finite numbers" }
    guard component != .double else { return nil }
    if self == .bool {
      return number == 0 || number == 1 ? nil : "is \(number.shortText); give 0 or 1"
    }
    guard number.rounded(.towardZero) == number else {
      return "is \(number.shortText); give a whole number"
    }
    return number.magnitude > 0x1p53
      ? "is \(number.shortText); give whole numbers of at most 2^53" : nil
  }
}

@c @implementation package func tessera_session_batch_part(
  _ pointer: OpaquePointer?, _ layout: Out<UInt64>, _ firstSection: Out<UInt64>
) -> Int32 {
  session(pointer, isForCallbacks: true) { handle in
    guard let part = handle.session.batchPart else {
      throw HostError(
        .wrongState,
        "no layout of a batch is being measured; ask from the function that measures, during a "
          + "batch")
    }
    layout?.pointee = UInt64(part.layout)
    firstSection?.pointee = UInt64(part.firstSection)
  }
}
