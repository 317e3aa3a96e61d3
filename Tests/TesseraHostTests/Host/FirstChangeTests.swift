import TesseraHost
import TestSupport
import Testing

@Suite struct FirstChangeTests {
  /// Oracle: a new session each time.
  @Test(arguments: [Isolation.none, .sandbox])
  func valuesOfAnyHistoryLayOutLikeNewOnes(isolation: Isolation) throws {
    func engine(_ isolation: Isolation) throws -> Engine {
      try Host(
        searchPath: SearchPath(folders: []), configuration: HostConfiguration(isolation: isolation)
      ).engine(BuiltProducts.engine("Flow").path)
    }
    let session = try Session(engine(isolation))
    let fresh = try engine(.none)
    var random = SeededGenerator(seed: 11)
    func size() -> Size {
      Size(width: .random(in: 20...90, using: &random), height: .random(in: 5...50, using: &random))
    }
    func place(_ end: Int) -> Int { .random(in: 0..<max(1, end), using: &random) }
    var last: [Size] = []
    for step in 0..<300 {
      var sizes = last
      switch place(4) {
      case 0: sizes += (0..<place(60)).map { _ in size() }
      case 1: sizes.removeLast(place(sizes.count / 3))
      case 2 where !sizes.isEmpty: sizes[place(sizes.count)] = size()
      default: break
      }
      let common = zip(last, sizes).prefix { $0 == $1 }.count
      let first = place(2) == 0 ? place(common + 1) : 0
      try session.setSections([sizes.count])
      if place(5) == 0, !sizes.isEmpty {
        var wrong = sizes
        wrong[place(sizes.count)].height = .nan
        #expect(throws: HostError.self) { try session.setItemValues("size", .sizes(wrong)) }
      }
      let hasValues = place(8) > 0
      if hasValues {
        try session.setItemValues("size", .sizes(Array(sizes[first...])), from: first)
        last = sizes
      }
      guard place(3) > 0 else { continue }
      if !hasValues { last = [] }
      if hasValues, sizes.count > 1, place(3) == 0 {
        try session.beginReordering(ItemPath(section: 0, item: place(sizes.count)))
        let target = try session.element(.cell(section: 0, item: place(sizes.count)))
        _ = try session.drag(to: target?.frame.origin ?? .zero)
        for case .move(let origin, let target) in try session.endReordering().operations {
          last.insert(last.remove(at: origin.item), at: target.item)
        }
      }
      let oracle = try Session(fresh)
      try oracle.setSections([sizes.count])
      if hasValues { try oracle.setItemValues("size", .sizes(last)) }
      #expect(try Array(session.elements()) == Array(oracle.elements()), "step \(step)")
    }
  }
}
