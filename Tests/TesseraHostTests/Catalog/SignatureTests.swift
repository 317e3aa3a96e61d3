import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

@Suite struct SignatureTests {
  @Test func readsTypes() throws {
    let signature = try Signature("u8(u32,insets)")
    #expect(signature.result == .u8)
    #expect(signature.arguments == [.u32, .insets])
    #expect(try Signature("void()").arguments == [])
  }

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

  @Test func knowsEveryTypeOfTheContract() {
    #expect(
      ValueType.callable.map(\.description).joined(separator: " ")
        == "void bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 point size rect insets")
  }

  @Test(arguments: [
    (
      "u8(u33)",
      "has the unknown type u33 at character 4; expected one of void bool u8 i8 u16 i16 u32 i32 u64 "
        + "i64 f32 f64 point size rect insets"
    ),
    ("", "ends after 0 characters; expected a type"),
    ("u8", "ends after 2 characters; expected \"(\" after the result's type"),
    ("u8[u8]", "has \"[\" at character 3; expected \"(\" after the result's type"),
    ("u8(", "ends after 3 characters; expected a type"),
    ("u8(u8", "ends after 5 characters; expected \",\" or \")\" after an argument"),
    ("u8(u8,)", "has \")\" at character 7; expected a type"),
    ("u8(u8) u8", "has \"u\" at character 8; expected nothing after \")\""),
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

  @Test("whatever the text, it reads back or is refused with one line")
  func survivesMutation() throws {
    var random = SeededGenerator(seed: 3)
    let seeds = ["u8(u32,u32)", "rect(point,size,f64)", "void()", "f32(insets,bool,i64,u16,i8)"]
    let pieces = Array("(), \n\u{1B}u8i16f3264véoid\u{0}[]{}*point".unicodeScalars)
    var read = 0
    for _ in 0..<20_000 {
      var text = Array((seeds.randomElement(using: &random) ?? "").unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(pieces.randomElement(using: &random) ?? " ", at: place)
        case 1 where place < text.count: text.remove(at: place)
        case 2 where place < text.count:
          text[place] = pieces.randomElement(using: &random) ?? " "
        default: text.append(contentsOf: text.prefix(place))
        }
      }
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: text)
      do throws(HostError) {
        let signature = try Signature(String(scalars))
        #expect(try Signature(signature.description) == signature)
        _ = try CallInterface(signature)
        read += 1
      } catch {
        #expect(error.kind == .invalidInput)
        #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 })
        #expect(error.message.utf8.count < 600)
      }
    }
    #expect(read > 100)
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
