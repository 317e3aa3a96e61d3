import TesseraHost
import TestSupport
import Testing

/// Delegate functions of an engine in another process.
@Suite struct RelayTests {
  private func session(_ isolation: Isolation, items: Int) throws -> Session {
    let host = Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]),
      configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine("org.tessera.aspect-flow"))
    try session.setSections([items / 2, 0, items - items / 2])
    return session
  }

  /// Calls are counted in an object: a delegate function may be asked on any thread of its session.
  private final class Asked {
    var count = 0
  }

  @Test func answersAreThoseOfThisProcess() throws {
    var images: [[Element]] = []
    for isolation in Isolation.allCases {
      let session = try session(isolation, items: 300)
      let asked = Asked()
      try session.setDelegate(
        "layoutModeForItem",
        DelegateFunction("layoutModeForItem") { (section: UInt32, item: UInt32) -> UInt8 in
          asked.count += 1
          return UInt8((section + item / 3) % 2)
        })
      images.append(Array(try session.elements()))
      // Each is asked for once at least; not even one that is asked ahead is asked a second time.
      #expect((300...600).contains(asked.count), "\(asked.count) in \(isolation)")
    }
    #expect(images[0].count == 300)
    #expect(images[0] == images[1] && images[1] == images[2])
  }

  @Test(arguments: Isolation.allCases)
  func anErrorIsTheFunctionsOwn(isolation: Isolation) throws {
    let session = try session(isolation, items: 300)
    try session.setDelegate(
      "layoutModeForItem",
      DelegateFunction("layoutModeForItem", try Signature("u8(u32,u32)")) {
        arguments throws(HostError) in
        guard arguments.integer(at: 1) != 77 else {
          throw HostError(.notFound, "nobody knows item 77")
        }
        return .unsigned(1)
      })
    let error = #expect(throws: HostError.self) { try session.elements() }
    #expect(error == HostError(.notFound, "nobody knows item 77"))
  }
}
