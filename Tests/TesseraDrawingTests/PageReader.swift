import Foundation
import Testing

/// A strict reader of web pages: body as markup, data as JSON.
struct PageReader {
  let body: MarkupReader
  /// JSON has no infinities.
  let data: [String: Any]

  init(_ page: String) throws {
    let head = "<!doctype html>\n<html lang=\"en\">\n<head>\n"
    var rest = try #require(page.hasPrefix(head) ? page[...] : nil)
    func take(from start: String, to end: String) throws -> Substring {
      let opening = try #require(rest.range(of: start), "\(start)")
      let closing = try #require(
        rest.range(of: end, range: opening.upperBound..<rest.endIndex), "\(end)")
      defer { rest = rest[closing.lowerBound...] }
      return rest[opening.upperBound..<closing.lowerBound]
    }
    _ = try take(from: "<style>\n", to: "</style>\n</head>\n<body>\n")
    let markup = try take(
      from: "<body>\n", to: "<script type=\"application/json\" id=\"layout\">\n")
    let inputs = markup.replacing(/<input [^>]*/) { "\($0.output)/" }
    body = try MarkupReader("<body>\n\(inputs)</body>")
    let json = try take(from: "id=\"layout\">\n", to: "\n</script>\n<script>\n")
    data = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    _ = try take(from: "<script>\n", to: "</script>\n</body>\n</html>\n")
    try #require(rest == "</script>\n</body>\n</html>\n")
  }

  var rows: [[Any]] {
    get throws { try #require(data["elements"] as? [[Any]]) }
  }
}
