public import CTessera

/// A type that delegate functions can give.
public protocol FunctionResult {
  /// The type's name in a signature of the contract.
  static var signatureName: String { get }
  /// Calls a function without arguments.
  static func call(_ function: tessera_function) -> Self
  /// Calls a function of one integer.
  static func call(_ function: tessera_function, _ first: UInt32) -> Self
  /// Calls a function of two integers.
  static func call(_ function: tessera_function, _ first: UInt32, _ second: UInt32) -> Self
}

/// What a function is called on, its first argument.
typealias FunctionContext = UnsafeMutableRawPointer

extension tessera_function {
  /// The function, which must be present, as one of the type that its signature stands for.
  @inline(__always)
  func asFunction<Function>(_ type: Function.Type) -> Function {
    unsafeBitCast(call, to: Function.self)
  }
}
