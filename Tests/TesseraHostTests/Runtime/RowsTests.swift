import TestSupport
import Testing

@testable import TesseraHost

/// The spatial index, against a scan.
@Suite struct RectIndexTests {
  @Test(arguments: [
    Rect(x: .nan, y: 0, width: 1, height: 1), Rect(x: 0, y: .infinity, width: 1, height: 1),
    Rect(x: 0, y: 0, width: -1, height: 1), Rect(x: 0, y: 0, width: 1, height: -.infinity),
    Rect(x: 0, y: 0, width: .nan, height: 1), Rect(x: 1e308, y: 0, width: 1e308, height: 1),
    Rect(x: 1e308, y: 1e308, width: 1, height: 1), Rect(x: -1e308, y: -1e308, width: 1, height: 1),
  ])
  func firstInvalidFrameIsReported(_ unsound: Rect) throws {
    var frames = Array(repeating: Rect(x: 0, y: 0, width: 1, height: 1), count: 40)
    frames[23] = unsound
    frames[31] = unsound
    let index = Indexed(frames)
    #expect(index.firstInvalidRow == 23)
    frames[23] = frames[0]
    index.update(frames, unchanged: 23)
    #expect(index.firstInvalidRow == 31)
    frames[31] = frames[0]
    index.update(frames, unchanged: 31)
    #expect(index.firstInvalidRow == nil)
    index.check([frames[0]], "valid again")
  }

  /// Any row order and place, at sizes around node boundaries.
  @Test(arguments: Layout.allCases, [1, 255, 256, 257, 272, 400, 4096, 4111, 9000])
  func anyOrderOfRowsIsFound(_ layout: Layout, _ count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let frames = layout.frames(count, &random)
    let index = Indexed(frames)
    #expect(index.firstInvalidRow == nil)
    let reach = frames.map { max($0.x.magnitude, $0.maxX.magnitude) }.max() ?? 1
    index.check(
      random.queries(of: frames, within: min(reach, 1e300)) + [Self.everything],
      "\(layout), \(count)")
    index.lookInVain()
    index.check(
      random.queries(of: frames, within: min(reach, 1e300)) + [Self.everything],
      "\(layout), \(count), sorted")
  }

  enum Layout: CaseIterable {
    case lines, column, scattered, outliers, mixed, samePlace, noArea, tiny
    case scatteredFarAway, beyondSinglePrecision

    func frames(_ count: Int, _ random: inout SeededGenerator) -> [Rect] {
      let side = Double(count).squareRoot() * 60
      func scattered(_ random: inout SeededGenerator) -> Rect {
        Rect(
          x: .random(in: 0...side, using: &random), y: .random(in: 0...side, using: &random),
          width: 50, height: .random(in: 10...50, using: &random))
      }
      return (0..<count).map { row in
        let cell = Rect(x: Double(row % 7) * 60, y: Double(row / 7) * 60, width: 50, height: 50)
        switch self {
        case .lines: return cell
        case .column: return Rect(x: 0, y: Double(row) * 44, width: 375, height: 44)
        case .scattered: return scattered(&random)
        case .outliers:
          guard row % 1000 == 999 else { return scattered(&random) }
          return Rect(x: -1e12, y: 1e12, width: 1e11, height: 1)
        case .mixed: return row < count / 2 ? cell : scattered(&random)
        case .samePlace: return Rect(x: -5, y: 5, width: 10, height: 10)
        case .noArea:
          return Rect(
            x: cell.x, y: cell.y, width: row % 2 == 0 ? 0 : 50, height: row % 3 == 0 ? 0 : 9)
        case .tiny:
          let place = scattered(&random)
          return Rect(x: place.x * 1e-300, y: -place.y * 1e-300, width: 1e-299, height: 1e-299)
        case .scatteredFarAway:
          let place = scattered(&random)
          return Rect(x: 1e9 + place.x, y: -1e9 - place.y, width: 50, height: 50)
        case .beyondSinglePrecision:
          return Rect(x: (cell.x - 200) * 1e298, y: cell.y * 1e297, width: 5e299, height: 5e298)
        }
      }
    }
  }

