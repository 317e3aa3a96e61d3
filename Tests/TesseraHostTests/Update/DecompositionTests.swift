import Glibc
import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Transforms taken apart, put together and animated; matrices are for row vectors.
@Suite struct DecompositionTests {
  @Test func partsGiveTheMatrixAgain() throws {
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

  @Test func partsAreThoseThatTheMatrixWasMadeOf() throws {
    // scale(2, 3, 4), then a quarter turn about z, then a move.
    let matrix = try #require(
      Transform(elements: [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]))
    let parts = try #require(TransformDecomposition(matrix))
    #expect(parts.scale == SIMD3(2, 3, 4))
    #expect(parts.skew == SIMD3(0, 0, 0))
    #expect(parts.translation == SIMD3(5, 6, 7))
    #expect(parts.perspective == SIMD3(0, 0, 0))
    let half = 0.5.squareRoot()
    #expect((parts.rotation.parts - SIMD4(0, 0, half, half)).max() < 1e-15)
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

  @Test func smallRotationsStayInProportion() {
    let whole = Transform.rotation(.y, degrees: 1e-5)
    let middle = Transform.identity.interpolated(to: whole, 0.5)
    #expect((middle.m13 / whole.m13 - 0.5).magnitude < 1e-9)
  }

  @Test func halfTurnsAboutEveryAxisComeBack() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      // 2aaᵀ - 1 turns by 180° about a.
      var axis = SIMD3<Double>.random(in: -1...1, using: &generator)
      axis /= (axis * axis).sum().squareRoot()
      var numbers: [Double] = []
      for row in 0..<3 {
        numbers += (0..<3).map { 2 * axis[row] * axis[$0] - (row == $0 ? 1 : 0) } + [0]
      }
      let matrix = try #require(Transform(elements: numbers + [0, 0, 0, 1]))
      let parts = try #require(TransformDecomposition(matrix))
      #expect(matrix.distance(to: parts.transform) < 1e-12)
    }
  }

  @Test func perspectiveAndTranslationGoInProportion() {
    // A cover flow's side cell: raised for the order of drawing, seen from 842 points away.
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

  @Test func whatHasNoPartsGoesNumberByNumber() throws {
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
