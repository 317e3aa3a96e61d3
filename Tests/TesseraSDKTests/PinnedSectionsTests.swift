import CTessera
import Testing

@testable import TesseraSDK

/// A section as the rule is stated for it, and the rule.
private struct Section {
  let headerStart, headerLength, footerStart, footerLength: Double

  func header(top: Double) -> Double {
    min(max(top, headerStart), footerStart - headerLength)
  }

  func footer(bottom: Double) -> Double {
    max(min(bottom - footerLength, footerStart), headerStart + headerLength)
  }
}

@Suite struct PinnedSectionsTests {
  private let host = FakeHost()
  private let header = Kind(.supplementary)
  private let footer = Kind(.supplementary)

  init() { footer.number = 1 }

  /// Sections one after the other: header length, room for items, footer length.
  private static let ordinary: [(Double, Double, Double)] = [
    (20, 100, 10), (0, 50, 0), (15, 0, 15), (30, 40, 0), (0, 70, 12), (25, 300, 25),
  ]
  /// Negative insets lead back.
  private static let strange: [(Double, Double, Double)] = [
    (20, -60, 10), (30, 100, 40), (10, -5, 0), (25, 200, -0), (40, -30, 5), (12, 90, 8),
  ]

  private static func sections(_ lengths: [(Double, Double, Double)]) -> [Section] {
    var start = 0.0
    return lengths.map { header, room, footer in
      let section = Section(
        headerStart: start, headerLength: header, footerStart: start + header + room,
        footerLength: footer)
      start = section.footerStart + footer
      return section
    }
  }

  /// What adjust puts where: section and kind, and the position along the axis.
  private func adjusted(
    _ pinned: inout PinnedSections, offset: Double, insets: Insets, rect: Rect, isHorizontal: Bool
  ) throws -> [[Int]: Double] {
    let output = FakeOutput()
    let size = Size(width: isHorizontal ? 90 : 50, height: isHorizontal ? 50 : 90)
    let input = FakeInput(
      bounds: size, contentInsets: insets,
      offset: Point(x: isHorizontal ? offset : 0, y: isHorizontal ? 0 : offset))
    let failure = input.pass { pointer -> LayoutFailure? in
      do throws(LayoutFailure) {
        try pinned.adjust(
          Input(pointer), rect: rect,
          into: Output(pointer: output.reference, host: host.reference))
        return nil
      } catch {
        return error
      }
    }
    try #require(failure == nil)
    var positions: [[Int]: Double] = [:]
    for index in output.runs.indices {
      let run = output.runs[index].run
      #expect(
        run.count == 1 && run.first_item == 0 && run.category == TESSERA_CATEGORY_SUPPLEMENTARY)
      let frame = try #require(output.frames(ofRun: index)?.first)
      positions[[Int(run.section), Int(run.kind)]] = isHorizontal ? frame.x : frame.y
    }
    #expect(positions.count == output.runs.count)
    return positions
  }

  @Test(arguments: [false, true], [false, true])
  func everyOffsetIsTheRule(isStrange: Bool, isHorizontal: Bool) throws {
    let sections = Self.sections(isStrange ? Self.strange : Self.ordinary)
    var pinned = PinnedSections(isHorizontal: isHorizontal, header: header, footer: footer)
    for section in sections {
      pinned.append(
        PinnedSections.Section(
          headerStart: section.headerStart, headerLength: section.headerLength,
          footerStart: section.footerStart, footerLength: section.footerLength))
    }
    let insets = Insets(top: 7, left: 5, bottom: 3, right: 4)
    let (leading, trailing) = isHorizontal ? (5.0, 4.0) : (7.0, 3.0)
    for offset in stride(from: -120.0, to: 820, by: 7) {
      let rect = Rect(
        x: isHorizontal ? offset : 0, y: isHorizontal ? 0 : offset, width: 90, height: 90)
      let found = try adjusted(
        &pinned, offset: offset, insets: insets, rect: rect, isHorizontal: isHorizontal)
      for (number, section) in sections.enumerated() {
        let elements = [
          (0, section.headerStart, section.headerLength, section.header(top: offset + leading)),
          (
            1, section.footerStart, section.footerLength,
            section.footer(bottom: offset + 90 - trailing)
          ),
        ]
        for (kind, natural, length, place) in elements {
          let position = found[[number, kind]]
          guard length > 0 else {
            #expect(position == nil)
            continue
          }
          let isAsked = [natural, place].contains {
            $0 <= offset + 90 && $0 + length >= offset
          }
          #expect(position == (isAsked ? place : nil), "offset \(offset), section \(number)")
        }
      }
    }
  }

  @Test func onlyWhatIsToStickSticks() throws {
    for (kind, number) in [(header, 0), (footer, 1)] {
      var pinned = PinnedSections(
        header: kind === header ? header : nil, footer: kind === footer ? footer : nil)
      pinned.append(
        PinnedSections.Section(headerStart: 0, headerLength: 10, footerStart: 60, footerLength: 5))
      let found = try adjusted(
        &pinned, offset: 0, insets: .zero, rect: Rect(x: 0, y: 0, width: 50, height: 90),
        isHorizontal: false)
      #expect(found.keys.map { $0 } == [[0, number]])
    }
  }

  @Test func noSectionsProduceAnEmptyLayout() throws {
    var pinned = PinnedSections(header: header, footer: footer)
    let found = try adjusted(
      &pinned, offset: 0, insets: .zero, rect: Rect(x: 0, y: 0, width: 9, height: 9),
      isHorizontal: false)
    #expect(found.isEmpty)
  }
}
