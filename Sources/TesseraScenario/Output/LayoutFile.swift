extension LayoutDocument {
  /// Reads output of `LayoutWriter` or a recording; throws `.notFound` or `.invalidInput`.
  ///
  /// A recording stands for its last queried elements and content size.
  public init(contentsOf path: String) throws(HostError) {
    let bytes = try path.inputBytes()
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    // A layout without elements, or the first line of several.
    let first = lines.first.flatMap { try? JSON(parsing: $0, name: path.inputName) }
    if lines.count > 1, case .object(let members)? = first,
      members.contains(where: { $0.name == "contentSize" }),
      !members.contains(where: { $0.name == "elements" })
    {
      let elements = try lines.enumerated().dropFirst().map { index, line throws(HostError) in
        try JSON(parsing: line, name: "line \(index + 1) of \(path.inputName)")
      }
      try self.init(.object(members + [("elements", .list(elements))]))
    } else if let first, first["contentSize"] == nil, first["elements"] == nil {
      try self.init(Recording(parsing: bytes, name: path.inputName), name: path.inputName)
    } else {
      try self.init(parsing: bytes, name: path.inputName)
    }
  }

  private init(_ recording: Recording, name: String) throws(HostError) {
    var size: JSON = .list([.null, .null])
    var elements: JSON?
    for entry in recording.entries {
      guard case .value(let answer) = entry.answer else { continue }
      switch entry.call {
      case .contentSize: size = answer
      case .elements, .visibleElements: elements = answer
      default: continue
      }
    }
    guard let elements else {
      throw HostError(
        .invalidRecording,
        "\(name) is a recording in which no elements are queried; expected a layout")
    }
    try self.init(
      .object([
        ("engine", .text(recording.header.engine)), ("contentSize", size), ("elements", elements),
      ]))
  }
}
