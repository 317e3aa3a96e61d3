import Foundation

/// What the command answers in JSON, as far as it says where cells are.
struct HonestLayout: Decodable, Equatable {
  struct Cell: Decodable, Equatable {
    var section: Int
    var item: Int
    var frame: [Double]
  }

  var contentSize: [Double]
  var elements: [Cell]

  /// Rows 50 points high in a viewport 375 wide.
  static func of(_ items: [Int]) -> HonestLayout {
    HonestLayout(
      contentSize: [375, 300],
      elements: items.map { Cell(section: 0, item: $0, frame: [0, 50 * Double($0), 375, 50]) })
  }
}

extension HonestLayout {
  init(json: String) throws {
    self = try JSONDecoder().decode(HonestLayout.self, from: Data(json.utf8))
  }
}
