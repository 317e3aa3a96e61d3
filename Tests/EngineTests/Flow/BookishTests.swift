import TesseraGeometry
import TesseraHost
import Testing

/// Cells three to a row, at least a point apart, the gap between cells equal to that between lines.
@Suite struct BookishTests {
  @Test(arguments: [320.0, 375, 390, 414])
  func gapBetweenCellsEqualsGapBetweenLines(_ width: Double) throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    session.bounds = Size(width: width, height: 667)
    let spare = (width - 2).truncatingRemainder(dividingBy: 3)
    let cell = Size(width: ((width - 2) / 3).rounded(.down), height: 90)
    try session.setParameter("itemSize", to: .size(cell))
    try session.setParameter("minimumInteritemSpacing", to: .number(1))
    try session.setParameter("minimumLineSpacing", to: .number(1 + spare / 2))
    try session.setSections([10])
    let frames = try session.elements().map(\.frame)
    let gap = 1 + spare / 2
    for (item, frame) in frames.enumerated() {
      #expect(frame.size == cell)
      // Origins are rounded to half a point at scale 2; the gaps of these widths are whole halves.
      #expect(frame.x == Double(item % 3) * (cell.width + gap))
      #expect(frame.y == Double(item / 3) * (90 + gap))
    }
    #expect(frames[2].maxX == width)
  }

  @Test(arguments: [1.0, 2, 3])
  func threeColumnsThatFillTheWidthInDoublesStayThree(_ scale: Double) throws {
    let width = (390.0 - 2 * 5) / 3
    // What makes the example one: added up in order, the doubles come to more than there is.
    #expect(width + 5 + width + 5 + width > 390)
    #expect(try lines(ofItemsWide: width, scale: scale) == [0, 0, 0, 20, 20, 20, 40, 40, 40])
  }

  @Test func aLineMayBeTooLongByAMillionthOfAPointAndNoMore() throws {
    let width = (390.0 - 2 * 5) / 3
    #expect(try lines(ofItemsWide: width + 3e-7) == [0, 0, 0, 20, 20, 20, 40, 40, 40])
    #expect(try lines(ofItemsWide: width + 4e-7) == [0, 0, 20, 20, 40, 40, 60, 60, 80])
  }

  /// The y of nine items in 390 points, five apart.
  private func lines(ofItemsWide width: Double, scale: Double = 2) throws -> [Double] {
    let session = try ShippedEngines.session("org.tessera.flow")
    session.bounds = Size(width: 390, height: 667)
    session.scale = scale
    try session.setParameter("itemSize", to: .size(Size(width: width, height: 10)))
    try session.setParameter("minimumInteritemSpacing", to: .number(5))
    try session.setSections([9])
    return try session.elements().map(\.frame.y)
  }
}
