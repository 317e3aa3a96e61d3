import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// An engine in C by a third hand, which gives the compositional engine other nodes when narrow.
@Suite struct NarrowTests {
  /// Two columns of 40 where there is room; rows of 60 below 500 points, whatever the user gives.
  @Test func nodesDependOnTheWidth() throws {
    let library = try LayerLibrary("narrow")
    let (session, plain) = (
      try library.session("narrow"), try library.session(CompositionalTests.id)
    )
    var rules = CompositionalRules(
      nodes: [
        Node(kind: "vertical", heightIs: "absolute", height: 9), Node(parent: 0),
        Node(kind: "horizontal", heightIs: "absolute", height: 40, count: 2), Node(parent: 2),
      ],
      sections: [.init(count: 3, group: 2, orthogonal: "continuous", orthogonalOffset: 7)])
    for width in [600.0, 499, 500, 320] {
      rules.bounds.width = width
      try rules.apply(to: session)
      try rules.apply(to: plain)
      let frames = try session.elements().map(\.frame)
      guard width < 500 else {
        #expect(try frames == plain.elements().map(\.frame))
        continue
      }
      #expect(frames.map(\.height) == [60, 60, 60])
      #expect(frames.map(\.x) == [-7, width - 7, 2 * width - 7])
    }
  }
}
