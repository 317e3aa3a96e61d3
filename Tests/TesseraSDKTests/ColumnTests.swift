import CTessera
import Testing

@testable import TesseraSDK

@Suite struct ColumnTests {
  @Test func aConstantServesAnyNumber() {
    withUnsafePointer(to: 7.5) { value in
      let column = Column<Double>(tessera_column(data: value, stride: 0), count: 1_000_000)
      #expect(column.count == 1_000_000)
      #expect(column.constant == 7.5)
      #expect(column[0] == 7.5 && column[999_999] == 7.5)
      #expect(column[5..<8].constant == 7.5 && column[5..<8].count == 3)
    }
  }

  @Test func valuesWithStrideBetween() {
    // The y of points: stride 16.
    let points = (0..<4).map { Point(x: -1, y: Double($0)) }
    points.withUnsafeBytes { bytes in
      let column = Column<Double>(
        tessera_column(data: bytes.baseAddress.map { $0 + 8 }, stride: 16), count: 4)
      #expect((0..<4).map { column[$0] } == [0, 1, 2, 3])
      #expect(column.withSpan { $0.count } == nil)
    }
  }
}
