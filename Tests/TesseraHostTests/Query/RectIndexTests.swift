import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// The index over frames against a look at every frame.
@Suite struct RectIndexTests {
  @Test(arguments: 1...60) func aQueryFindsWhatALookAtEveryFrameFinds(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = [0, 1, 2, 15, 16, 17, 255, 256, 257, 3000][Int(seed) % 10]
    let reach = [1, 100, 1e4, 1e9][Int(seed) % 4]
    let frames = (0..<count).map { _ in random.frame(within: reach) }
    frames.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let index = RectIndex(frames: base, count: count)
      #expect(index.unsoundRow == nil)
      for query in (0..<40).map({ _ in random.frame(within: reach * 1.2) })
        + frames.prefix(20).flatMap(Self.rects(touching:)) + [Self.everything]
      {
        var hits: [Int] = []
        index.query(query, into: &hits)
        let expected = frames.indices.filter { Self.meet(frames[$0], query) }
        #expect(hits == expected, "seed \(seed), \(query)")
      }
    }
  }

  /// Frames that differ by less than single precision tells apart.
  @Test func neighboursAreToldApartFarFromTheOrigin() {
    let origin = 1e9
    let frames = (0..<100).map {
      Rect(x: origin + Double($0) * 0.25, y: -origin, width: 0.25, height: 0.25)
    }
    frames.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let index = RectIndex(frames: base, count: frames.count)
      for (row, frame) in frames.enumerated() {
        var hits: [Int] = []
        index.query(frame, into: &hits)
        #expect(hits == [row])
      }
    }
  }

  @Test func framesBeyondSinglePrecisionAreFound() {
    let frames = [
      Rect(x: -1e300, y: 0, width: 1, height: 1), Rect(x: 1e300, y: 0, width: 1e299, height: 1),
      Rect(x: -1e40, y: -1e40, width: 2e40, height: 2e40),
      Rect(x: 0, y: 0, width: 1e-300, height: 1),
    ]
    frames.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let index = RectIndex(frames: base, count: frames.count)
      for query in frames + [Self.everything, Rect(x: 1e-301, y: 0.5, width: 1, height: 1)] {
        var hits: [Int] = []
        index.query(query, into: &hits)
        #expect(hits == frames.indices.filter { Self.meet(frames[$0], query) }, "\(query)")
      }
    }
  }

  @Test(arguments: [
    Rect(x: .nan, y: 0, width: 1, height: 1), Rect(x: 0, y: .infinity, width: 1, height: 1),
    Rect(x: 0, y: 0, width: -1, height: 1), Rect(x: 0, y: 0, width: 1, height: -.infinity),
    Rect(x: 0, y: 0, width: .nan, height: 1), Rect(x: 1e308, y: 0, width: 1e308, height: 1),
  ])
  func theFirstFrameThatIsNoneIsTold(_ unsound: Rect) {
    var frames = Array(repeating: Rect(x: 0, y: 0, width: 1, height: 1), count: 40)
    frames[23] = unsound
    frames[31] = unsound
    frames.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      #expect(RectIndex(frames: base, count: frames.count).unsoundRow == 23)
    }
  }

  private static let everything = Rect(x: -2e9, y: -2e9, width: 4e9, height: 4e9)

  private static func rects(touching frame: Rect) -> [Rect] {
    [
      frame, Rect(x: frame.x - 1, y: frame.y, width: 1, height: 1),
      Rect(x: frame.x + frame.width, y: frame.y, width: 1, height: 1),
      Rect(x: frame.x, y: frame.y - 1, width: 1, height: 1),
      Rect(x: frame.x, y: frame.y + frame.height, width: 1, height: 1),
    ]
  }

  /// Half-open: touching edges do not meet, and what is empty meets nothing.
  private static func meet(_ left: Rect, _ right: Rect) -> Bool {
    left.width > 0 && left.height > 0 && right.width > 0 && right.height > 0
      && left.x < right.x + right.width && right.x < left.x + left.width
      && left.y < right.y + right.height && right.y < left.y + left.height
  }
}

extension RandomNumberGenerator {
  /// A frame of any shape: often small, sometimes empty, thin or as large as the plane.
  fileprivate mutating func frame(within reach: Double) -> Rect {
    func length() -> Double {
      let limit = [0, reach / 100, reach / 10, 2 * reach][Int.random(in: 0..<4, using: &self)]
      return limit > 0 ? Double.random(in: 0...limit, using: &self) : 0
    }
    return Rect(
      x: Double.random(in: -reach...reach, using: &self),
      y: Double.random(in: -reach...reach, using: &self), width: length(), height: length())
  }
}
