import CTessera
import Testing

@testable import TesseraSDK

private struct Stop: Record {
  @RecordValue("Where the stop is.", initial: 1.5, unit: "pt") var position
  @RecordValue("How wide the stop is.", initial: 20.0, unit: "pt", in: 0...) var width
  @RecordValue("How many share it.", initial: 1, in: 1...9) var count
  @RecordValue("How far it leans.", initial: 0.0, in: ...5) var lean
  @RecordValue("The side.", initial: Side.right) var side
  @RecordValue("Whether it is on request.", initial: true) var isOptional
}

private struct Mark: Record {
  @RecordValue("Where the mark is.", initial: Point.zero) var place
}

private final class Line: PreparingLayout {
  static let identity = EngineIdentity.example("Line")

  @List("The stops along the line.") var stops: Records<Stop>
  @List("The marks beside it.") var marks: Records<Mark>

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
}

@Suite struct ListTests {
  private let engine = EngineUnderTest(Line.self)

  @Test func listsAndColumnsInTheOrderOfTheSource() throws {
    #expect(engine.engine.list_count == 2 && engine.engine.list_size == 32)
    let lists = try #require(engine.engine.lists)
    #expect((0..<2).map { String(cString: lists[$0].name) } == ["stops", "marks"])
    #expect(String(cString: lists[0].help) == "The stops along the line.")
    #expect(lists[0].column_count == 6 && lists[0].column_size == 144)
    let columns = (0..<6).map { lists[0].columns[$0] }
    #expect(
      columns.map { String(cString: $0.name) } == [
        "position", "width", "count", "lean", "side", "isOptional",
      ])
    #expect(columns.map(\.type) == [3, 3, 2, 3, 4, 1])
    #expect(columns[0].initial.number == 1.5 && columns[0].unit.map(String.init(cString:)) == "pt")
    #expect(columns[0].minimum.number == 0 && columns[0].maximum.number == 0)
    #expect(columns[1].minimum.number == 0 && columns[1].maximum.number == .infinity)
    #expect(columns[2].minimum.integer == 1 && columns[2].maximum.integer == 9)
    #expect(columns[3].minimum.number == -.infinity && columns[3].maximum.number == 5)
    #expect(columns[4].choice_count == 2 && columns[4].initial.choice == 1)
    #expect(columns[5].initial.boolean == 1)
  }
}

private final class Detour: PreparingLayout {
  static let identity = EngineIdentity.example("Detour")
  static let base: BaseEngine? = BaseEngine("org.example.line")

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let base = input.super
    let count = try base.recordCount(of: "stops")
    let sides = try base.recordValues("side", of: "stops", as: Side.self)
    try base.setRecordCount(of: "stops", to: count + 2)
    try base.setRecordValues("width", of: "stops", as: Double.self) { widths in
      for index in widths.indices { widths[index] += Double(index) }
    }
    try base.setRecordValues("side", of: "stops", as: Side.self) { stored in
      stored[0] = sides[1] == .right ? Side.left.stored : 7
    }
    try base.prepare(into: output)
  }
}

@Suite struct InheritedListTests {
  private let engine = EngineUnderTest(Detour.self)
  private let base = FakeBase()

  @Test func listOfTheBaseIsReadAndOverridden() {
    #expect(engine.prepare(FakeInput(base: base), into: FakeOutput()) == TESSERA_OK)
    #expect(base.calls == ["4 stops", "width of stops", "side of stops", "prepare"])
    #expect(Array(base.widths) == [20, 21, 22, 23] && base.sides[0] == 0)
  }
}
