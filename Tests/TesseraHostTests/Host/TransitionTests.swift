import TestSupport
import Testing

@testable import TesseraHost

@Suite struct TransitionTests {
  private func cell(
    _ item: Int, section: Int = 0, x: Double = 0, attributes: [Value] = []
  ) -> Element {
    Element(
      identity: .cell(section: section, item: item),
      frame: Rect(x: x, y: 0, width: 10, height: 10), attributes: attributes)
  }

  private func header(_ section: Int, kind: String = "header", y: Double = 0) -> Element {
    Element(
      identity: ElementIdentity(category: .supplementary, kind: kind, section: section, item: 0),
      frame: Rect(x: 0, y: y, width: 100, height: 20))
  }

  private func moment(
    _ elements: [Element], _ attributes: [AttributeDescription] = [], height: Double = 100,
    y: Double = 0
  ) -> LayoutMoment {
    LayoutMoment(
      elements: elements, attributes: attributes, contentSize: Size(width: 100, height: height),
      offset: Point(x: 0, y: y))
  }

  @Test func pairsByIdentity() {
    let animation = LayoutAnimation(
      from: moment([cell(1, x: 5), cell(0), header(0), cell(2)]),
      to: moment([cell(0, x: 20), cell(1, x: 30), header(0, kind: "title")]))
    let told = animation.tracks.map { track in
      [track.before, track.after].map { $0.map { "\($0.kind ?? "")\($0.item)" } ?? "-" }.joined(
        separator: " ")
    }
    #expect(told == ["0 0", "1 1", "2 -", "header0 -", "- title0"])
    #expect(animation.tracks[1].from.frame.x == 5)
    #expect(animation.tracks[1].to.frame.x == 30)
  }

  @Test func elementOfOneLayoutFadesInPlace() {
    let animation = LayoutAnimation(from: moment([cell(0, x: 7)]), to: moment([cell(1, x: 9)]))
    let middle = animation.elements(at: 0.25)
    #expect(middle.map(\.frame.x) == [7, 9])
    #expect(middle.map(\.alpha) == [0.75, 0.25])
  }

  @Test func endsAreTheTwoLayouts() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<100 {
      let (before, after) = (generator.cells(), generator.cells())
      let animation = LayoutAnimation(from: moment(before), to: moment(after))
      #expect(animation.elements(at: 0) == before)
      #expect(animation.elements(at: 1) == after)
      let union = Set(before.map(\.identity)).union(after.map(\.identity))
      #expect(animation.tracks.count == union.count)
      #expect(Set(animation.elements(at: 0.5).map(\.identity)) == union)
    }
  }

  @Test func contentAndOffsetMoveAlong() {
    let animation = LayoutAnimation(
      from: moment([], height: 100, y: 10), to: moment([], height: 300, y: 50))
    #expect(animation.contentSize(at: 0.5) == Size(width: 100, height: 200))
    #expect(animation.offset(at: 0.25) == Point(x: 0, y: 20))
    #expect(animation.offset(at: .nan) == Point(x: 0, y: 10))
    #expect(animation.contentSize(at: 2) == Size(width: 100, height: 300))
  }

  @Test func attributesAreThoseOfBoth() {
    let mask = AttributeDescription(named: "mask", .number, .linear, initial: .number(0))
    let mode = AttributeDescription(named: "mode", .choice, .step, initial: .choice("fit"))
    let wideMode = AttributeDescription(named: "mode", .bool, .step, initial: .bool(false))
    let animation = LayoutAnimation(
      from: moment(
        [cell(0, attributes: [.choice("fill"), .number(8)])],
        [mode, AttributeDescription(named: "size", .number, .none, initial: .number(1))]),
      to: moment([cell(0, attributes: [.number(4), .bool(true)])], [mask, wideMode]))
    #expect(animation.attributes.map(\.name) == ["mode", "size", "mask"])
    #expect(animation.attributes[0].type == .bool)
    #expect(animation.tracks[0].from.attributes == [.bool(false), .number(8), .number(0)])
    #expect(animation.tracks[0].to.attributes == [.bool(true), .number(1), .number(4)])
    #expect(
      animation.elements(at: 0.5)[0].attributes == [.bool(true), .number(8), .number(2)])
  }

  @Test func reverseAnimationIsTheSame() {
    let animation = LayoutAnimation(
      from: moment([cell(0, x: 4), cell(1)], height: 1), to: moment([cell(0, x: 8)], height: 2))
    let back = animation.reversed()
    #expect(back.elements(at: 0.75).map(\.frame.x) == [5, 0])
    #expect(back.elements(at: 0.75).map(\.alpha) == [1, 0.75])
    #expect(back.contentSizeBefore.height == 2)
  }

  @Test func startsFromAGivenTime() {
    let first = LayoutAnimation(
      from: moment([cell(0, x: 0), cell(1)]), to: moment([cell(0, x: 100)], y: 40))
    let second = LayoutAnimation(from: first.moment(at: 0.5), to: moment([cell(0, x: 10)]))
    #expect(second.elements(at: 0).map(\.frame.x) == [50, 0])
    #expect(second.elements(at: 0).map(\.alpha) == [1, 0.5])
    #expect(second.elements(at: 0.5).map(\.frame.x) == [30, 0])
    #expect(second.elements(at: 0.5).map(\.alpha) == [1, 0.25])
    #expect(second.offsetBefore == Point(x: 0, y: 20))
  }

  @Test func removedEntriesDoNotReplaceRemainingOnes() {
    // Item 1 became 0; reversed half way, both are 0.
    let update = LayoutAnimation(
      tracks: [
        AnimationTrack(
          before: .cell(section: 0, item: 0), after: nil, from: cell(0, x: 1), to: cell(0, x: 1)),
        AnimationTrack(
          before: .cell(section: 0, item: 1), after: .cell(section: 0, item: 0),
          from: cell(1, x: 20), to: cell(0, x: 0)),
      ], attributes: [], contentSizeBefore: .zero, contentSizeAfter: .zero, offsetBefore: .zero,
      offsetAfter: .zero)
    let next = LayoutAnimation(from: update.moment(at: 0.5), to: moment([cell(0, x: 100)]))
    #expect(next.tracks.map(\.from.frame.x) == [10, 1])
    #expect(next.tracks.map { $0.after == nil } == [false, true])
  }
}

extension SeededGenerator {
  fileprivate mutating func cells() -> [Element] {
    (0..<10).filter { _ in Bool.random(using: &self) }.map { item in
      Element(
        identity: .cell(section: 0, item: item),
        frame: Rect(
          x: Double.random(in: 0...1, using: &self), y: 0,
          width: Double.random(in: 0...1, using: &self), height: 1))
    }
  }
}
