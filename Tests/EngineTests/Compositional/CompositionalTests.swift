import TesseraHost
import TestSupport
import Testing

typealias Node = CompositionalRules.Node

@Suite struct CompositionalTests {
  static let id = "org.tessera.compositional"

  private func cells(_ count: Int, _ nodes: [Node]) throws -> [[Double]] {
    let session = try ShippedEngines.session(Self.id)
    try CompositionalRules(nodes: nodes, sections: [.init(count: count)]).apply(to: session)
    return try session.elements().filter { $0.identity.category == .cell }.map {
      [$0.frame.x, $0.frame.y, $0.frame.width, $0.frame.height]
    }
  }

  /// The next section pushes the header off: 85 - 30.
  @Test(arguments: [(-10.0, 0.0), (20, 20), (70, 55)])
  func backgroundsLieBehindAndPinnedHeadersInFront(_ offset: Double, _ y: Double) throws {
    var rules = CompositionalRules(
      nodes: [Node(kind: "horizontal", heightIs: "absolute", height: 55), Node(parent: 0)],
      sections: [
        .init(
          count: 1, headerReferenceSize: Size(width: 9, height: 30), headerPins: true,
          background: true), .init(count: 1),
      ])
    rules.offset.y = offset
    let session = try ShippedEngines.session(Self.id)
    try rules.apply(to: session)
    let zIndexes = try session.elements().map { ($0.identity.kind, $0.zIndex) }
    for (kind, zIndex) in zIndexes {
      #expect(zIndex == (kind == "header" ? 1024 : kind == "background" ? -1 : 0))
    }
    let header = try session.elements(in: Rect(x: 0, y: y, width: 1, height: 1))
      .first { $0.identity.kind == "header" }
    #expect(header?.frame.y == y)
  }

