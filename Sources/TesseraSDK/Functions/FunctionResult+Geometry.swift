public import CTessera
public import TesseraGeometry

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
