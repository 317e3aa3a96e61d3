import CTessera
import Glibc
import TestSupport
import Testing

@testable import TesseraHost

/// C functions that call and are called with every type, from each compiler.
enum FunctionLibrary {
  typealias Caller = @convention(c) (tessera_function) -> Int32

  /// Opened once; mappings outlive files.
  private static let handles = CCompiler.all.map { compiler in
    (compiler.command, Result { try open(compiler) })
  }

  private static func open(_ compiler: CCompiler) throws -> UInt {
    let folder = try TemporaryFolder()
    let path = folder.path("functions.so")
    try compiler.compile(
      folder.write("functions.c", source), to: path,
      flags: ["-std=c11", "-O2", "-shared", "-fPIC"] + CCompiler.strictness)
    // Addresses are Sendable, pointers are not.
    return UInt(bitPattern: dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
  }

  static func function(
    _ name: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> @convention(c) () -> Void {
    let handle = try #require(handles.first { $0.0 == compiler.command }).1.get()
    let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: handle), name)
    return unsafeBitCast(try #require(symbol), to: (@convention(c) () -> Void).self)
  }

  static func caller(_ name: String, by compiler: CCompiler = CCompiler("gcc")) throws -> Caller {
    unsafeBitCast(try function(name, by: compiler), to: Caller.self)
  }

  static let ends: [(type: ValueType, low: Value, high: Value)] = [
    (.bool, .bool(false), .bool(true)),
    (.u8, .unsigned(0), .unsigned(255)),
    (.i8, .integer(-128), .integer(127)),
    (.u16, .unsigned(0), .unsigned(65535)),
    (.i16, .integer(-32768), .integer(32767)),
    (.u32, .unsigned(0), .unsigned(4_294_967_295)),
    (.i32, .integer(-2_147_483_648), .integer(2_147_483_647)),
    (.u64, .unsigned(0), .unsigned(18_446_744_073_709_551_615)),
    (.integer, .integer(-9_223_372_036_854_775_808), .integer(9_223_372_036_854_775_807)),
    (.f32, .number(-3.4028234663852886e38), .number(1.401298464324817e-45)),
    (.number, .number(-1.7976931348623157e308), .number(.leastNonzeroMagnitude)),
    (
      .point, .point(.init(x: -1.7976931348623157e308, y: .leastNonzeroMagnitude)),
      .point(.init(x: 1, y: -2))
    ),
    (
      .size, .size(.init(width: 0, height: 1.7976931348623157e308)),
      .size(.init(width: 3, height: 4))
    ),
    (
      .rect,
      .rect(.init(x: -1.7976931348623157e308, y: .leastNonzeroMagnitude, width: 0, height: 0.1)),
      .rect(.init(x: 5, y: 6, width: 7, height: 8))
    ),
    (
      .insets,
      .insets(
        .init(top: 1, left: -2, bottom: .leastNonzeroMagnitude, right: 1.7976931348623157e308)),
      .insets(.init(top: 9, left: 10, bottom: 11, right: 12))
    ),
  ]

  private static let source = """
    #include <float.h>
    #include <math.h>
    #include <stdint.h>
    #include <string.h>
    #include <tessera/tessera.h>

    #define EACH(X) \\
      X(bool, uint8_t) X(u8, uint8_t) X(i8, int8_t) X(u16, uint16_t) X(i16, int16_t) \\
      X(u32, uint32_t) X(i32, int32_t) X(u64, uint64_t) X(i64, int64_t) X(f32, float) \\
      X(f64, double) X(point, tessera_point) X(size, tessera_size) X(rect, tessera_rect) \\
      X(insets, tessera_insets)

    static const uint8_t low_bool = 0, high_bool = 1, low_u8 = 0, high_u8 = UINT8_MAX;
    static const int8_t low_i8 = INT8_MIN, high_i8 = INT8_MAX;
    static const uint16_t low_u16 = 0, high_u16 = UINT16_MAX;
    static const int16_t low_i16 = INT16_MIN, high_i16 = INT16_MAX;
    static const uint32_t low_u32 = 0, high_u32 = UINT32_MAX;
    static const int32_t low_i32 = INT32_MIN, high_i32 = INT32_MAX;
    static const uint64_t low_u64 = 0, high_u64 = UINT64_MAX;
    static const int64_t low_i64 = INT64_MIN, high_i64 = INT64_MAX;
    static const float low_f32 = -FLT_MAX, high_f32 = FLT_TRUE_MIN;
    static const double low_f64 = -DBL_MAX, high_f64 = DBL_TRUE_MIN;
    static const tessera_point low_point = {-DBL_MAX, DBL_TRUE_MIN}, high_point = {1, -2};
    static const tessera_size low_size = {0, DBL_MAX}, high_size = {3, 4};
    static const tessera_rect low_rect = {-DBL_MAX, DBL_TRUE_MIN, 0, 0.1}, high_rect = {5, 6, 7, 8};
    static const tessera_insets low_insets = {1, -2, DBL_TRUE_MIN, DBL_MAX};
    static const tessera_insets high_insets = {9, 10, 11, 12};

    #define FUNCTIONS(name, type) \\
      static int same_##name(type a, type b) { return memcmp(&a, &b, sizeof a) == 0; } \\
      int32_t passes_##name(tessera_function f) { \\
        type (*call)(void *, type) = (type (*)(void *, type))f.call; \\
        return same_##name(call(f.context, low_##name), low_##name) \\
          && same_##name(call(f.context, high_##name), high_##name); \\
      } \\
      int32_t gets_zero_##name(tessera_function f) { \\
        type zero; \\
        memset(&zero, 0, sizeof zero); \\
        return same_##name(((type (*)(void *))f.call)(f.context), zero); \\
      } \\
      type gives_low_##name(void *context) { (void)context; return low_##name; } \\
      type gives_high_##name(void *context) { (void)context; return high_##name; } \\
      uint8_t is_low_##name(void *context, type x) { return !context && same_##name(x, low_##name); } \\
      uint8_t is_high_##name(void *context, type x) { return !context && same_##name(x, high_##name); }
    EACH(FUNCTIONS)

    typedef tessera_rect mixed(void *, uint8_t, uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t,
      uint64_t, int64_t, float, double, tessera_point, tessera_size, tessera_rect, tessera_insets);
    int32_t passes_mixed(tessera_function f) {
      tessera_rect result = ((mixed *)f.call)(f.context, high_bool, high_u8, high_i8, high_u16,
        high_i16, high_u32, high_i32, high_u64, high_i64, high_f32, high_f64, high_point, high_size,
        high_rect, high_insets);
      return same_rect(result, low_rect);
    }
    tessera_rect is_mixed(void *context, uint8_t a, uint8_t b, int8_t c, uint16_t d, int16_t e,
      uint32_t f, int32_t g, uint64_t h, int64_t i, float j, double k, tessera_point l, tessera_size m,
      tessera_rect n, tessera_insets o) {
      int is = context && same_bool(a, high_bool) && same_u8(b, high_u8) && same_i8(c, high_i8)
        && same_u16(d, high_u16) && same_i16(e, high_i16) && same_u32(f, high_u32)
        && same_i32(g, high_i32) && same_u64(h, high_u64) && same_i64(i, high_i64)
        && same_f32(j, high_f32) && same_f64(k, high_f64) && same_point(l, high_point)
        && same_size(m, high_size) && same_rect(n, high_rect) && same_insets(o, high_insets);
      return is ? high_rect : low_rect;
    }

    int32_t calls_void(tessera_function f) {
      ((void (*)(void *, uint32_t))f.call)(f.context, 7);
      return 1;
    }
    int32_t calls_u32(tessera_function f) { return (int32_t)((uint32_t (*)(void *))f.call)(f.context); }
    int32_t calls_without_context(tessera_function f) {
      return (int32_t)((uint32_t (*)(void *))f.call)(NULL);
    }

    void counts(uint32_t *context, uint8_t by) { *context += by; }
    uint8_t gives_two(void *context) { (void)context; return 2; }
    double divides(void *context, double a, double b) { (void)context; return a / b; }
    tessera_point infinite(void *context) {
      (void)context;
      return (tessera_point){0, INFINITY};
    }
    """
}
