public import CTessera
public import TesseraGeometry

/// A function that the host can supply for the layout to call, for example to decide something for
/// each item; nil if the host supplies none.
///
/// ```swift
/// @DelegateFunction("How the picture of an item fills its cell.")
/// var layoutModeForItem: ((UInt32, UInt32) -> UInt8)?
/// ```
///
/// The property's type determines the signature. Arguments are none, a section, or a section and an
/// item; results are `Bool`, `UInt8`, `Int32`, `UInt32`, `Int`, `Float`, `Double`, `Point`, `Size`,
/// `Rect` or `Insets`. A call takes about 25 ns. Nil outside of a call from the host.
@propertyWrapper
public final class DelegateFunction<Function> {
  /// The function, or nil if the host supplies none.
  public private(set) var wrappedValue: Function?

  private let help: String
  private let signature: String
  private let wrap: (tessera_function) -> Function
  private var wrapped: (source: tessera_function, function: Function)?

  private init(
    help: String, signature: String, wrap: @escaping (tessera_function) -> Function
  ) {
    self.help = help
    self.signature = signature
    self.wrap = wrap
  }

  /// A function without arguments.
  public convenience init<Result: FunctionResult>(_ help: String) where Function == () -> Result {
    self.init(help: help, signature: "\(Result.signatureName)()") { function in
      { Result.call(function) }
    }
  }

  /// A function of a section.
  public convenience init<Result: FunctionResult>(_ help: String)
  where Function == (UInt32) -> Result {
    self.init(help: help, signature: "\(Result.signatureName)(u32)") { function in
      { Result.call(function, $0) }
    }
  }

  /// A function of a section and an item.
  public convenience init<Result: FunctionResult>(_ help: String)
  where Function == (UInt32, UInt32) -> Result {
    self.init(help: help, signature: "\(Result.signatureName)(u32,u32)") { function in
      { Result.call(function, $0, $1) }
    }
  }
}

extension DelegateFunction: DeclaredDelegate {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.delegates.append((name, self))
  }

  func contractFunction(named name: UnsafePointer<CChar>) -> tessera_function_declaration {
    tessera_function_declaration(
      name: name, signature: permanentText(signature), help: permanentText(help), published: nil)
  }

  func load(from function: tessera_function) {
    guard let call = function.call else {
      wrappedValue = nil
      return
    }
    if let wrapped, wrapped.source.context == function.context,
      unsafeBitCast(wrapped.source.call, to: UInt.self) == unsafeBitCast(call, to: UInt.self)
    {
      wrappedValue = wrapped.function
    } else {
      let made = wrap(function)
      wrapped = (function, made)
      wrappedValue = made
    }
  }

  func unload() {
    wrappedValue = nil
  }
}

/// A type that delegate functions can return.
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

/// The context of a function, its first argument.
typealias FunctionContext = UnsafeMutableRawPointer

extension tessera_function {
  /// The function, which must be present, cast to the type of its signature.
  @inline(__always)
  func asFunction<Function>(_ type: Function.Type) -> Function {
    unsafeBitCast(call, to: Function.self)
  }
}

