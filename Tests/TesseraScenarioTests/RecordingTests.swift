import Foundation
import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct RecordingTests {
  private static let header = Recording.Header(
    engine: "org.example.column", version: "1.0.0", library: "libcolumn.so", digest: "",
    host: "0.1.0")

  /// Every kind of call, with numbers that text easily loses.
  static let calls: [SessionCall] = [
    .set(.setting(.bounds, .size(Size(width: 0.1, height: 1e7)))),
    .set(.setting(.offset, .point(Point(x: -0.0, y: -1.0 / 3)))),
    .set(.setting(.contentInsets, .insets(Insets(top: 1, left: 2, bottom: 3, right: 4)))),
    .set(.setting(.safeAreaInsets, .insets(.zero))),
    .set(.setting(.layoutMargins, .insets(.zero))), .set(.setting(.scale, .number(3))),
    .set(.setting(.direction, .choice("rightToLeft"))),
    .set(.parameter("spacing", .number(.leastNonzeroMagnitude))),
    .set(.parameter("columns", .integer(.max))), .set(.parameter("isOn", .bool(true))),
    .set(.parameter("mode", .choice("a \"quoted\" name"))),
    .set(.parameter("inset", .insets(Insets(top: 1.5, left: 0, bottom: -0.0, right: 9)))),
    .set(.parameter("area", .rect(Rect(x: 1, y: 2, width: 3, height: 4)))),
    .set(.parameter("anchor", .point(Point(x: 1, y: -2)))),
    .set(.parameter("extent", .size(Size(width: 3, height: 4)))),
    .set(.parameter("spacing", nil)), .set(.list("nodes", RecordList(count: 0))),
    .set(
      .list(
        "nodes",
        RecordList(
          count: 5,
          columns: [
            "width": .numbers([0.1, -0.0, 1, 1, 1]), "kind": .choices(["a", "b", "a", "a", "a"]),
            "parent": .constant(.integer(-1)),
          ]))),
    .set(.sections([3, 0, 4096])), .set(.sectionValues("gap", .constant(.number(0.1)))),
    .set(.sectionValues("gap", .numbers([0.1, 0.2, 0.30000000000000004]))),
    .set(.itemValues("size", .sizes([Size(width: 1, height: 2), Size(width: 3, height: 4)]))),
    .set(.itemValues("isBig", .bools(Array(repeating: true, count: 900) + [false]))),
    .set(.itemValues("weight", .integers([1, 1, 1, 1, 1, .min]))),
    .set(.itemValues("zero", .numbers([0, 0, 0, 0, -0.0, -0.0, -0.0, -0.0, -0.0]))),
    .set(.itemValues("mode", .choices(["a", "b"]))), .set(.itemValues("at", .points([]))),
    .set(.itemValues("room", .rects([.zero]))),
    .set(.itemValues("inset", .insets([.zero, .zero, .zero]))),
    .set(.delegate("mode", JSONNode(text: "item % 2", source: "the answer of mode"))),
    .set(.delegate("mode", JSONNode(.number(1), source: "the answer of mode"))),
    .set(.delegate("mode", nil)),
    .set(.measure(JSONNode(text: "width,40", source: "the measured size"))),
    .set(.measure(nil)), .contentSize,
    .elements(in: nil),
    .elements(in: Rect(x: 0, y: 1, width: 2, height: 3)), .visibleElements,
    .element(ElementIdentity(category: .supplementary, kind: "header", section: 1, item: 0)),
    .element(.cell(section: 0, item: 3)), .snap(Point(x: 1, y: 2), velocity: Point(x: 3, y: 4)),
    .function("restingOffset", ["310", "100x90"]),
    .update(
      [
        .insert(ItemPath(section: 0, item: 1)), .delete(ItemPath(section: 0, item: 0)),
        .move(ItemPath(section: 0, item: 2), to: ItemPath(section: 1, item: 0)),
        .reload(ItemPath(section: 1, item: 1)), .insertSection(1), .deleteSection(2),
        .moveSection(0, to: 3), .reloadSection(4),
      ], counts: [1, 2],
      changes: [.setting(.scale, .number(1)), .itemValues("weight", .constant(.number(2)))]),
    .close,
    .check(
      SuiteCall(
        id: "query-thin-rects", level: "quick", seed: "18446744073709551615",
        sample: .object([("sections", .list([]))]))),
  ]

  static func text(_ recorder: SessionRecorder) -> String {
    String(decoding: recorder.bytes, as: UTF8.self)
  }

  @Test("every call round-trips to the last bit", arguments: calls)
  func roundTrip(call: SessionCall) throws {
    let recorder = SessionRecorder(Self.header)
    recorder.note(call)
    let recording = try Recording(parsing: recorder.bytes, name: "r")
    #expect(recording.header == Self.header)
    #expect(recording.entries == [Recording.Entry(call: call, answer: .any)])
    #expect(recording.bytes == recorder.bytes)
    // Zeros are equal, their texts differ.
    if case .set(.setting(.offset, _)) = call {
      #expect(Self.text(recorder).contains("[-0,"))
    }
  }

  @Test func longColumnsOfFewValuesAreShort() {
    let recorder = SessionRecorder(Self.header)
    recorder.note(.set(.itemValues("isBig", .bools(Array(repeating: true, count: 900) + [false]))))
    #expect(
      Self.text(recorder).split(separator: "\n")[1]
        == #"{"call":"values","of":"item","name":"isBig","type":"bool","runs":[[900,true],[1,false]]}"#
    )
  }

  @Test(
    "an invalid recording is rejected in one sentence with its place",
    arguments: [
      ("", "its first line is empty"), ("{}", "tessera is missing"), ("nonsense", "is not JSON"),
      (#"{"tessera":"recording","format":2}"#, "format is the number 2; expected 1"),
      ("LINE{}", "line 2 of r: call is missing"), ("LINE[]", "line 2 of r: it is a list of 0"),
      (#"LINE{"call":"elments"}"#, "did you mean elements?"),
      (#"LINE{"call":"bounds","value":[1,2],"answer":1}"#, "answer is not a key"),
      (#"LINE{"call":"set","parameter":"a","type":"sise","value":1}"#, "type is the text \"sise\""),
      (#"LINE{"call":"sections","counts":[-1]}"#, "counts[0] is the number -1"),
      (
        #"LINE{"call":"values","of":"item","name":"a","type":"bool","runs":[[9e9,true]]}"#,
        "more than 100 million values"
      ),
      (#"LINE{"call":"update","operations":[],"counts":[],"changes":[{"call":"close"}]}"#, "sets"),
    ])
  func refusals(text: String, sentence: String) throws {
    let first = String(decoding: SessionRecorder(Self.header).bytes, as: UTF8.self)
    let bytes = Array(text.replacing("LINE", with: first, maxReplacements: 1).utf8)
    let error = #expect(throws: HostError.self) { try Recording(parsing: bytes, name: "r") }
    #expect(error?.kind == .invalidInput)
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("\n") == false)
  }

  @Test(
    "an error is read with its code, without one, and with one of a later host",
    arguments: [
      (#""code":"unknownName","#, HostError.Code.unknownName), ("", nil),
      (#""code":"ofTheFuture","#, nil),
    ])
  func codeOfAnError(member: String, code: HostError.Code?) throws {
    let first = String(decoding: SessionRecorder(Self.header).bytes, as: UTF8.self)
    let line = #"{"call":"contentSize","error":{"kind":"invalidInput",\#(member)"message":"no"}}"#
    let recording = try Recording(parsing: Array((first + line).utf8), name: "r")
    guard case .error(let error) = recording.entries[0].answer else {
      Issue.record("\(recording.entries[0])")
      return
    }
    #expect(error.kind == .invalidInput && error.message == "no")
    #expect(code == nil || error.code == code)
  }
}
