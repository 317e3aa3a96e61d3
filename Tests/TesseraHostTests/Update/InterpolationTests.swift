import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Single elements on their way; what lies between is worked out by hand.
@Suite struct InterpolationTests {
  private func track(_ from: Element, _ to: Element) -> AnimationTrack {
    AnimationTrack(before: from.identity, after: to.identity, from: from, to: to)
  }

  private func cell(_ item: Int, _ frame: Rect, alpha: Double = 1) -> Element {
    Element(identity: .cell(section: 0, item: item), frame: frame, alpha: alpha)
  }

  @Test func frameAndAlphaGoInProportion() {
    let from = cell(3, Rect(x: 0, y: 100, width: 40, height: 80), alpha: 1)
    let to = cell(2, Rect(x: 100, y: 0, width: 80, height: 40), alpha: 0)
    let middle = track(from, to).element(at: 0.25, attributes: [])
    #expect(middle.frame == Rect(x: 25, y: 75, width: 50, height: 70))
    #expect(middle.alpha == 0.75)
    #expect(middle.identity == to.identity)
  }

  @Test func orderAndVisibilityStep() {
    var from = cell(0, .zero)
    from.zIndex = 7
    var to = cell(0, .zero)
    to.isHidden = true
    let track = track(from, to)
    for (progress, zIndex, isHidden) in [(0, 7, false), (1e-9, 0, true), (1, 0, true)] {
      let element = track.element(at: progress, attributes: [])
      #expect(element.zIndex == zIndex)
      #expect(element.isHidden == isHidden)
    }
  }

  @Test func attributesGoAsDeclared() {
    let rows: [(ValueType, AttributeDescription.Interpolation, Value, Value, Value)] = [
      (.number, .linear, .number(1), .number(3), .number(1.5)),
      (.number, .step, .number(1), .number(3), .number(3)),
      (.number, .none, .number(1), .number(3), .number(1)),
      (.integer, .linear, .integer(-10), .integer(0), .integer(-7)),
      (.integer, .linear, .integer(.min), .integer(.max), .integer(-0x4000_0000_0000_0000)),
      (.bool, .linear, .bool(false), .bool(true), .bool(true)),
      (.choice, .linear, .choice("fill"), .choice("fit"), .choice("fit")),
      (.choice, .none, .choice("fill"), .choice("fit"), .choice("fill")),
      (
        .point, .linear, .point(Point(x: 0, y: 4)), .point(Point(x: 4, y: 0)),
        .point(Point(x: 1, y: 3))
      ),
      (
        .size, .linear, .size(Size(width: 8, height: 0)), .size(Size(width: 0, height: 8)),
        .size(Size(width: 6, height: 2))
      ),
      (
        .rect, .linear, .rect(Rect(x: 0, y: 0, width: 4, height: 4)),
        .rect(Rect(x: 4, y: 8, width: 8, height: 0)),
        .rect(Rect(x: 1, y: 2, width: 5, height: 3))
      ),
      (
        .insets, .linear, .insets(.zero),
        .insets(Insets(top: 4, left: 8, bottom: -4, right: 0)),
        .insets(Insets(top: 1, left: 2, bottom: -1, right: 0))
      ),
    ]
    var from = cell(0, .zero)
    var to = cell(0, .zero)
    from.attributes = rows.map(\.2)
    to.attributes = rows.map(\.3)
    let attributes = rows.enumerated().map {
      AttributeDescription(named: "a\($0)", $1.0, $1.1, initial: .number(0))
    }
    let middle = track(from, to).element(at: 0.25, attributes: attributes)
    for (value, row) in zip(middle.attributes, rows) { #expect(value == row.4, "\(row)") }
  }

  @Test func endsAreExactToTheBit() {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      let from = generator.element()
      let to = generator.element()
      let attributes = [
        AttributeDescription(named: "number", .number, .linear, initial: .number(0))
      ]
      let track = track(from, to)
      for start in [0, -0.5, -.infinity, .nan] {
        #expect(track.element(at: start, attributes: attributes).bits == from.bits)
      }
      for end in [1, 1.5, .infinity] {
        #expect(track.element(at: end, attributes: attributes).bits == to.bits)
      }
    }
  }

  @Test func numbersNeverLeaveTheirWay() {
    var generator = SeededGenerator(seed: 42)
    let huge = cell(0, Rect(x: -1.7e308, y: 0.1, width: 1, height: 1))
    let far = cell(0, Rect(x: 1.7e308, y: 0.1, width: 1, height: 1))
    for _ in 0..<500 {
      let progress = Double.random(in: 0...1, using: &generator)
      let frame = track(huge, far).element(at: progress, attributes: []).frame
      #expect(frame.x.isFinite)
      #expect(frame.y == 0.1)
      let (from, to) = (generator.element(), generator.element())
      let x = track(from, to).element(at: progress, attributes: []).frame.x
      #expect(x >= min(from.frame.x, to.frame.x) && x <= max(from.frame.x, to.frame.x))
    }
  }

  @Test func attributesWithoutADeclarationStep() {
    var from = cell(0, .zero)
    from.attributes = [.number(1)]
    var to = from
    to.attributes = [.number(2), .number(3)]
    let middle = track(from, to).element(at: 0.5, attributes: [])
    #expect(middle.attributes == [.number(2), .number(3)])
  }
}

extension Element {
  fileprivate var bits: [UInt64] {
    let numbers = [frame.x, frame.y, frame.width, frame.height, alpha] + transform.elements
    return (numbers + attributes.flatMap(\.numbers)).map(\.bitPattern)
  }
}

extension SeededGenerator {
  fileprivate mutating func element() -> Element {
    func number() -> Double { Double.random(in: -1e3...1e3, using: &self) }
    return Element(
      identity: .cell(section: 0, item: 0),
      frame: Rect(x: number(), y: number(), width: number(), height: number()),
      transform: Transform(elements: (0..<16).map { _ in number() }) ?? .identity,
      alpha: Double.random(in: 0...1, using: &self), attributes: [.number(number())])
  }
}

extension AttributeDescription {
  init(named name: String, _ type: ValueType, _ interpolation: Interpolation, initial: Value) {
    self.init(
      name: name, help: "", type: type, choices: [], interpolation: interpolation,
      isAdjusted: false, initial: initial)
  }
}
