import TesseraHost

/// Counts how often an engine calls the functions of a session.
final class CountedAnswers {
  /// One function.
  final class Count {
    var calls = 0
  }

  private var counts: [String: Count] = [:]

  /// The count of a function by its name.
  subscript(name: String) -> Count {
    if let count = counts[name] { return count }
    let count = Count()
    counts[name] = count
    return count
  }
}

extension Trial {
  /// Answers every delegate function with 0 and 1 in turn, by the sum of its arguments and a number.
  func answer(_ session: Session, adding number: Int) throws(HostError) -> CountedAnswers {
    let answers = CountedAnswers()
    for function in session.engine.delegateFunctions {
      let signature = try function.parsedSignature
      let count = answers[function.name]
      try session.setDelegate(
        function.name,
        DelegateFunction(function.name, signature) { arguments throws(HostError) in
          count.calls += 1
          return signature.result.answer(to: arguments, adding: number)
        })
    }
    return answers
  }
}

extension SignatureType {
  /// 0 or 1, in every component, by the sum of some arguments and a number.
  fileprivate func answer(to arguments: CallArguments, adding number: Int) -> CallValue {
    var sum = Int64(number)
    for place in 0..<arguments.count { sum &+= arguments.integer(at: place) ?? 0 }
    return filled(with: Double(sum & 1))
  }

  /// The least and the greatest values, and 0; of numbers with a fraction, lengths beyond any screen.
  var extremes: [CallValue] {
    switch self {
    case .void: []
    case .bool: [.bool(false), .bool(true)]
    case .u8: [.unsigned(0), .unsigned(UInt64(UInt8.max))]
    case .u16: [.unsigned(0), .unsigned(UInt64(UInt16.max))]
    case .u32: [.unsigned(0), .unsigned(UInt64(UInt32.max))]
    case .u64: [.unsigned(0), .unsigned(.max)]
    case .i8: [.signed(0), .signed(Int64(Int8.min)), .signed(Int64(Int8.max))]
    case .i16: [.signed(0), .signed(Int64(Int16.min)), .signed(Int64(Int16.max))]
    case .i32: [.signed(0), .signed(Int64(Int32.min)), .signed(Int64(Int32.max))]
    case .i64: [.signed(0), .signed(.min), .signed(.max)]
    case .f32, .f64, .point, .size, .rect, .insets: [0, 1e12, -1e12].map(filled)
    }
  }

  /// The value whose every component is a number that all types hold.
  private func filled(with number: Double) -> CallValue {
    let count = self == .void ? 0 : max(1, components.count)
    return CallValue(type: self, numbers: Array(repeating: number, count: count)) ?? .void
  }
}
