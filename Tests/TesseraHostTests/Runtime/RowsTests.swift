import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// The index over frames compared with a scan of all frames.
@Suite struct RectIndexTests {
  @Test(arguments: 1...60) func queryEqualsAFilterOverAllFrames(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = [0, 1, 2, 15, 16, 17, 255, 256, 257, 3000][Int(seed) % 10]
    let reach = [1, 100, 1e4, 1e9][Int(seed) % 4]
    let frames = (0..<count).map { _ in random.frame(within: reach) }
    // One frame more than the index holds, since an empty list may have no address.
    try (frames + [Self.everything]).withUnsafeBufferPointer { buffer in
      let index = RectIndex(frames: try #require(buffer.baseAddress), count: count)
      #expect(index.firstInvalidRow == nil)
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

  /// Frames that differ by less than single precision can represent.
  @Test func neighboursAreDistinguishedFarFromTheOrigin() throws {
    let origin = 1e9
    let frames = (0..<100).map {
      Rect(x: origin + Double($0) * 0.25, y: -origin, width: 0.25, height: 0.25)
    }
    try frames.withUnsafeBufferPointer { buffer in
      let index = RectIndex(frames: try #require(buffer.baseAddress), count: frames.count)
      for (row, frame) in frames.enumerated() {
        var hits: [Int] = []
        index.query(frame, into: &hits)
        #expect(hits == [row])
      }
    }
  }

  @Test func framesBeyondSinglePrecisionAreFound() throws {
    let frames = [
      Rect(x: -1e300, y: 0, width: 1, height: 1), Rect(x: 1e300, y: 0, width: 1e299, height: 1),
      Rect(x: -1e40, y: -1e40, width: 2e40, height: 2e40),
      Rect(x: 0, y: 0, width: 1e-300, height: 1),
    ]
    try frames.withUnsafeBufferPointer { buffer in
      let index = RectIndex(frames: try #require(buffer.baseAddress), count: frames.count)
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
  func firstInvalidFrameIsReported(_ unsound: Rect) throws {
    var frames = Array(repeating: Rect(x: 0, y: 0, width: 1, height: 1), count: 40)
    frames[23] = unsound
    frames[31] = unsound
    try frames.withUnsafeBufferPointer { buffer in
      let index = RectIndex(frames: try #require(buffer.baseAddress), count: frames.count)
      #expect(index.firstInvalidRow == 23)
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

  /// Half-open rects: touching edges do not intersect, and empty rects intersect nothing.
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

/// The order of runs compared with a sort of all their elements by identity.
@Suite struct RunOrderTests {
  private static let kinds = [
    KindDescription(name: "zebra", category: .supplementary),
    KindDescription(name: "apple", category: .supplementary),
    KindDescription(name: "leaf", category: .decoration),
  ]

  private struct Key: Comparable, Hashable {
    let section: UInt32
    let category: String
    let kind: String
    let item: UInt64

    static func < (left: Key, right: Key) -> Bool {
      (left.section, left.category, left.kind, left.item)
        < (right.section, right.category, right.kind, right.item)
    }
  }

  private static func keys(of run: Run) -> [Key] {
    (0..<UInt64(run.count)).map {
      Key(
        section: run.section, category: run.category.name,
        kind: run.category == .cell ? "" : kinds[Int(run.kind)].name, item: run.firstItem + $0)
    }
  }

  /// Runs of any identity, most of which hold elements of their own.
  private static func runs(_ random: inout SeededGenerator) -> ContiguousArray<Run> {
    var runs = ContiguousArray<Run>()
    var row = 0
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let category = ElementCategory.allCases[Int.random(in: 0..<3, using: &random)]
      let kind: UInt32 =
        switch category {
        case .cell: 0
        case .supplementary: UInt32.random(in: 0...1, using: &random)
        case .decoration: 2
        }
      let count = Int.random(in: 1...3, using: &random)
      runs.append(
        Run(
          category: category, kind: kind, section: UInt32.random(in: 0...2, using: &random),
          firstItem: UInt64.random(in: 0...20, using: &random), count: count, row: row))
      row += count
    }
    return runs
  }

  @Test(arguments: 1...400) func runsAreOrderedAndDuplicatesFound(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let runs = Self.runs(&random)
    let all = runs.flatMap(Self.keys)
    let hasDuplicates = Set(all).count < all.count
    let order: RunOrder
    do throws(HostError) { order = try RunOrder(runs, kinds: Self.kinds) } catch {
      #expect(hasDuplicates, "seed \(seed): \(error)")
      #expect(error.kind == .brokenContract)
      #expect(error.message.contains("twice"))
      return
    }
    #expect(!hasDuplicates, "seed \(seed): \(runs)")
    #expect(order.places.flatMap { Self.keys(of: runs[$0]) } == all.sorted(), "seed \(seed)")
    if let ranks = order.rankOfPlace {
      #expect(order.places.map { ranks[$0] } == Array(order.places.indices))
    } else {
      #expect(order.places == Array(runs.indices))
    }
    for section in UInt32(0)...3 {
      for (category, kind, name) in [
        (ElementCategory.cell, 0, ""), (.supplementary, 0, "zebra"), (.supplementary, 1, "apple"),
        (.decoration, 2, "leaf"),
      ] {
        for item in UInt64(0)...25 {
          let found = order.run(
            holding: item, category, kind: UInt32(kind), section: section, in: runs)
          let key = Key(section: section, category: category.name, kind: name, item: item)
          #expect(found == runs.indices.first { Self.keys(of: runs[$0]).contains(key) })
        }
      }
    }
  }
}
