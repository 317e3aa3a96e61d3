import Foundation
import TestSupport
import Testing

/// What the command answers in JSON for an animation, as far as tests look at it.
struct AnimationAnswer: Decodable {
  struct Identity: Decodable, Equatable {
    var category: String
    var kind: String?
    var section: Int
    var item: Int
  }

  struct State: Decodable {
    var frame: [Double]
    var alpha: Double?
  }

  struct Track: Decodable {
    var before: Identity?
    var after: Identity?
    var from: State
    var to: State
  }

  var engine: String?
  var from: String?
  var to: String?
  var contentSizeBefore: [Double]
  var contentSizeAfter: [Double]
  var offsetAfter: [Double]
  var tracks: [Track]

  /// The answer of a run that went well and said nothing else.
  init(_ result: ProgramResult, at location: SourceLocation = #_sourceLocation) throws {
    try #require(result.status == 0, "\(result.errors)", sourceLocation: location)
    #expect(result.errors.isEmpty, sourceLocation: location)
    self = try JSONDecoder().decode(AnimationAnswer.self, from: Data(result.output.utf8))
  }
}
