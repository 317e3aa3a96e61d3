import CTessera
import Testing

@testable import TesseraSDK

private final class Derived: AdjustingLayout, LazyLayout, ReusableLayout {
  static let identity = EngineIdentity.example("Derived")
  static let base: BaseEngine? = BaseEngine("org.example.base", from: "1.2.0")

  enum Deed: String, Choice { case override, readOnly, unknown, wrongType, values, twice }

  @Parameter("What to do.") var deed = Deed.override
  @Inherited var spacing: Double
  @Inherited var itemSize = Size(width: 1, height: 2)
  @Inherited(isOwned: true) var isOn = true
  @InheritedChoice(isOwned: true) var side: Side? = .right
  @InheritedChoice var other: Side?
  @Inherited var missing: Double

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    switch deed {
    case .override:
      spacing = 2 * spacing
      itemSize = Size(width: itemSize.height, height: spacing)
      side = .left
    case .readOnly: output.warn("\(spacing) \(itemSize.width) \(isOn)")
    case .unknown:
      missing = 1
      spacing = 99
    case .wrongType: _ = try input.super.get("spacing", as: Size.self)
    case .values: try overrideValues(input.super)
    case .twice: try input.super.prepare(into: output)
    }
    try input.super.prepare(into: output)
  }

  private func overrideValues(_ base: Super) throws(LayoutFailure) {
    let gaps = try base.sectionValues("gap", as: Double.self)
    let sizes = try base.itemValues("size", as: Size.self)
    let seen = (gaps.count, gaps[1], sizes.count, sizes[4].width)
    try base.setSectionValues("gap", as: Double.self) { gaps in
      for section in gaps.indices { gaps[section] += Double(section) + seen.1 }
    }
    try base.setItemValues("size", as: Size.self) { sizes in
      for item in sizes.indices { sizes[item].width = Double(item) + seen.3 }
    }
  }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    if deed == .override { spacing = 1 }
    try input.super.adjust(rect: rect, into: output)
  }

  func elementsInRect(_ rect: Rect, input: Input, into output: Output) throws(LayoutFailure) {
    try input.super.elementsInRect(rect, into: output)
  }

  func element(_ run: Run, input: Input, into output: Output) throws(LayoutFailure) {
    try input.super.element(run, into: output)
  }

  func stillValid(_ input: Input) -> Bool { input.super.stillValid() }
}

@Suite struct DerivedLayoutTests {
  private let engine = EngineUnderTest(Derived.self)
  private let base = FakeBase()
  private let output = FakeOutput()

  private func input(_ deed: Derived.Deed) -> FakeInput {
    FakeInput(counts: [2, 3], parameters: [tessera_value(deed)], base: base)
  }

  private func prepare(_ deed: Derived.Deed) -> Status? {
    engine.prepare(input(deed), into: output)
  }

  @Test func assigningOverridesBeforeTheBaseIsPrepared() {
    #expect(prepare(.override) == TESSERA_OK)
    #expect(base.calls == ["spacing = 8.0", "itemSize = 6.0×8.0", "side = left", "prepare"])
    #expect(output.contentSize.height == 40)
  }

  @Test func readingReturnsTheValueOfTheBase() {
    #expect(prepare(.readOnly) != TESSERA_OK)
    #expect(
      engine.host.messages == [
        "4.0 5.0 true",
        "org.example.base has nothing called isOn to give or to take; use a name that it declares",
      ])
    #expect(base.calls == [])
  }

  @Test func errorsOfAssignmentsAreThrownByPrepare() {
    #expect(prepare(.unknown) == TESSERA_ERROR_NOT_FOUND)
    #expect(
      engine.host.messages == [
        "org.example.base has nothing called missing to give or to take; use a name that it "
          + "declares"
      ])
    #expect(base.calls == ["spacing = 99.0"])
  }

  @Test func typesMustAgree() {
    #expect(prepare(.wrongType) == TESSERA_ERROR_INVALID_VALUE)
    #expect(
      engine.host.messages == [
        "org.example.base has a spacing that does not take this Size; give what it declares"
      ])
  }

  @Test func columnsAreReadAndOverridden() {
    #expect(prepare(.values) == TESSERA_OK)
    #expect(Array(base.gaps) == [14, 15])
    #expect(base.sizes.map(\.width) == [8, 9, 10, 11, 12])
    #expect(base.calls == ["gap for all", "size for all", "prepare"])
  }

  @Test func failureOfTheBaseIsNotReportedAgain() {
    base.answer = TESSERA_ERROR_FAILED
    #expect(prepare(.override) == TESSERA_ERROR_FAILED)
    #expect(engine.host.reports.isEmpty)
  }

  @Test func overridingInTheWrongCallFails() {
    base.overrideAnswer = TESSERA_ERROR_WRONG_STATE
    #expect(engine.adjust(input(.override), rect: tessera_rect(), into: output) != TESSERA_OK)
    #expect(
      engine.host.messages == [
        "spacing of org.example.base was set outside of prepare and stillValid; set it in one of "
          + "them"
      ])
  }

  @Test func everyCallReachesTheBase() {
    let input = input(.values)
    let rect = tessera_rect(x: 0, y: 7, width: 1, height: 1)
    let run = tessera_run(
      category: TESSERA_CATEGORY_CELL, kind: 0, section: 0, reserved: 0, first_item: 1, count: 1)
    #expect(engine.adjust(input, rect: rect, into: output) == TESSERA_OK)
    #expect(engine.elementsInRect(rect, input, into: output) == TESSERA_OK)
    #expect(engine.element(run, input, into: output) == TESSERA_OK)
    #expect(engine.stillValid(input) == 1)
    #expect(base.calls == ["adjust 7.0", "elements 7.0", "element 1", "stillValid"])
  }

  @Test func missingBaseIsReported() {
    let input = FakeInput(counts: [2], parameters: [tessera_value(Derived.Deed.twice)])
    #expect(engine.prepare(input, into: output) == TESSERA_ERROR_FAILED)
    #expect(engine.stillValid(input) == 0)
    #expect(engine.host.reports.count == 1)
  }

  @Test func inheritedPropertiesReturnInitialValuesOutsideOfACall() {
    let layout = Derived()
    layout.spacing = 3
    layout.side = .left
    #expect(layout.spacing == 0 && layout.itemSize == Size(width: 1, height: 2))
    #expect(layout.side == .right && layout.other == nil)
  }
}
