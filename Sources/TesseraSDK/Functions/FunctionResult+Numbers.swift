public import CTessera

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