  @Test(arguments: 1...40) func changedRowsAreFound(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let layouts: [Layout] = [.lines, .scattered, .mixed, .noArea, .outliers]
    let layout = layouts[Int(seed) % layouts.count]
    var frames = layout.frames(Int.random(in: 0...9000, using: &random), &random)
    let index = Indexed(frames)
    index.lookInVain()
    for step in 0..<12 {
      let unchanged = Int.random(in: frames.count / 2...frames.count, using: &random)
      let count =
        step % 3 == 0
        ? frames.count + 1
        : Int.random(in: unchanged...max(unchanged, frames.count * 5 / 4 + 20), using: &random)
      let source = layouts[Int.random(in: 0..<layouts.count, using: &random)]
      let changed = source.frames(count, &random)
      frames = Array(frames[..<min(unchanged, count)]) + changed[min(unchanged, count)...]
      index.update(frames, unchanged: unchanged)
      index.check(
        random.queries(of: frames, within: 6000) + [Self.everything],
        "seed \(seed), step \(step), \(unchanged) of \(count)")
    }
  }

  private static let everything = Rect(x: -2e9, y: -2e9, width: 4e9, height: 4e9)
}

private final class Indexed {
  private let index = RectIndex()
  private var frames: [Rect] = []

  init(_ frames: [Rect]) { update(frames, unchanged: 0) }

  var firstInvalidRow: Int? { index.firstInvalidRow }

  func update(_ frames: [Rect], unchanged: Int) {
    self.frames = frames
    withFrames {
      index.update($0, count: frames.count, changed: [min(unchanged, frames.count)..<frames.count])
    }
  }

  /// Empty queries, until scattered rows are sorted.
  func lookInVain() {
    for frame in frames.prefix(100) {
      _ = rows(in: Rect(x: frame.midX, y: frame.midY, width: 1e-3, height: 1e-3))
    }
  }

  func rows(in rect: Rect) -> [Int] {
    let found = Scratch<Range<Int>>()
    withFrames { index.query(rect, $0, into: found) }
    let hits = Array(found.buffer)
    for (hit, next) in zip(hits, hits.dropFirst()) { #expect(hit.upperBound <= next.lowerBound) }
    return hits.flatMap { $0 }
  }

  func check(_ queries: [Rect], _ note: @autoclosure () -> String) {
    for query in queries {
      let (found, expected) = (rows(in: query), FrameScan.rows(of: frames, in: query))
      #expect(found == expected, "\(note()), \(query)")
    }
  }

  /// An empty list may have a null address.
  private func withFrames(_ body: (UnsafePointer<Rect>) -> Void) {
    guard !frames.isEmpty else { return withUnsafePointer(to: .zero) { body($0) } }
    frames.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}

extension RandomNumberGenerator {
  fileprivate mutating func frame(within reach: Double) -> Rect {
    func length() -> Double {
      let limit = [0, reach / 100, reach / 10, 2 * reach][Int.random(in: 0..<4, using: &self)]
      return limit > 0 ? Double.random(in: 0...limit, using: &self) : 0
    }
    return Rect(
      x: Double.random(in: -reach...reach, using: &self),
      y: Double.random(in: -reach...reach, using: &self), width: length(), height: length())
  }

  fileprivate mutating func queries(of frames: [Rect], within reach: Double) -> [Rect] {
    let some = (0..<min(8, frames.count)).map { _ in
      frames[Int.random(in: frames.indices, using: &self)]
    }
    return (0..<20).map { _ in frame(within: reach * 1.2) }
      + some.flatMap { frame in
        [
          frame, Rect(x: frame.x - 1, y: frame.y, width: 1, height: 1),
          Rect(x: frame.x + frame.width, y: frame.y, width: 1, height: 1),
          Rect(x: frame.x, y: frame.y - 1, width: 1, height: 1),
          Rect(x: frame.x, y: frame.y + frame.height, width: 1, height: 1),
          Rect(x: frame.x - 100, y: frame.y - 90, width: 300, height: 250),
        ]
      }
  }
}
