import TesseraHost
import TestSupport
import Testing

/// Drop targets in table and flow: a cell makes room once its middle is passed.
@Suite struct TargetTests {
  private func target(
    _ session: Session, _ section: Int, _ item: Int, _ x: Double, _ y: Double
  ) throws -> [Int] {
    let found = try session.reorderingTarget(
      for: ItemPath(section: section, item: item), at: Point(x: x, y: y))
    return [found.section, found.item]
  }

  /// Rows from 0 to 20, 120 and 140: the middle of the second is at 70.
  @Test func rowsMakeRoomAtTheirMiddle() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setParameter("sectionHeaderHeight", to: .number(0))
    try session.setSections([3])
    try session.setItemValues("height", .numbers([20, 100, 20]))
    #expect(try target(session, 0, 0, 10, 40) == [0, 0])
    #expect(try target(session, 0, 0, 10, 69) == [0, 0])
    #expect(try target(session, 0, 0, 10, 71) == [0, 1])
    #expect(try target(session, 0, 0, 10, 135) == [0, 2])
    #expect(try target(session, 0, 2, 10, 71) == [0, 2])
    #expect(try target(session, 0, 2, 10, 69) == [0, 1])
    #expect(try target(session, 0, 2, 10, 5) == [0, 0])
    #expect(try target(session, 0, 1, 10, 71) == [0, 1])
  }

  /// Section 2 is empty.
  ///
  /// Headers of 28 lie at 0, 72 and 100, rows of 44 at 28, 128 and 172.
  @Test func rowsGoToOtherSections() throws {
    let session = try ShippedEngines.session("org.tessera.table")
    try session.setSections([1, 0, 2])
    #expect(try target(session, 0, 0, 10, 86) == [1, 0])
    #expect(try target(session, 0, 0, 10, 149) == [2, 0])
    #expect(try target(session, 0, 0, 10, 151) == [2, 1])
    #expect(try target(session, 0, 0, 10, 193) == [2, 1])
    #expect(try target(session, 0, 0, 10, 195) == [2, 2])
    #expect(try target(session, 0, 0, 10, 900) == [2, 2])
  }

  /// Three cells of 100 fill a line of 320: x is 0, 110 and 220.
  ///
  /// The middle of the second is 160, from the right when mirrored.
  @Test(arguments: LayoutDirection.allCases)
  func cellsMakeRoomAtTheirMiddle(_ direction: LayoutDirection) throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    session.bounds = Size(width: 320, height: 400)
    session.direction = direction
    try session.setParameter("itemSize", to: .size(Size(width: 100, height: 50)))
    try session.setSections([5])
    func target(_ item: Int, _ x: Double, _ y: Double) throws -> [Int] {
      try self.target(session, 0, item, direction == .leftToRight ? x : 320 - x, y)
    }
    #expect(try target(0, 130, 25) == [0, 0])
    #expect(try target(0, 159, 25) == [0, 0])
    #expect(try target(0, 161, 25) == [0, 1])
    #expect(try target(4, 159, 25) == [0, 1])
    #expect(try target(4, 161, 25) == [0, 2])
    #expect(try target(0, 40, 85) == [0, 2])
    #expect(try target(0, 60, 85) == [0, 3])
  }
}
