import TesseraGeometry
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

@Suite struct CallValueTests {
  @Test("a number fits a whole type up to its ends and not one beyond")
  func checksRanges() {
    let ends: [(SignatureType, Double, Double)] = [
      (.bool, 0, 1), (.u8, 0, 255), (.i8, -128, 127), (.u16, 0, 65535), (.i16, -32768, 32767),
      (.u32, 0, 4_294_967_295), (.i32, -2_147_483_648, 2_147_483_647),
    ]
    for (type, low, high) in ends {
      #expect(CallValue(type: type, numbers: [low])?.numbers == [low])
      #expect(CallValue(type: type, numbers: [high])?.numbers == [high])
      for wrong in [low - 1, high + 1, low + 0.5, .nan, .infinity, -.infinity] {
        #expect(CallValue(type: type, numbers: [wrong]) == nil)
      }
    }
  }

  @Test("64 bits: the double below 2^64 fits, 2^64 does not")
  func checksWideRanges() {
    #expect(CallValue(type: .u64, numbers: [18_446_744_073_709_549_568]) != nil)
    #expect(CallValue(type: .u64, numbers: [18_446_744_073_709_551_616]) == nil)
    #expect(CallValue(type: .u64, numbers: [-1]) == nil)
    #expect(CallValue(type: .i64, numbers: [-9_223_372_036_854_775_808]) == .signed(.min))
    #expect(CallValue(type: .i64, numbers: [9_223_372_036_854_775_808]) == nil)
    #expect(CallValue.unsigned(.max).converted(to: .i64) == nil)
    #expect(CallValue.unsigned(.max).converted(to: .u64) == .unsigned(.max))
    #expect(CallValue.signed(-1).converted(to: .u64) == nil)
  }

  @Test("an f32 rounds; what rounds to infinity does not fit")
  func roundsSingles() {
    #expect(CallValue(type: .f32, numbers: [0.1]) == .number(0.10000000149011612))
    // Half a step above the greatest float rounds up, out of range; just below, down.
    #expect(CallValue(type: .f32, numbers: [3.4028235677973366e38]) == nil)
    #expect(
      CallValue(type: .f32, numbers: [3.4028235677973362e38]) == .number(3.4028234663852886e38))
    #expect(CallValue(type: .f32, numbers: [1e-50]) == .number(0))
  }

  @Test func wantsTheCountOfNumbers() {
    #expect(CallValue(type: .void, numbers: []) == .void)
    #expect(CallValue(type: .void, numbers: [1]) == nil)
    #expect(CallValue(type: .point, numbers: [1]) == nil)
    #expect(CallValue(type: .point, numbers: [1, 2]) == .point(Point(x: 1, y: 2)))
    #expect(CallValue(type: .rect, numbers: [1, 2, 3]) == nil)
    #expect(CallValue(type: .u8, numbers: []) == nil)
    #expect(
      CallValue(type: .insets, numbers: [1, 2, 3, 4])
        == .insets(Insets(top: 1, left: 2, bottom: 3, right: 4)))
    #expect(CallValue(type: .size, numbers: [1, .infinity]) == nil)
  }

  @Test(
    "the text of a value reads back",
    arguments: [
      (.bool, "true", .bool(true)),
      (.u64, "18446744073709551615", .unsigned(.max)),
      (.i64, "-9223372036854775808", .signed(.min)),
      (.u8, "7", .unsigned(7)),
      (.f64, "12.5", .number(12.5)),
      (.f32, "0.1", .number(0.10000000149011612)),
      (.f64, "310", .number(310)),
      (.point, "1,-2.5", .point(Point(x: 1, y: -2.5))),
      (.size, "100x90", .size(Size(width: 100, height: 90))),
      (.rect, "1,2,3,4", .rect(Rect(x: 1, y: 2, width: 3, height: 4))),
      (.insets, "0,0,0,9", .insets(Insets(right: 9))),
      (.void, "", .void),
    ] as [(SignatureType, String, CallValue)])
  func readsAndWritesText(type: SignatureType, text: String, value: CallValue) {
    #expect(CallValue(type: type, text: text) == value)
    #expect(value.text(as: type) == text)
  }

  @Test(
    arguments: [
      (.u8, "256"), (.u8, "-1"), (.u8, "x"), (.u8, ""), (.i64, "9223372036854775808"),
      (.f64, "nan"), (.f64, "inf"), (.bool, "2"), (.point, "1"), (.point, "1x2"), (.size, "1x"),
      (.rect, "1,2,3,4,5"), (.void, "0"),
    ] as [(SignatureType, String)])
  func refusesText(type: SignatureType, text: String) {
    #expect(CallValue(type: type, text: text) == nil)
  }
}
