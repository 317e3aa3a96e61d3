import CTessera
import Testing

@testable import TesseraSDK

private final class Changing: PreparingLayout, UpdatingLayout, SizingLayout, ReorderingLayout {
  static let identity = EngineIdentity.example("Changing")
  static let traits: Traits = .incremental
  static let measured: [(value: String, kind: String?)] = [
    ("length", nil), ("top", "header"),
  ]

  @Parameter("An estimate.") var estimated = 0.0
  @ItemValue("A length.", fallback: \Changing.$estimated) var length
  @SectionValue("A header's height.", fallback: \Changing.$estimated) var top
  let header = Kind(.supplementary, role: .header)

  private var updates: [Update] = []

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}

  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure) {
    guard input.itemCount > 0 else { throw .failed("no items") }
    self.updates = updates
  }

  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    let (_, rows) = try output.get(0)
    rows.alpha[0] = Double(updates.count)
  }

  func end() { updates = [] }

  func estimates(_ run: Run, _ input: Input) -> [Size] { [] }

  func proposals(_ run: Run, _ input: Input) throws(LayoutFailure) -> [Size] { [] }

  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace {
    ItemPlace(section: point.x < 0 ? -1 : 1, item: 3)
  }
}

private final class Mistaken: PreparingLayout, SizingLayout {
  static let identity = EngineIdentity.example("Mistaken")
  static let measured: [(value: String, kind: String?)] = [("size", nil)]
  @ItemValue("Not a size.") var flag: Column<Bool>
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
  func estimates(_ run: Run, _ input: Input) -> [Size] { [] }
  func proposals(_ run: Run, _ input: Input) -> [Size] { [.zero] }
}

@Suite struct ChangeTests {
  private let engine = EngineUnderTest(Changing.self)

  private func table<Table>(_ id: String, as type: Table.Type) throws -> Table {
    let lookUp = try #require(engine.engine.extension)
    let table = try #require(lookUp(engine.host.engines[0], id))
    return table.assumingMemoryBound(to: Table.self).pointee
  }

  private let input = FakeInput(
    counts: [3, 4], parameters: [tessera_value()],
    columns: Array(repeating: tessera_column(data: nil, stride: 0), count: 2))

  @Test func eachOperationOfABatchIsPassed() throws {
    let updates = try table(TESSERA_EXT_UPDATES, as: tessera_updates.self)
    // The ninth is from a later revision.
    let told = (1...9).map {
      tessera_update(
        operation: $0, from_section: 1, from_item: 2, to_section: 3, reserved: 0, to_item: 4)
    }
    let (old, new) = (ItemPlace(section: 1, item: 2), ItemPlace(section: 3, item: 4))
    #expect(
      told.compactMap { Update($0) } == [
        .insertItem(new), .deleteItem(old), .moveItem(old, to: new), .reloadItem(old),
        .insertSection(3), .deleteSection(1), .moveSection(1, to: 3), .reloadSection(1),
      ])
    let output = FakeOutput()
    let rows = try Output(pointer: output.reference, host: engine.host.reference)
      .add(.cells(inSection: 0, items: 0..<2))
    let begin = try #require(updates.begin)
    let initial = try #require(updates.initial_attributes)
    #expect(input.pass { begin(engine.layout, $0, told, 9) } == TESSERA_OK)
    #expect(input.pass { initial(engine.layout, $0, output.reference) } == TESSERA_OK)
    #expect(rows.alpha[0] == 8)
    updates.end?(engine.layout)
    #expect(input.pass { initial(engine.layout, $0, output.reference) } == TESSERA_OK)
    #expect(rows.alpha[0] == 0)
    let empty = FakeInput(counts: [0], parameters: [tessera_value()])
    #expect(empty.pass { begin(engine.layout, $0, told, 9) } == TESSERA_ERROR_FAILED)
    #expect(engine.host.messages == ["no items"])
  }

  @Test func everyElementNeedsAProposal() throws {
    let sizing = try table(TESSERA_EXT_SIZING, as: tessera_sizing.self)
    let measured = UnsafeBufferPointer(start: sizing.measured, count: Int(sizing.measured_count))
    #expect(measured.map { String(cString: $0.value) } == ["length", "top"])
    #expect(measured.map { $0.kind.map { String(cString: $0) } } == [nil, "header"])
    var run = tessera_run(
      category: TESSERA_CATEGORY_CELL, kind: 0, section: 1, reserved: 0, first_item: 1, count: 3)
    var sizes = Array(repeating: tessera_size(width: 7, height: 7), count: 3)
    var count = run.count
    #expect(
      input.pass { sizing.proposals(engine.layout, $0, &run, &sizes, &count) }
        == TESSERA_ERROR_FAILED)
    #expect(
      engine.host.messages == [
        "proposals returned 0 sizes for 3 elements; return as many, or one for all"
      ])
  }

  @Test func measuredValueMustBeDeclared() {
    let host = FakeHost()
    withExtendedLifetime(host) {
      #expect(host.registry.add(Mistaken.self, host: engine.host.reference) != TESSERA_OK)
    }
    #expect(engine.host.reports.first?.message.contains("measuring supplies size") == true)
  }

  @Test(arguments: [(5.0, 1, 3, TESSERA_OK), (-1.0, 0, 2, TESSERA_ERROR_FAILED)])
  func targetOutsideOfTheSectionsIsRejected(
    x: Double, section: UInt32, item: UInt64, expected: Status
  ) throws {
    let reordering = try table(TESSERA_EXT_REORDERING, as: tessera_reordering.self)
    var (targetSection, targetItem) = (UInt32(0), UInt64(2))
    let status = input.pass {
      reordering.target(
        engine.layout, $0, 1, 0, tessera_point(x: x, y: 5), &targetSection, &targetItem)
    }
    #expect(status == expected && targetSection == section && targetItem == item)
  }
}
