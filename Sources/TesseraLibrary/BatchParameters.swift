import CTesseraHost
import TesseraHost

/// The values of a parameter for each layout of a batch, as the program gave them.
///
/// The version of the library that lays them out checks them, so that they stay when it is replaced.
struct BatchParameter {
  /// A number, a vector or the name of a choice for each layout.
  let values: [Value]
  /// What is wrong with values whatever the type, such as a null, by their layouts.
  let faults: [Int: String]

  /// The values for a declaration, and what is wrong with the values of which layouts.
  fileprivate func checked(
    as declared: ParameterDescription
  ) -> (values: [Value], problems: [Int: HostError]) {
    var problems = faults.mapValues { HostError.invalidValue(declared.name, $0) }
    // Others are checked where they are set.
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
  /// The parameters of the layouts of a batch, as the engine declares them now.
  ///
  /// - Throws: `.invalidInput` for a parameter that the engine no longer declares.
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
  /// What is wrong with a number as a value of the type, or as a part of one; nil if nothing is.
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

/// The layout of a batch whose elements are being measured.
@c @implementation public func tessera_session_batch_part(
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
