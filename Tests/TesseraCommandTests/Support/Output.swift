import Foundation
import TestSupport
import Testing

struct LayoutOutput: Decodable, Equatable {
  struct Element: Decodable, Equatable {
    var category: String
    var kind: String?
    var section: Int
    var item: Int
    var frame: [Double]
    var zIndex: Int?
  }

  var engine: String
  var contentSize: [Double]
  var elements: [Element]

  init(_ json: String) throws {
    self = try JSONDecoder().decode(LayoutOutput.self, from: Data(json.utf8))
  }

  var frames: [[Double]] { elements.map(\.frame) }
}

extension ProgramResult {
  func layout(at location: SourceLocation = #_sourceLocation) throws -> LayoutOutput {
    try #require(status == 0, "\(errors)", sourceLocation: location)
    #expect(errors.isEmpty, sourceLocation: location)
    return try LayoutOutput(output)
  }
}
