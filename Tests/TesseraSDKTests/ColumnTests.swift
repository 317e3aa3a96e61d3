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

  @Test func contiguousValues() {
    let sizes = (0..<5).map { Size(width: Double($0), height: 1) }
    sizes.withUnsafeBufferPointer { sizes in
      let column = Column<Size>(tessera_column(data: sizes.baseAddress, stride: 16), count: 5)
      #expect(column.constant == nil)
      #expect((0..<5).map { column[$0].width } == [0, 1, 2, 3, 4])
      let slice = column[2..<4]
      #expect(slice.count == 2 && slice[0].width == 2 && slice[1].width == 3)
      let sum = slice.withSpan { span in span.indices.reduce(0.0) { $0 + span[$1].width } }
      #expect(sum == 5)
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

  @Test func flagsIntegersAndChoices() {
    let (flags, integers, choices): ([UInt8], [Int64], [Int32]) = ([0, 1], [-3, 9], [1, 0, 99])
    flags.withUnsafeBufferPointer {
      let column = Column<Bool>(tessera_column(data: $0.baseAddress, stride: 1), count: 2)
      #expect(!column[0] && column[1])
    }
    integers.withUnsafeBufferPointer {
      let column = Column<Int>(tessera_column(data: $0.baseAddress, stride: 8), count: 2)
      #expect(column[0] == -3 && column[1] == 9)
    }
    choices.withUnsafeBufferPointer {
      let column = Column<Side>(tessera_column(data: $0.baseAddress, stride: 4), count: 3)
      #expect(column[0] == .right && column[1] == .left)
      #expect(column[2] == .left)  // invalid
    }
  }

  @Test func noElements() {
    let column = Column<Size>(tessera_column(data: nil, stride: 16), count: 0)
    #expect(column.count == 0)
    #expect(column.constant == nil)
    #expect(column[0..<0].count == 0)
    #expect(column.withSpan { $0.count } == nil)
  }
}
