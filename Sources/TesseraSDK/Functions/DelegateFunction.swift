import CTessera

/// A function that the host may supply for the layout to call, such as one that decides for each
/// item; nil where it does not.
///
/// ```swift
/// @DelegateFunction("How the picture of an item fills its cell.")
/// var layoutModeForItem: ((UInt32, UInt32) -> UInt8)?
/// ```
///
/// The signature is read off the property's type. Arguments are none, a section, or a section and an
/// item; results are `Bool`, `UInt8`, `Int32`, `UInt32`, `Int`, `Float`, `Double`, `Point`, `Size`,
/// `Rect` or `Insets`. A call costs some 25 ns. Nil outside of a call from the host.
@propertyWrapper
public final class DelegateFunction<Function> {
  /// The function, or nil where the host supplies none.
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
