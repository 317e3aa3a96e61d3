import Foundation
import TestSupport
import Testing

/// What the command answers in JSON, as far as tests look at it.
struct Answer: Decodable, Equatable {
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
    self = try JSONDecoder().decode(Answer.self, from: Data(json.utf8))
  }

  /// The frames of all elements.
  var frames: [[Double]] { elements.map(\.frame) }
}

extension ProgramResult {
  /// The answer in JSON of a run that went well and said nothing else.
  func answer(at location: SourceLocation = #_sourceLocation) throws -> Answer {
    try #require(status == 0, "\(errors)", sourceLocation: location)
    #expect(errors.isEmpty, sourceLocation: location)
    return try Answer(output)
  }
}
