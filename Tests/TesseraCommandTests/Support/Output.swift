import Foundation
import TestSupport
import Testing

/// The JSON of a layout, as far as tests read it.
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

  /// The frames of all elements.
  var frames: [[Double]] { elements.map(\.frame) }
}

extension ProgramResult {
  /// The layout in the JSON output of a run without errors.
  func layout(at location: SourceLocation = #_sourceLocation) throws -> LayoutOutput {
    try #require(status == 0, "\(errors)", sourceLocation: location)
    #expect(errors.isEmpty, sourceLocation: location)
    return try LayoutOutput(output)
  }
}

/// The JSON of an animation, as far as tests read it.
struct AnimationOutput: Decodable {
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

  /// The animation in the JSON output of a run without errors.
  init(_ result: ProgramResult, at location: SourceLocation = #_sourceLocation) throws {
    try #require(result.status == 0, "\(result.errors)", sourceLocation: location)
    #expect(result.errors.isEmpty, sourceLocation: location)
    self = try JSONDecoder().decode(AnimationOutput.self, from: Data(result.output.utf8))
  }
}
