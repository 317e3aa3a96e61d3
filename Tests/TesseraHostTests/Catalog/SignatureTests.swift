import TestSupport
import Testing

@testable import TesseraHost

@Suite struct SignatureTests {

  @Test(
    "the canonical text reads back",
    arguments: [
      ("u8(u32,u32)", "u8(u32,u32)"),
      ("  void ( ) ", "void()"),
      ("f64( point , rect,bool )", "f64(point,rect,bool)"),
    ])
  func describes(text: String, canonical: String) throws {
    #expect(try Signature(text).description == canonical)
    #expect(try Signature(canonical) == Signature(text))
  }

  @Test(arguments: [
    (
      "u8(u33)",
      "has the unknown type u33 at character 4; expected one of void bool u8 i8 u16 i16 u32 i32 u64 "
        + "i64 f32 f64 point size rect insets"
    ),
    ("", "ends after 0 characters; expected a type"),
    ("u8[u8]", "has \"[\" at character 3; expected \"(\" after the result's type"),
    ("u8(u8", "ends after 5 characters; expected \",\" or \")\" after an argument"),
    ("u8(é)", "has \"é\" at character 4; expected a type"),
    (
      "void(u8, void)",
      "has the argument void at character 10, which is only valid as a result; leave it out"
    ),
  ])
  func refuses(text: String, sentence: String) {
    #expect(message(of: text) == "the signature \"\(text)\" \(sentence)")
  }

  @Test func refusesTooMuch() {
    let types = Array(repeating: "u8", count: 17).joined(separator: ",")
    #expect(
      message(of: "u8(\(types))")
        == "the signature \"u8(\(types))\" has more than 16 arguments; remove some")
    let spaces = String(repeating: " ", count: 300)
    #expect(
      message(of: "u8(\(spaces))")
        == "the signature \"u8(\(spaces.prefix(97))\" is longer than 256 bytes; shorten it")
    #expect(throws: HostError.self) {
      try Signature(result: .void, arguments: [.u8, .void])
    }
    #expect(throws: HostError.self) {
      try Signature(result: .void, arguments: Array(repeating: .u8, count: 17))
    }
  }

  private func message(of text: String) -> String? {
    do throws(HostError) {
      _ = try Signature(text)
      return nil
    } catch {
      return error.message
    }
  }
}
