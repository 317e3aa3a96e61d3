import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

/// A session of a page and its last input.
final class PlayedLayout {
  let name: String
  let session: Session
  /// The session's scenario, without the scroll offset.
  private var adopted: Scenario?
  /// A new library file, as last seen; nil while current.
  private var replacement: (size: Int, time: Int)?

  init(_ engine: Engine, name: String = "") throws(HostError) {
    self.name = name
    session = try Session(engine)
  }

  /// Updates the session's scenario if it differs.
  ///
  /// - Returns: Notes about the scenario.
  func adopt(_ scenario: Scenario) throws(HostError) -> [String] {
    var still = scenario
    still.offset = nil
    if let adopted, adopted == still {
      session.offset = scenario.offset ?? .zero
      return []
    }
    let before = adopted ?? still
    let isLess =
      Set(before.parameters.keys) != Set(still.parameters.keys)
      || Set(before.lists.keys) != Set(still.lists.keys) || before.delegate != still.delegate
      || before.measure != still.measure
    adopted = nil
    let notes = try SessionDriver(session).fill(from: scenario, resetting: isLess)
    adopted = still
    return notes
  }

  /// The file was replaced and is complete: two looks in a row see the same file.
  func isReplaced() -> Bool {
    guard (try? session.watchEngine().events.contains(.replaced)) == true else {
      replacement = nil
      return false
    }
    var file = stat()
    guard stat(session.engine.library, &file) == 0 else { return false }
    let seen = (Int(file.st_size), file.st_mtim.tv_sec * 1_000_000_000 + file.st_mtim.tv_nsec)
    defer { replacement = seen }
    return replacement.map { $0 == seen } ?? false
  }

  /// Keeps the old library if this fails.
  func reload() throws(HostError) -> [String] {
    adopted = nil
    return try session.reload()
  }
}

extension PlayedLayout {
  /// Elements in a rect: a JSON header, and columns of numbers in native byte order.
  ///
  /// The format is the header's length in four bytes, the header padded with spaces to a multiple
  /// of eight bytes, then the listed columns: `frame` (4 doubles per element), `transform` (16),
  /// `alpha` (1), `zIndex` and `hidden` (1 each, as doubles).
  func rows(in rect: Rect, warnings: [String]) throws(HostError) -> [UInt8] {
    let clock = ContinuousClock()
    let start = clock.now
    let contentSize = try session.contentSize()
    let prepared = clock.now
    let elements = try session.elements(in: rect)
    let queried = clock.now
    var kinds: [(category: String, name: String)] = []
    var runs: [JSON] = []
    var run: (kind: Int, section: Int, first: Int, count: Int)?
    func close() {
      guard let run else { return }
      runs.append(.list([run.kind, run.section, run.first, run.count].map(JSON.integer)))
    }
    for place in elements.indices {
      let identity = elements.identity(at: place)
      let pair = (identity.category.name, identity.kind ?? identity.category.name)
      let kind = kinds.firstIndex { $0 == pair } ?? kinds.count
      if kind == kinds.count { kinds.append(pair) }
      if let last = run, last.kind == kind, last.section == identity.section,
        last.first + last.count == identity.item
      {
        run?.count += 1
      } else {
        close()
        run = (kind, identity.section, identity.item, 1)
      }
    }
    close()

    var columns = ["frame"]
    var numbers: [Double] = []
    numbers.reserveCapacity(elements.count * 6)
    elements.withFrames { frames in
      for index in frames.indices {
        let frame = frames[index]
        numbers += [frame.x, frame.y, frame.width, frame.height]
      }
    }
    elements.withTransforms { transforms in
      guard transforms.count > 0 else { return }
      columns.append("transform")
      for index in transforms.indices { numbers += transforms[index].elements }
    }
    elements.withAlphas { alphas in
      guard alphas.count > 0 else { return }
      columns.append("alpha")
      for index in alphas.indices { numbers.append(alphas[index]) }
    }
    elements.withZIndexes { indexes in
      guard indexes.count > 0 else { return }
      columns.append("zIndex")
      for index in indexes.indices { numbers.append(Double(indexes[index])) }
    }
    elements.withHidden { hidden in
      guard hidden.count > 0 else { return }
      columns.append("hidden")
      for index in hidden.indices { numbers.append(Double(hidden[index])) }
    }
    let attributes = elements.attributes
    let header = JSON.object([
      ("contentSize", .list([.number(contentSize.width), .number(contentSize.height)])),
      ("count", .integer(elements.count)),
      ("kinds", .list(kinds.map { .list([.text($0.category), .text($0.name)]) })),
      ("runs", .list(runs)), ("columns", .list(columns.map(JSON.text))),
      ("attributes", .list(attributes.map { .text($0.name) })),
      (
        "values",
        attributes.isEmpty
          ? .list([])
          : .list(
            elements.indices.map { place in
              .list(
                attributes.indices.map { .text(elements.attribute($0, at: place).description) })
            })
      ),
      ("prepare", .number((prepared - start).milliseconds)),
      ("query", .number((queried - prepared).milliseconds)),
      ("warnings", .list((warnings + session.warnings).map(JSON.text))),
    ]).line
    var bytes = Array(header.utf8)
    while (bytes.count + 4) % 8 != 0 { bytes.append(UInt8(ascii: " ")) }
    let length = withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) }
    return length + bytes + numbers.withUnsafeBytes { Array($0) }
  }
}

extension Duration {
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
  }
}
