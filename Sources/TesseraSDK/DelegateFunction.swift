import CTessera
import CTesseraNote
public import TesseraGeometry

/// An optional function of the host for the layout to call, for example once for each item.
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
  public var wrappedValue: Function? { isSupplied ? function : nil }

  private let help: String
  private let signature: String
  private let wrap: (tessera_function) -> Function
  private var isSupplied = false
  /// Cached, because most calls supply the same function.
  private var function: Function?
  private var source = tessera_function()

  private init(
    help: String, signature: String, wrap: @escaping (tessera_function) -> Function
  ) {
    self.help = help
    self.signature = signature
    self.wrap = wrap
  }

  /// A function without arguments.
  public convenience init<Result: FunctionResult>(_ help: String) where Function == () -> Result {
    let result = Result.functionResult
    self.init(help: help, signature: "\(result.name)()") { function in
      { result.call(function.call, function.context, 0, 0, 0) }
    }
  }

  /// A function of a section.
  public convenience init<Result: FunctionResult>(_ help: String)
  where Function == (UInt32) -> Result {
    let result = Result.functionResult
    self.init(help: help, signature: "\(result.name)(u32)") { function in
      { result.call(function.call, function.context, 1, $0, 0) }
    }
  }

  /// A function of a section and an item.
  public convenience init<Result: FunctionResult>(_ help: String)
  where Function == (UInt32, UInt32) -> Result {
    let result = Result.functionResult
    self.init(help: help, signature: "\(result.name)(u32,u32)") { function in
      { result.call(function.call, function.context, 2, $0, $1) }
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

  func load(from given: tessera_function) {
    isSupplied = given.call != nil
    guard isSupplied,
      given.context != source.context
        || unsafeBitCast(given.call, to: UInt.self) != unsafeBitCast(source.call, to: UInt.self)
    else { return }
    (source, function) = (given, wrap(given))
  }

  func unload() { isSupplied = false }
}

/// A type that delegate functions can return.
public protocol FunctionResult {
  /// The type in a signature, and how to call a function that returns it.
  static var functionResult: FunctionResultType<Self> { get }
}

/// A result type of the contract.
public struct FunctionResultType<Result>: Sendable {
  /// The last argument is the number of integers to pass, at most two.
  typealias Call =
    @Sendable (
      (@convention(c) () -> Void)?, _ context: UnsafeMutableRawPointer?, _ count: UInt32,
      _ first: UInt32, _ second: UInt32
    ) -> Result

  let name: String
  let call: Call

  init(_ name: String, _ call: @escaping Call) {
    self.name = name
    self.call = call
  }
}

extension Bool: FunctionResult {
  /// `bool`.
  public static let functionResult = FunctionResultType<Bool>("bool") {
    tessera_call_u8($0, $1, $2, $3, $4) != 0
  }
}

extension UInt8: FunctionResult {
  /// `u8`.
  public static let functionResult = FunctionResultType("u8", tessera_call_u8)
}

extension Int32: FunctionResult {
  /// `i32`.
  public static let functionResult = FunctionResultType("i32", tessera_call_i32)
}

extension UInt32: FunctionResult {
  /// `u32`.
  public static let functionResult = FunctionResultType("u32", tessera_call_u32)
}

extension Int: FunctionResult {
  /// `i64`.
  public static let functionResult = FunctionResultType<Int>("i64") {
    Int(tessera_call_i64($0, $1, $2, $3, $4))
  }
}

extension Float: FunctionResult {
  /// `f32`.
  public static let functionResult = FunctionResultType("f32", tessera_call_f32)
}

extension Double: FunctionResult {
  /// `f64`.
  public static let functionResult = FunctionResultType("f64", tessera_call_f64)
}

extension Point: FunctionResult {
  /// `point`.
  public static let functionResult = FunctionResultType<Point>("point") {
    let numbers = tessera_call_two_numbers($0, $1, $2, $3, $4)
    return Point(x: numbers.first, y: numbers.second)
  }
}

extension Size: FunctionResult {
  /// `size`.
  public static let functionResult = FunctionResultType<Size>("size") {
    let numbers = tessera_call_two_numbers($0, $1, $2, $3, $4)
    return Size(width: numbers.first, height: numbers.second)
  }
}

extension Rect: FunctionResult {
  /// `rect`.
  public static let functionResult = FunctionResultType<Rect>("rect") {
    let numbers = tessera_call_four_numbers($0, $1, $2, $3, $4)
    return Rect(
      x: numbers.first, y: numbers.second, width: numbers.third, height: numbers.fourth)
  }
}

extension Insets: FunctionResult {
  /// `insets`.
  public static let functionResult = FunctionResultType<Insets>("insets") {
    let numbers = tessera_call_four_numbers($0, $1, $2, $3, $4)
    return Insets(
      top: numbers.first, left: numbers.second, bottom: numbers.third, right: numbers.fourth)
  }
}
