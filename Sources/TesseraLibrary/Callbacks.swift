import CTesseraHost
import TesseraGeometry
import TesseraHost

@c @implementation package func tessera_session_set_delegate(
  _ pointer: OpaquePointer?, _ name: Text, _ function: tessera_delegate?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  session(pointer) { handle in
    let name = try notNullText(name, "delegate function's name")
    let declared = handle.session.engine.chain.lazy.flatMap(\.delegateFunctions).first {
      $0.name == name
    }
    // The session reports undeclared names.
    guard let function, let declared else { return try handle.session.setDelegate(name, nil) }
    let signature = try declared.parsedSignature
    try handle.session.setDelegate(
      name,
      try DelegateFunction(name, signature) { (arguments) throws(HostError) in
        try call(function, context, named: name, arguments, returning: signature.result)
      })
  }
}

@c @implementation package func tessera_session_set_measure(
  _ pointer: OpaquePointer?, _ measure: tessera_measure?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  session(pointer) { handle in
    handle.session.measure = nil
    guard let measure else { return }
    handle.session.measure = { (section, item, proposed) throws(HostError) in
      try measured("item \(item)", of: section, proposed) {
        measure(context, UInt64(section), UInt64(item), $0, $1)
      }
    }
  }
}

@c @implementation package func tessera_session_set_measure_supplementary(
  _ pointer: OpaquePointer?, _ measure: tessera_measure_supplementary?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  session(pointer) { handle in
    handle.session.measureSupplementary = nil
    guard let measure else { return }
    handle.session.measureSupplementary = { (kind, section, proposed) throws(HostError) in
      try measured("the \(kind)", of: section, proposed) { room, size in
        kind.withCString { measure(context, $0, UInt64(section), room, size) }
      }
    }
  }
}

private func measured(
  _ element: @autoclosure () -> String, of section: Int, _ proposed: Size,
  _ measure: (UnsafePointer<Double>, UnsafeMutablePointer<Double>) -> Int32
) throws(HostError) -> Size {
  var size = [0.0, 0.0]
  let status = measure([proposed.width, proposed.height], &size)
  guard status == 0 else {
    throw HostError(
      .callbackFailed,
      "measuring \(element()) of section \(section) failed with the status \(status)")
  }
  return Size(width: size[0], height: size[1])
}

@c @implementation package func tessera_session_set_progress(
  _ pointer: OpaquePointer?, _ progress: tessera_progress?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  session(pointer) { handle in
    // Used only during calls, on their thread.
    nonisolated(unsafe) let context = context
    handle.session.progress = nil
    if let progress { handle.session.progress = { progress(context, $0) == 0 } }
  }
}

private func call(
  _ function: tessera_delegate, _ context: UnsafeMutableRawPointer?, named name: String,
  _ arguments: CallArguments, returning result: ValueType
) throws(HostError) -> Value {
  // The maximum number of components.
  let valueLimit = 4
  let room = valueLimit * (arguments.count + 1)
  return try withUnsafeTemporaryAllocation(of: Double.self, capacity: room) {
    (numbers) throws(HostError) in
    numbers.initialize(repeating: 0)
    guard let answered = numbers.baseAddress else { return .void }
    let given = answered + valueLimit
    var count = 0
    for index in 0..<arguments.count {
      if let number = arguments.number(at: index) {
        given[count] = number
        count += 1
      } else {
        for number in arguments.value(at: index).numbers {
          given[count] = number
          count += 1
        }
      }
    }
    let status = function(context, given, UInt32(count), answered, UInt32(result.width))
    guard status == 0 else {
      throw HostError(
        .callbackFailed, "the delegate function \(name) failed with the status \(status)")
    }
    switch result.width {
    case 0: return .void
    case 1: return .number(answered[0])
    default:
      let numbers = Array(numbers.prefix(result.width))
      guard let value = Value(type: result, finite: numbers) else {
        throw HostError(
          .callbackFailed,
          "\(name) returned \(numbers.map(\.shortText).joined(separator: ",")); expected "
            + result.expectation)
      }
      return value
    }
  }
}