extension Bool: FunctionResult {
  /// `bool`.
  public static var signatureName: String { "bool" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Bool {
    function.asFunction((@convention(c) (FunctionContext?) -> UInt8).self)(
      function.context) != 0
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Bool {
    function.asFunction((@convention(c) (FunctionContext?, UInt32) -> UInt8).self)(
      function.context, first) != 0
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Bool {
    function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> UInt8).self)(
      function.context, first, second) != 0
  }
}

extension UInt8: FunctionResult {
  /// `u8`.
  public static var signatureName: String { "u8" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> UInt8 {
    function.asFunction((@convention(c) (FunctionContext?) -> UInt8).self)(
      function.context)
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> UInt8 {
    function.asFunction((@convention(c) (FunctionContext?, UInt32) -> UInt8).self)(
      function.context, first)
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> UInt8 {
    function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> UInt8).self)(
      function.context, first, second)
  }
}

extension Int32: FunctionResult {
  /// `i32`.
  public static var signatureName: String { "i32" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Int32 {
    function.asFunction((@convention(c) (FunctionContext?) -> Int32).self)(
      function.context)
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Int32 {
    function.asFunction((@convention(c) (FunctionContext?, UInt32) -> Int32).self)(
      function.context, first)
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Int32 {
    function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> Int32).self)(
      function.context, first, second)
  }
}

extension UInt32: FunctionResult {
  /// `u32`.
  public static var signatureName: String { "u32" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> UInt32 {
    function.asFunction((@convention(c) (FunctionContext?) -> UInt32).self)(
      function.context)
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> UInt32 {
    function.asFunction((@convention(c) (FunctionContext?, UInt32) -> UInt32).self)(
      function.context, first)
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> UInt32 {
    function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> UInt32).self)(
      function.context, first, second)
  }
}

extension Int: FunctionResult {
  /// `i64`.
  public static var signatureName: String { "i64" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Int {
    Int(
      function.asFunction((@convention(c) (FunctionContext?) -> Int64).self)(
        function.context))
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Int {
    Int(
      function.asFunction((@convention(c) (FunctionContext?, UInt32) -> Int64).self)(
        function.context, first))
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Int {
    Int(
      function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> Int64).self)(
        function.context, first, second))
  }
}

extension Float: FunctionResult {
  /// `f32`.
  public static var signatureName: String { "f32" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Float {
    function.asFunction((@convention(c) (FunctionContext?) -> Float).self)(
      function.context)
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Float {
    function.asFunction((@convention(c) (FunctionContext?, UInt32) -> Float).self)(
      function.context, first)
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Float {
    function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> Float).self)(
      function.context, first, second)
  }
}

extension Double: FunctionResult {
  /// `f64`.
  public static var signatureName: String { "f64" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Double {
    function.asFunction((@convention(c) (FunctionContext?) -> Double).self)(
      function.context)
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Double {
    function.asFunction((@convention(c) (FunctionContext?, UInt32) -> Double).self)(
      function.context, first)
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Double {
    function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> Double).self)(
      function.context, first, second)
  }
}

extension Point: FunctionResult {
  /// `point`.
  public static var signatureName: String { "point" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Point {
    Point(
      function.asFunction((@convention(c) (FunctionContext?) -> tessera_point).self)(
        function.context))
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Point {
    Point(
      function.asFunction((@convention(c) (FunctionContext?, UInt32) -> tessera_point).self)(
        function.context, first))
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Point {
    Point(
      function.asFunction(
        (@convention(c) (FunctionContext?, UInt32, UInt32) -> tessera_point).self)(
          function.context, first, second))
  }
}

extension Size: FunctionResult {
  /// `size`.
  public static var signatureName: String { "size" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Size {
    Size(
      function.asFunction((@convention(c) (FunctionContext?) -> tessera_size).self)(
        function.context))
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Size {
    Size(
      function.asFunction((@convention(c) (FunctionContext?, UInt32) -> tessera_size).self)(
        function.context, first))
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Size {
    Size(
      function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> tessera_size).self)(
        function.context, first, second))
  }
}

extension Rect: FunctionResult {
  /// `rect`.
  public static var signatureName: String { "rect" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Rect {
    Rect(
      function.asFunction((@convention(c) (FunctionContext?) -> tessera_rect).self)(
        function.context))
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Rect {
    Rect(
      function.asFunction((@convention(c) (FunctionContext?, UInt32) -> tessera_rect).self)(
        function.context, first))
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Rect {
    Rect(
      function.asFunction((@convention(c) (FunctionContext?, UInt32, UInt32) -> tessera_rect).self)(
        function.context, first, second))
  }
}

extension Insets: FunctionResult {
  /// `insets`.
  public static var signatureName: String { "insets" }
  /// Calls a function without arguments.
  public static func call(_ function: tessera_function) -> Insets {
    Insets(
      function.asFunction((@convention(c) (FunctionContext?) -> tessera_insets).self)(
        function.context))
  }
  /// Calls a function of one integer.
  public static func call(_ function: tessera_function, _ first: UInt32) -> Insets {
    Insets(
      function.asFunction((@convention(c) (FunctionContext?, UInt32) -> tessera_insets).self)(
        function.context, first))
  }
  /// Calls a function of two integers.
  public static func call(
    _ function: tessera_function, _ first: UInt32, _ second: UInt32
  ) -> Insets {
    Insets(
      function.asFunction(
        (@convention(c) (FunctionContext?, UInt32, UInt32) -> tessera_insets).self)(
          function.context, first, second))
  }
}