  @Test(arguments: 1...120) func randomNodesArePlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = try ShippedEngines.session(Self.id)
    for _ in 0..<3 {
      let rules = Self.random(using: &random)
      try check(rules, session)
    }
  }

  /// Huge coordinates are rejected; huge counts are not.
  @Test func greatNumbers() throws {
    let many = [
      Node(kind: "horizontal", heightIs: "absolute", height: 40, count: .max),
      Node(parent: 0, contentInsets: Insets(left: 1)),
    ]
    let share = 400 / Double(Int.max)
    let starts: [Double] = [1, 1 + share, 1 + 2 * share]
    #expect(try cells(3, many).map { $0[0] } == starts)
    let tiny = [
      Node(kind: "horizontal", widthIs: "absolute", width: 1e300, isSpacingFlexible: true),
      Node(parent: 0, widthIs: "absolute", width: 2e-6),
    ]
    #expect(try cells(2, tiny).map { $0[0] } == [0, 2e-6])
    let pair = [tiny[0], Node(parent: 0, widthIs: "absolute", width: 0), tiny[1]]
    #expect(try cells(4, pair).map { $0[0] } == [0, 0, 2e-6, 2e-6])
    let chain =
      (0..<100_000).map { Node(kind: $0 % 2 == 0 ? "vertical" : "horizontal", parent: $0 - 1) }
      + [Node(parent: 99_999)]
    #expect(try cells(2, chain) == [[0, 0, 400, 300], [0, 300, 400, 300]])
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let nodes: [Node]
    var group = 0
    let message: String
    var testDescription: String { message }
  }

  private static let root = Node(kind: "horizontal", heightIs: "absolute", height: 40)

  static let faults = [
    Fault(
      nodes: [
        root, Node(parent: 0), Node(kind: "vertical", parent: 3), Node(kind: "vertical", parent: 2),
      ],
      message:
        "nodes record 2 is its own ancestor; its parents must lead to a record whose parent is -1"),
    Fault(
      nodes: [root, Node(parent: 2)],
      message: "parent of nodes record 1 is 2; it must be -1 or the place of a record, at most 1"),
    Fault(
      nodes: [root, Node(parent: 0), Node()],
      message:
        "nodes record 2 is an item without a parent; its parent must be a horizontal or vertical group"
    ),
    Fault(
      nodes: [root, Node(kind: "separator", parent: 0)],
      message:
        "nodes record 0 is a horizontal group without children; it must be the parent of another record"
    ),
    Fault(
      nodes: [
        root, Node(parent: 0),
        Node(kind: "badge", parent: 1, width: 1e300, fractionalOffset: Point(x: 1e300, y: 0)),
      ],
      message:
        "nodes record 2 would reach further than numbers do; give smaller sizes and spacings"),
    Fault(
      nodes: [root, Node(kind: "vertical", parent: 0), Node(parent: 1)], group: 1,
      message:
        "group of section 0 is 1; it must be the place of a nodes record that is a group and whose parent "
        + "is -1: 0"),
  ]

  @Test(arguments: faults) func invalidNodesAreRefused(_ fault: Fault) throws {
    let session = try ShippedEngines.session(Self.id)
    let rules = CompositionalRules(
      nodes: fault.nodes, sections: [.init(count: 1, group: fault.group)])
    try rules.apply(to: session)
    #expect {
      try session.elements()
    } throws: {
      ($0 as? HostError)?.message.hasSuffix(fault.message) == true
    }
  }

  static func random(using random: inout SeededGenerator) -> CompositionalRules {
    func pick<Element>(_ all: [Element]) -> Element { all.randomElement(using: &random)! }
    func number(_ range: ClosedRange<Int>) -> Double {
      Double(Int.random(in: range, using: &random))
    }
    func insets(_ most: Int) -> Insets {
      Bool.random(using: &random)
        ? .zero
        : Insets(
          top: number(0...most), left: number(0...most), bottom: number(0...most),
          right: number(0...most))
    }
    var rules = CompositionalRules()
    rules.bounds = Size(width: number(0...3) * 150 + 20, height: number(1...3) * 140)
    rules.contentInsets = insets(20)
    rules.offset = Point(x: number(-20...300), y: number(-20...300))
    rules.isHorizontal = Int.random(in: 0..<3, using: &random) == 0
    let dimensions = ["fractionalWidth", "fractionalHeight", "absolute", "estimated"]
    func size(_ node: inout Node) {
      (node.widthIs, node.heightIs) = (pick(dimensions), pick(dimensions))
      func length(_ dimension: String) -> Double {
        dimension.hasPrefix("f") ? pick([0.25, 1.0 / 3, 0.5, 0.7, 1]) : number(12...140)
      }
      (node.width, node.height) = (length(node.widthIs), length(node.heightIs))
      node.contentInsets = insets(6)
      if Int.random(in: 0..<3, using: &random) == 0 { node.edgeSpacing = insets(7) }
    }
    func attach(to parent: Int) {
      for _ in 0..<pick([0, 0, 0, 1, 2]) {
        let kinds = ["badge", "separator", "boundary"]
        var node = Node(
          kind: pick(rules.nodes[parent].parent == -1 ? kinds : ["badge", "separator"]),
          parent: parent)
        size(&node)
        node.edgeSpacing = .zero
        node.alignment = pick([
          "top", "topLeading", "leading", "bottomLeading", "bottom", "bottomTrailing", "trailing",
          "topTrailing", "none",
        ])
        if Bool.random(using: &random) {
          node.absoluteOffset = Point(x: number(-40...40), y: number(-40...40))
          node.fractionalOffset = Point(x: pick([0, 0.3, -1]), y: pick([0, -0.5, 1]))
        }
        node.extendsBoundary = Bool.random(using: &random)
        node.pinToVisibleBounds = Bool.random(using: &random)
        node.zIndex = Int.random(in: -3...3, using: &random)
        rules.nodes.append(node)
      }
    }
    func add(_ parent: Int, _ depth: Int) {
      var node = Node(kind: pick(["horizontal", "vertical"]), parent: parent)
      if depth > 0, Int.random(in: 0..<3, using: &random) > 0 { node.kind = "item" }
      size(&node)
      let place = rules.nodes.count
      guard node.kind != "item" else {
        rules.nodes.append(node)
        return attach(to: place)
      }
      node.count = pick([0, 0, 1, 2, 3])
      node.spacing = number(0...12)
      node.isSpacingFlexible = Bool.random(using: &random)
      rules.nodes.append(node)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if depth < 3 {
          add(place, depth + 1)
        } else {
          var item = Node(parent: place)
          size(&item)
          rules.nodes.append(item)
          attach(to: rules.nodes.count - 1)
        }
      }
      attach(to: place)
    }
    var roots: [Int] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      roots.append(rules.nodes.count)
      add(-1, 0)
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      rules.sections.append(
        .init(
          count: Int.random(in: 0...30, using: &random),
          group: roots.randomElement(using: &random) ?? 0,
          interGroupSpacing: number(0...9), contentInsets: insets(15),
          headerReferenceSize: pick([.zero, Size(width: 20, height: 30)]),
          footerReferenceSize: pick([.zero, Size(width: 11, height: 14)]),
          headerPins: Bool.random(using: &random), background: Bool.random(using: &random),
          backgroundInsets: insets(8),
          orthogonal: pick([
            "none", "none", "continuous", "paging", "continuousGroupLeadingBoundary", "groupPaging",
            "groupPagingCentered",
          ]),
          orthogonalOffset: number(-50...500)))
    }
    return rules
  }
}
