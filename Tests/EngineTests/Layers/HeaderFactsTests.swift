import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// What the header states about the input of a call and about failures, where no case of the suite
/// tests it.
@Suite struct HeaderFactsTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("facts") }

  @Test func changeAfterAFailureIsAll() throws {
    let session = try library.session("org.example.facts")
    _ = try session.contentSize()
    try session.setParameter("height", to: .number(6))
    #expect(try Int(session.contentSize().width) & 1 == 0)
    try session.setParameter("fails", to: .bool(true))
    #expect(throws: HostError.self) { try session.contentSize() }
    try session.setParameter("fails", to: .bool(false))
    #expect(try Int(session.contentSize().width) & 1 == 1)
  }

  @Test func valuesMayBeOutsideTheLimitsOfTheirFallback() throws {
    let session = try library.session("org.example.facts")
    #expect(try session.contentSize().height == 5)
    #expect(throws: HostError.self) { try session.setParameter("height", to: .number(50)) }
    try session.setSectionValues("height", .constant(.number(50)))
    #expect(try session.contentSize().height == 50)
  }

  @Test func failureWithoutCreateIsShownByItsStatus() throws {
    let session = try library.session("org.example.silent")
    let error = #expect(throws: HostError.self) { try session.contentSize() }
    #expect(
      error?.message == "org.example.silent: prepare returned TESSERA_ERROR_FAILED without a reason"
    )
  }

  @Test func contentBeginsInsideTheContentInsets() throws {
    let session = try library.session("org.tessera.flow")
    session.contentInsets = Insets(top: 10, left: 20, bottom: 30, right: 40)
    try session.setSections([3])
    #expect(try session.elements()[0].frame.x == 0)
    #expect(try session.contentSize().width == session.bounds.width - 60)
    // The safe area is measured from the bounds: only what the insets do not cover moves the cells.
    try session.setParameter("sectionInsetReference", to: .choice("safeArea"))
    session.safeAreaInsets = Insets(top: 0, left: 25, bottom: 0, right: 0)
    #expect(try session.elements()[0].frame.x == 5)
  }
}
