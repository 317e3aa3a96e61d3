import CTesseraHost
import TesseraHost

/// Sets how many items each section has.
@c @implementation
public func tessera_session_set_sections(
  _ pointer: OpaquePointer?, _ itemCounts: UnsafePointer<UInt64>?, _ sectionCount: UInt64
) -> Int32 {
  session(pointer) { handle in
    try handle.session.setSections(try Argument.itemCounts(itemCounts, sectionCount))
  }
}

/// Sets a parameter that consists of numbers.
@c @implementation
public func tessera_session_set_parameter(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ numbers: UnsafePointer<Double>?,
  _ count: UInt32
) -> Int32 {
  session(pointer, supplies: true) { handle in
    let name = try Argument.text(name, "parameter's name")
    let numbers = try Argument.present(numbers, "numbers")
    let declared = handle.session.engine.chain.lazy.flatMap(\.parameters)
      .first { $0.name == name }
    // A name that nobody declares is the session's to tell.
    let value = try declared.map {
      try NumberReader(name: name, type: $0.type, components: count).value(at: numbers, place: nil)
    }
    try handle.session.setParameter(name, to: value ?? .number(0))
  }
}

/// Sets a parameter to one of its choices.
@c @implementation
public func tessera_session_set_parameter_choice(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ choice: UnsafePointer<CChar>?
) -> Int32 {
  session(pointer, supplies: true) { handle in
    try handle.session.setParameter(
      try Argument.text(name, "parameter's name"),
      to: .choice(try Argument.text(choice, "choice's name")))
  }
}

/// Gives a parameter back the value that it starts with.
@c @implementation
public func tessera_session_reset_parameter(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> Int32 {
  session(pointer, supplies: true) {
    try $0.session.resetParameter(try Argument.text(name, "parameter's name"))
  }
}
