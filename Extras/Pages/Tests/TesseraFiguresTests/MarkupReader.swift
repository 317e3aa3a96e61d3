import Foundation
import FoundationXML

struct MarkupReader {
  struct Node {
    let name: String
    let attributes: [String: String]
    /// Enclosing elements from the outermost.
    let path: [String]
    var text = ""

    /// Numbers separated by spaces or commas.
    func numbers(_ name: String) -> [Double] {
      (attributes[name] ?? "").split { $0 == " " || $0 == "," }.map { Double($0) ?? .nan }
    }

    var frame: [Double] { ["x", "y", "width", "height"].flatMap(numbers) }
  }

  let nodes: [Node]

  init(_ text: String) throws {
    let (parser, reading) = (XMLParser(data: Data(text.utf8)), Reading())
    parser.delegate = reading
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    nodes = reading.nodes
  }

  func all(_ name: String, class: String? = nil) -> [Node] {
    nodes.filter { $0.name == name && (`class` == nil || $0.attributes["class"] == `class`) }
  }

  private final class Reading: NSObject, XMLParserDelegate {
    var nodes: [Node] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      nodes.append(Node(name: name, attributes: attributes, path: open.map { nodes[$0].name }))
      open.append(nodes.count - 1)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      nodes[open[open.count - 1]].text += text
    }
  }
}
