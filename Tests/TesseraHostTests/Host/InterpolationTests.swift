import Glibc
import TestSupport
import Testing

@testable import TesseraHost

/// Expectations are calculated by hand.
@Suite struct InterpolationTests {
  private func track(_ from: Element, _ to: Element) -> AnimationTrack {
    AnimationTrack(before: from.identity, after: to.identity, from: from, to: to)
  }

  private func cell(_ item: Int, _ frame: Rect, alpha: Double = 1) -> Element {
    Element(identity: .cell(section: 0, item: item), frame: frame, alpha: alpha)
  }

  @Test func framesAndAlphaAreInterpolated() {
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
      (.integer, .linear, .integer(-10), .integer(0), .integer(-7)),
      (.integer, .linear, .integer(.min), .integer(.max), .integer(-0x4000_0000_0000_0000)),
      (.bool, .linear, .bool(false), .bool(true), .bool(true)),
      (.choice, .none, .choice("fill"), .choice("fit"), .choice("fill")),
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

  @Test func interpolatedNumbersStayBetweenTheirEnds() {
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

/// Matrices are for row vectors.
@Suite struct DecompositionTests {
  @Test func partsReproduceTheMatrix() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<2000 {
      var numbers = (0..<16).map { _ in Double.random(in: -10...10, using: &generator) }
      if round % 2 == 0 { for index in [3, 7, 11] { numbers[index] /= 1000 } }
      numbers[15] = numbers[15].magnitude + 0.5
      let matrix = try #require(Transform(elements: numbers))
      guard matrix.determinant3.magnitude > 1 else { continue }
      let parts = try #require(TransformDecomposition(matrix))
      #expect(matrix.distance(to: parts.transform) < 1e-9)
    }
  }

  @Test func rotationHalfWayIsHalfTheAngle() {
    for axis in Transform.Axis.allCases {
      for degrees in [10.0, 90, 170, -135] {
        let whole = Transform.rotation(axis, degrees: degrees)
        let middle = Transform.identity.interpolated(to: whole, 0.5)
        #expect(middle.distance(to: .rotation(axis, degrees: degrees / 2)) < 1e-14)
        let third = whole.interpolated(to: .identity, 1.0 / 3)
        #expect(third.distance(to: .rotation(axis, degrees: degrees * 2 / 3)) < 1e-14)
      }
    }
  }

  @Test func rotationsTakeTheShorterArc() {
    let from = Transform.rotation(.z, degrees: 170)
    let to = Transform.rotation(.z, degrees: -170)
    #expect(
      from.interpolated(to: to, 0.5).distance(to: .rotation(.z, degrees: 180)) < 1e-14)
  }

  @Test func perspectiveAndTranslationAreInterpolated() {
    // A side cover: raised, at a viewing distance of 842 points.
    var raised = Transform.rotation(.y, degrees: 40)
    let depth = -1 / (4.6777 * 180)
    (raised.m14, raised.m34) = (raised.m13 * depth, raised.m33 * depth)
    (raised.m41, raised.m43) = (30, 40_000)
    let middle = raised.interpolated(to: .identity, 0.5)
    #expect(middle.m41 == 15)
    #expect(middle.m43 == 20_000)
    #expect(middle.m44 == 1)
    let turned = Transform.rotation(.y, degrees: 20)
    #expect((middle.m11 - turned.m11).magnitude < 1e-14)
    #expect((middle.m14 - turned.m13 * depth / 2).magnitude < 1e-17)
    #expect((middle.m34 - turned.m33 * depth / 2).magnitude < 1e-17)
  }

  @Test func indecomposableTransformsAreInterpolatedByNumber() throws {
    var behind = Transform.identity
    behind.m44 = -1
    var flat = Transform.identity
    (flat.m11, flat.m22) = (0, 0)
    var dependent = Transform.identity
    (dependent.m21, dependent.m22) = (3, 0)
    for matrix in [behind, flat, dependent] {
      #expect(TransformDecomposition(matrix) == nil)
      let expected = zip(matrix.elements, Transform.identity.elements).map { $0 + ($1 - $0) / 4 }
      #expect(matrix.interpolated(to: .identity, 0.25).elements == expected)
    }
    #expect(
      TransformDecomposition(try #require(Transform(elements: Array(repeating: 0, count: 16))))
        == nil)
  }
}

extension Transform {
  enum Axis: CaseIterable { case x, y, z }

  static func rotation(_ axis: Axis, degrees: Double) -> Transform {
    let angle = degrees * .pi / 180
    var result = Transform.identity
    switch axis {
    case .x:
      (result.m22, result.m23) = (cos(angle), sin(angle))
      (result.m32, result.m33) = (-sin(angle), cos(angle))
    case .y:
      (result.m11, result.m13) = (cos(angle), -sin(angle))
      (result.m31, result.m33) = (sin(angle), cos(angle))
    case .z:
      (result.m11, result.m12) = (cos(angle), sin(angle))
      (result.m21, result.m22) = (-sin(angle), cos(angle))
    }
    return result
  }

  fileprivate func distance(to other: Transform) -> Double {
    zip(elements, other.elements).map { ($0 - $1).magnitude }.max() ?? 0
  }

  fileprivate var determinant3: Double {
    m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31) + m13 * (m21 * m32 - m22 * m31)
  }
}
