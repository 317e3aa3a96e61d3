extension SessionCall {
  private static let names = [
    "bounds", "offset", "contentInsets", "safeAreaInsets", "layoutMargins", "scale", "direction",
    "set", "reset", "sections", "values", "delegate", "measure", "contentSize", "elements",
    "visibleElements", "element", "snap", "call", "update", "close",
    "check",
  ]

  /// Reads a call from a line of a recording.
  ///
  /// Throws `.invalidInput` that names the key, what was found and what was expected.
  init(_ node: JSONNode) throws(HostError) {
    let name = try node.wanted("call", "the call's name").string()
    func check(_ keys: String...) throws(HostError) {
      let more = Self.questions.contains(name) ? ["answer", "error"] : ["error"]
      try node.checkKeys(["call"] + more + keys, of: "\(name)")
    }
    func value(_ type: ValueType) throws(HostError) -> [Double] {
      try check("value")
      return try node.wanted("value", "a \(type.name)").recordedValue(type).numbers
    }
    func insets() throws(HostError) -> Insets {
      let numbers = try value(.insets)
      return Insets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
    switch name {
    case "bounds":
      let numbers = try value(.size)
      self = .bounds(Size(width: numbers[0], height: numbers[1]))
    case "offset":
      let numbers = try value(.point)
      self = .offset(Point(x: numbers[0], y: numbers[1]))
    case "contentInsets": self = .contentInsets(try insets())
    case "safeAreaInsets": self = .safeAreaInsets(try insets())
    case "layoutMargins": self = .layoutMargins(try insets())
    case "scale": self = .scale(try value(.number)[0])
    case "direction":
      try check("value")
      let (known, node) = (LayoutDirection.allCases, try node.wanted("value", "a direction"))
      guard let direction = LayoutDirection(rawValue: try node.string()) else {
        throw node.expected(list(known.map(\.rawValue), "or"))
      }
      self = .direction(direction)
    case "set":
      try check("parameter", "type", "value")
      self = .parameter(
        try node.wanted("parameter", "a name").string(),
        try node.wanted("value", "a value").recordedValue(try node.valueType()))
    case "reset":
      try check("parameter")
      self = .parameter(try node.wanted("parameter", "a name").string(), nil)
    case "sections":
      try check("counts")
      self = .sections(try node.recordedCounts())
    case "values":
      try check("of", "name", "type", "value", "values", "runs")
      let of = try node.wanted("of", "section or item")
      let column = try node.recordedColumn(try node.valueType())
      let valueName = try node.wanted("name", "a name").string()
      switch try of.string() {
      case "section": self = .sectionValues(valueName, column)
      case "item": self = .itemValues(valueName, column)
      default: throw of.expected("section or item")
      }
    case "delegate":
      try check("function", "answers")
      self = .delegate(try node.wanted("function", "a name").string(), node["answers"]?.value)
    case "measure":
      try check("size")
      self = .measure(node["size"]?.value)
    case "contentSize":
      try check()
      self = .contentSize
    case "elements":
      try check("rect")
      self = .elements(
        in: try node["rect"].map { node throws(HostError) in
          let numbers = try node.numbers(ValueType.rect.components)
          return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        })
    case "visibleElements":
      try check()
      self = .visibleElements
    case "element":
      try check("category", "kind", "section", "item")
      self = .element(try node.identity())
    case "snap":
      try check("proposed", "velocity")
      func point(_ key: String) throws(HostError) -> Point {
        let numbers = try node.wanted(key, "x and y").numbers(["x", "y"])
        return Point(x: numbers[0], y: numbers[1])
      }
      self = .snap(try point("proposed"), velocity: try point("velocity"))
    case "call":
      try check("function", "arguments")
      var arguments: [String] = []
      for argument in try node.wanted("arguments", "a list").elements("a list of texts") {
        arguments.append(try argument.string())
      }
      self = .function(try node.wanted("function", "a name").string(), arguments)
    case "update":
      try check("operations", "counts", "changes")
      var operations: [UpdateOperation] = []
      for operation in try node.wanted("operations", "a list").elements("a list of operations") {
        operations.append(try operation.operation())
      }
      var changes: [SessionCall] = []
      for change in try node.wanted("changes", "a list").elements("a list of calls") {
        let call = try SessionCall(change)
        guard !call.isQuestion, call != .close else {
          throw HostError(.invalidInput, "\(change.path) sets nothing; expected what is set")
        }
        changes.append(call)
      }
      self = .update(operations, counts: try node.recordedCounts(), changes: changes)
    case "close":
      try check()
      self = .close
    case "check":
      try check("case", "level", "seed", "sample")
      self = .check(
        SuiteCall(
          id: try node.wanted("case", "a case's id").string(),
          level: try node.wanted("level", "a level").string(),
          seed: try node.wanted("seed", "digits").string(), sample: node["sample"]?.value))
    default:
      throw HostError(
        .invalidInput,
        "\(JSONNode.join(node.path, "call")) is \(quoted(name)), which is no call; "
          + hint(name, among: Self.names))
    }
  }

  private static let questions: Set<String> = [
    "contentSize", "elements", "visibleElements", "element", "snap", "call", "update", "check",
  ]
}

extension JSONNode {
  /// The named value, which must be there.
  func wanted(_ key: String, _ what: String) throws(HostError) -> JSONNode {
    guard let found = self[key] else { throw missing(key, what) }
    return found
  }

  fileprivate func valueType() throws(HostError) -> ValueType {
    let node = try wanted("type", "a type")
    let name = try node.string()
    guard let type = ValueType.allCases.first(where: { $0.name == name }) else {
      throw node.expected(list(ValueType.allCases.map(\.name), "or"))
    }
    return type
  }

  fileprivate func recordedCounts() throws(HostError) -> [Int] {
    var counts: [Int] = []
    for count in try wanted("counts", "a list").elements("a list of numbers") {
      counts.append(try count.count())
    }
    return counts
  }

  /// Who an element is.
  func identity() throws(HostError) -> ElementIdentity {
    let category = try wanted("category", "a category")
    let name = try category.string()
    guard let found = ElementCategory.allCases.first(where: { $0.name == name }) else {
      throw category.expected(list(ElementCategory.allCases.map(\.name), "or"))
    }
    return ElementIdentity(
      category: found, kind: try self["kind"].map { node throws(HostError) in try node.string() },
      section: try wanted("section", "a whole number").count(),
      item: try wanted("item", "a whole number").count())
  }
}
