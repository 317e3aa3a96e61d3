import CTessera
import Testing

@testable import TesseraSDK

private final class Troubled: PreparingLayout {
  static let identity = EngineIdentity.example("Troubled")

  enum Trouble: String, Choice { case sentence, space, warning, long, infinite, place, run }
  @Parameter("What goes wrong.") var trouble = Trouble.sentence

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    switch trouble {
    case .sentence: throw .invalidValue("size is -5×90; “both” must be ≥ 0 – 100 % sure")
    case .space: _ = try output.add(.cells(inSection: 0, items: 0..<20))
    case .warning: output.warn("columns is 0; 1 is used")
    case .long: for step in 1...4 { try output.progress(Double(step) / 4) }
    case .infinite: try output.setContentSize(Size(width: .infinity, height: -1))
    case .place: _ = try output.add(.cells(inSection: -1, items: 0..<1))
    case .run: _ = try output.get(3)
    }
  }
}

@Suite struct FailureTests {
  private let engine = EngineUnderTest(Troubled.self)
  private let output = FakeOutput()

  private func prepare(_ trouble: Troubled.Trouble) -> Status? {
    engine.prepare(FakeInput(parameters: [tessera_value(trouble)]), into: output)
  }

  @Test func theSentenceArrivesIntact() {
    #expect(prepare(.sentence) == TESSERA_ERROR_INVALID_VALUE)
    #expect(
      engine.host.reports == [
        .init(
          status: TESSERA_ERROR_INVALID_VALUE,
          message: "size is -5×90; “both” must be ≥ 0 – 100 % sure")
      ])
  }

  @Test func noSpaceIsNotReportedAgain() {
    output.rowLimit = 19
    #expect(prepare(.space) == TESSERA_ERROR_NO_SPACE)
    #expect(engine.host.reports.isEmpty)
  }

  @Test func otherRejectionNamesTheRows() {
    output.answer = TESSERA_ERROR_INVALID_VALUE
    #expect(prepare(.space) == TESSERA_ERROR_INVALID_VALUE)
    #expect(
      engine.host.messages == ["the host refused items 0..<20 of section 0 with status 1"])
  }

  @Test func aWarningDoesNotStop() {
    #expect(prepare(.warning) == TESSERA_OK)
    #expect(
      engine.host.reports == [.init(status: TESSERA_OK, message: "columns is 0; 1 is used")])
  }

  @Test func progressGoesOnUntilTheHostSaysStop() {
    #expect(prepare(.long) == TESSERA_OK)
    #expect(engine.host.fractions == [0.25, 0.5, 0.75, 1])
    engine.host.wantsMore = false
    #expect(prepare(.long) == TESSERA_ERROR_CANCELLED)
    #expect(engine.host.fractions == [0.25, 0.5, 0.75, 1, 0.25])
    #expect(engine.host.reports.isEmpty)
  }

  @Test func invalidContentSizeNeverReachesTheHost() {
    #expect(prepare(.infinite) == TESSERA_ERROR_INVALID_VALUE)
    #expect(output.contentSize.width == -1)
    #expect(
      engine.host.messages == [
        "the content would be inf×-1 points; it must be finite and not negative, "
          + "so give smaller lengths, or fewer items"
      ])
  }

  @Test func invalidIndexPathsAreRejectedWithoutATrap() {
    #expect(prepare(.place) == TESSERA_ERROR_FAILED)
    #expect(prepare(.run) == TESSERA_ERROR_NOT_FOUND)
    #expect(
      engine.host.messages == [
        "section -1, items 0..<1 cannot be added; they start at 0", "there is no run 3",
      ])
  }
}
