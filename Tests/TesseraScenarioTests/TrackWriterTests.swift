import Testing

@testable import TesseraScenario

@Suite struct TrackWriterTests {
  private func text(_ writer: TrackWriter) -> String {
    var bytes: [UInt8] = []
    writer.write { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func animation(
    _ tracks: [AnimationTrack], _ attributes: [AttributeDescription] = []
  ) -> LayoutAnimation {
    LayoutAnimation(
      tracks: tracks, attributes: attributes, contentSizeBefore: Size(width: 375, height: 700.25),
      contentSizeAfter: Size(width: 375, height: 800), offsetBefore: .zero,
      offsetAfter: Point(x: 0, y: 10))
  }

  private let cell = Element(
    identity: .cell(section: 0, item: 1), frame: Rect(x: 0, y: 44, width: 100, height: 90.5),
    attributes: [.choice("fit")])

  @Test("a track holds both identities and both ends, without default values")
  func tracks() {
    var faded = cell
    faded.alpha = 0
    let header = Element(
      identity: ElementIdentity(
        category: .supplementary, kind: "header", section: 1, item: 0),
      frame: Rect(x: 0, y: 0, width: 375, height: 44), zIndex: 3)
    let moved = AnimationTrack(
      before: header.identity, after: .cell(section: 0, item: 0), from: header, to: cell)
    let leaving = AnimationTrack(before: cell.identity, after: nil, from: cell, to: faded)
    let writer = TrackWriter(
      engine: "org.example.base",
      animation: animation(
        [leaving, moved], [Fixture.attribute("mode", .choice("fit"), choices: ["fit"])]))
    #expect(
      text(writer) == """
        {"engine":"org.example.base","contentSizeBefore":[375,700.25],"contentSizeAfter":[375,800],\
        "offsetBefore":[0,0],"offsetAfter":[0,10],"tracks":[
        {"before":{"category":"supplementary","kind":"header","section":1,"item":0},\
        "after":{"category":"cell","section":0,"item":0},\
        "from":{"frame":[0,0,375,44],"zIndex":3},\
        "to":{"frame":[0,44,100,90.5],"attributes":{"mode":"fit"}}},
        {"before":{"category":"cell","section":0,"item":1},"after":null,\
        "from":{"frame":[0,44,100,90.5],"attributes":{"mode":"fit"}},\
        "to":{"frame":[0,44,100,90.5],"alpha":0,"attributes":{"mode":"fit"}}}
        ]}

        """)
  }

  @Test("a transition names both engines; without tracks the list is empty")
  func transition() {
    #expect(
      text(TrackWriter(from: "org.a", to: "org.b", animation: animation([]))) == """
        {"from":"org.a","to":"org.b","contentSizeBefore":[375,700.25],\
        "contentSizeAfter":[375,800],"offsetBefore":[0,0],"offsetAfter":[0,10],"tracks":[]}

        """)
  }
}
