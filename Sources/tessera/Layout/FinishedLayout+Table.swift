import TesseraHost
import TesseraScenario

extension FinishedLayout {
  /// How many rows a table shows on a terminal.
  private static var terminalRows: Int { 40 }

  /// Writes the elements as a table for a person; on a terminal only the first of them.
  func writeTable(to output: BufferedOutput, isOnTerminal: Bool) throws {
    try output.write(
      "\(subject.id)  content \(contentSize.width.readableText) × "
        + "\(contentSize.height.readableText)  \(elements.count) "
        + (elements.count == 1 ? "element" : "elements") + "\n")
    guard !elements.isEmpty else { return }
    try TextTable(tableColumns, rowCount: elements.count) { texts(of: elements[$0]) }
      .write(to: output, limit: isOnTerminal ? Self.terminalRows : .max)
    guard isOnTerminal && elements.count > Self.terminalRows else { return }
    try output.write(
      "… \(elements.count - Self.terminalRows) more; --format json prints all\n")
  }

  private var tableColumns: [TextTable.Column] {
    var columns = [TextTable.Column("ELEMENT")]
    columns += ["SECTION", "ITEM", "X", "Y", "WIDTH", "HEIGHT"].map { .init($0, isNumeric: true) }
    if self.columns.contains(.zIndex) { columns.append(.init("Z", isNumeric: true)) }
    if self.columns.contains(.alpha) { columns.append(.init("ALPHA", isNumeric: true)) }
    if self.columns.contains(.hidden) { columns.append(.init("HIDDEN")) }
    if self.columns.contains(.transform) { columns.append(.init("TRANSFORM")) }
    return columns + attributes.map { .init($0.name) }
  }

  private func texts(of element: Element) -> [String] {
    let identity = element.identity
    let frame = element.frame
    var texts = [
      identity.kind ?? identity.category.name, "\(identity.section)", "\(identity.item)",
    ]
    texts += [frame.x, frame.y, frame.width, frame.height].map(\.readableText)
    if columns.contains(.zIndex) { texts.append("\(element.zIndex)") }
    if columns.contains(.alpha) { texts.append(element.alpha.readableText) }
    if columns.contains(.hidden) { texts.append(element.isHidden ? "hidden" : "") }
    if columns.contains(.transform) {
      texts.append(element.transform == .identity ? "" : "transformed")
    }
    return texts + element.attributes.map(\.readableText)
  }
}

extension Value {
  /// The value for a person: numbers with at most three decimals.
  fileprivate var readableText: String {
    switch self {
    case .bool, .integer, .choice: description
    case .number, .point, .size, .rect, .insets:
      numbers.map(\.readableText).joined(separator: ",")
    }
  }
}
