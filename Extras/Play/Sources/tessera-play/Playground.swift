import Dispatch
import FoundationEssentials
import TesseraCommand
import TesseraDrawing
import TesseraHost
import TesseraScenario

/// A page's layouts, and answers to its messages.
///
/// Each page calls engines on a separate queue, so a slow engine delays no other page. Events
/// report library changes.
final class Playground: @unchecked Sendable {
  /// JSON, or a layout's rows.
  typealias Answer = (type: String, bytes: [UInt8])

  // Guards everything below except constants.
  private let queue = DispatchQueue(label: "playground")
  private let start: PlayStart
  private let send: @Sendable (JSON) -> Void
  /// Two displayed layouts, and one for pictures of choices.
  private var layouts: [PlayedLayout?] = [nil, nil, nil]
  private var watch: (any DispatchSourceTimer)?
  /// From the command, or dropped onto the page.
  private var table: ItemTable?

  /// Sends the initial state.
  ///
  /// - Parameters:
  ///   - id: The page's name in its messages.
  ///   - send: Sends an event to the page; called by one thread at a time.
  init(_ start: PlayStart, id: String, send: @escaping @Sendable (JSON) -> Void) {
    (self.start, self.send) = (start, send)
    table = start.table
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(25))
    timer.setEventHandler { [weak self] in self?.look() }
    watch = timer
    queue.async {
      send(
        .object([
          ("do", .text("start")), ("page", .text(id)), ("engine", .optional(start.engine)),
          ("scenario", start.scenario),
          ("tableCounts", start.table.map { .list($0.itemCounts.map(JSON.integer)) } ?? .null),
          ("pictures", start.pictureLabels), ("listing", start.host.listing().json),
          ("settings", .list(LayoutField.settings.map(\.page))),
          ("hues", .integer(HTMLPage.hueCount)), ("shades", .integer(HTMLPage.shadeCount)),
        ]))
    }
    timer.resume()
  }

  func close() {
    queue.async { [self] in
      watch?.cancel()
      (watch, layouts) = (nil, [nil, nil, nil])
    }
  }

  func answer(_ message: [UInt8]) -> Answer {
    do {
      let request = try JSON(parsing: message, name: "the message")
      // Slow, and independent of the page's layouts.
      if request["do"] == .text("check") {
        return Self.json(try check(try request.text("engine")))
      }
      return try queue.sync {
        guard watch != nil else { throw HostError(.wrongState, "the page is closed") }
        return try answer(request)
      }
    } catch {
      let message = (error as? HostError)?.commandMessage
      return Self.json([
        ("failed", .bool(true)), ("died", .bool((error as? HostError)?.kind == .died)),
        ("message", .text(message ?? "\(error)")),
      ])
    }
  }

  private func answer(_ request: JSON) throws -> Answer {
    switch request["do"] {
    case .text("engine"):
      let engine = try start.host.engine(try request.text("engine"))
      return Self.json([
        ("facts", EngineFacts(engine).json), ("writers", .text(engine.writers)),
        ("snaps", .bool(engine.chain.contains { $0.abilities.contains(.snapping) })),
      ])
    case .text("show"): return try show(request)
    case .text("rest"): return Self.json(try rest(request))
    case .text("update"): return try update(request)
    case .text("transition"): return try transition(request)
    case .text("draw"): return Self.json(try draw(request))
    case .text("items"):
      let rows = try ItemTable(
        parsing: Data(try request.text("text").utf8), name: try request.text("name"))
      table = rows
      return Self.json([("counts", .list(Scenario(rows).itemCounts.map(JSON.integer)))])
    case .text("open"):
      let name = try request.text("name")
      let file = try PlayStart.opened(name: name, text: try request.text("text"))
      return Self.json([("engine", .optional(file.engine)), ("scenario", file.scenario.json)])
    default:
      throw HostError(.invalidValue, "the message has no known \"do\"")
    }
  }

  private static func json(_ members: [(name: String, value: JSON)]) -> Answer {
    ("application/json", Array(JSON.object(members).line.utf8))
  }
}

// MARK: - Messages

extension LayoutField {
  fileprivate var page: JSON {
    .object([
      ("key", .text(name)), ("option", .text(option)),
      ("numbers", .list(type.components.map(JSON.text))),
    ])
  }
}

extension Playground {
  private func show(_ request: JSON) throws -> Answer {
    let layout = try layout(request)
    let warnings = try layout.adopt(try scenario(request))
    return (
      "application/octet-stream",
      try layout.rows(in: try request.rect("view"), warnings: warnings)
    )
  }

  private func rest(_ request: JSON) throws -> [(name: String, value: JSON)] {
    let layout = try layout(request)
    _ = try layout.adopt(try scenario(request))
    let (offset, velocity) = (try request.point("proposed"), try request.point("velocity"))
    if let number = request["section"]?.double {
      guard let section = Int64(exactly: number) else {
        throw HostError(
          .invalidValue, "the message has the section \(number.shortText); give a whole number")
      }
      let place = try layout.session.call(
        "restingOrthogonalOffset",
        [.integer(section), .number(offset.x), .number(velocity.x)])
      return [("offset", JSON(place))]
    }
    let point = try layout.session.restingOffset(for: offset, velocity: velocity)
    return [("offset", .list([.number(point.x), .number(point.y)]))]
  }

  private func update(_ request: JSON) throws -> Answer {
    let engine = try start.host.engine(try request.text("engine"))
    let script = try UpdateScript(
      parsing: Data((request["script"] ?? .null).line.utf8), name: "the update")
    let resolved = try script.resolved(for: engine.chain, options: Scenario())
    let driver = SessionDriver(try Session(engine))
    _ = try driver.fill(from: resolved.before)
    return tracks(
      TrackWriter(engine: engine.description.id, animation: try resolved.apply(to: driver)))
  }

  private func transition(_ request: JSON) throws -> Answer {
    let (from, to) = (request["from"] ?? .null, request["to"] ?? .null)
    let (first, second) = (
      try start.host.engine(try from.text("engine")), try start.host.engine(try to.text("engine"))
    )
    let before = try moment(first, try scenario(from).shared(for: first.chain, with: second.chain))
    let after = try moment(second, try scenario(to).shared(for: second.chain, with: first.chain))
    return tracks(
      TrackWriter(
        from: first.description.id, to: second.description.id,
        animation: LayoutAnimation(from: before, to: after)))
  }

  private func moment(_ engine: Engine, _ scenario: Scenario) throws -> LayoutMoment {
    let layout = try PlayedLayout(engine)
    _ = try layout.adopt(scenario)
    return LayoutMoment(
      elements: try layout.session.elements(), contentSize: try layout.session.contentSize(),
      offset: layout.session.offset)
  }

  private func tracks(_ writer: TrackWriter) -> Answer {
    var bytes = Array("{\"animation\":".utf8)
    writer.write { bytes += $0 }
    return ("application/json", bytes + [UInt8(ascii: "}")])
  }

  private func draw(_ request: JSON) throws -> [(name: String, value: JSON)] {
    let layout = try layout(request)
    let scenario = try scenario(request)
    _ = try layout.adopt(scenario)
    let elements = try layout.session.elements()
    let finished = FinishedLayout(
      engine: layout.session.engine.names, scenario: scenario,
      viewport: layout.session.visibleRect, rect: nil,
      contentSize: try layout.session.contentSize(), elements: elements,
      attributes: elements.attributes, kinds: elements.kinds, columns: elements.columns)
    var bytes: [UInt8] = []
    let format = try request.text("format")
    switch format {
    case "svg": finished.picture.writeSVG { bytes += $0 }
    case "figure": bytes = finished.figureInTheme
    case "html": finished.picture.writeHTML { bytes += $0 }
    default:
      throw HostError(.invalidValue, "the format is \"\(format)\"; expected svg, figure or html")
    }
    return [("text", .text(String(decoding: bytes, as: UTF8.self)))]
  }

  /// Runs the conformance suite at quick in a new process; returns the verdict and the important
  /// lines.
  private func check(_ engine: String) throws -> [(name: String, value: JSON)] {
    guard !engine.utf8.contains(0) else {
      throw HostError(.invalidValue, "the engine has a NUL character; give its name")
    }
    let library = engine.split(separator: "#", maxSplits: 1).first.map(String.init) ?? engine
    guard let command = ProcessEnvironment.command else {
      throw HostError(
        .workerNotStarted, "there is no tessera beside this program; run it as tessera play")
    }
    var text: [UInt8] = []
    let ending = try ChildProcess.run(
      command, ["check", "--level", "quick"] + start.checkOptions + ["--", library],
      errors: .withOutput
    ) { text += $0 }
    return [
      ("passed", .bool(ending == .status(0))),
      ("text", .text(String(decoding: text, as: UTF8.self))),
    ]
  }
}

// MARK: - Layouts

extension Playground {
  private func layout(_ request: JSON) throws -> PlayedLayout {
    let name = try request.text("engine")
    let side = [1, 2].first { request["side"] == .number(Double($0)) } ?? 0
    if let layout = layouts[side], layout.name == name { return layout }
    let layout = try PlayedLayout(try start.host.engine(name), name: name)
    layouts[side] = layout
    return layout
  }

  /// A message's scenario, possibly with the command's table.
  private func scenario(_ request: JSON) throws -> Scenario {
    var scenario = try Scenario(request["scenario"] ?? .object([]))
    if let table, case .bool(true)? = request["usesTable"] {
      scenario = Scenario(table).over(scenario)
    }
    return scenario
  }

  private func look() {
    for (side, layout) in layouts.enumerated() {
      guard let layout, layout.isReplaced() else { continue }
      guard side < 2 else {
        layouts[side] = nil
        continue
      }
      var members: [(name: String, value: JSON)] = [
        ("do", .text("reloaded")), ("side", .integer(side)),
      ]
      do throws(HostError) {
        let dropped = try layout.reload()
        members.append(("facts", EngineFacts(layout.session.engine).json))
        members.append(("writers", .text(layout.session.engine.writers)))
        members.append(("dropped", .list(dropped.map(JSON.text))))
      } catch {
        members.append(("message", .text(error.commandMessage)))
      }
      send(.object(members))
    }
  }
}

extension Engine {
  /// Calls that write elements, as declared by the chain.
  fileprivate var writers: String {
    func first(_ abilities: EngineAbilities) -> Int? {
      chain.firstIndex { !$0.abilities.isDisjoint(with: abilities) }
    }
    func call(_ name: String, of index: Int) -> String {
      let bases = chain[(index + 1)...].map(\.name).joined(separator: " and ")
      return "\(name) of \(chain[index].name)" + (bases.isEmpty ? "" : ", which can use \(bases)")
    }
    let lazy = first([.elementsInRect]).map { call("elements_in_rect", of: $0) }
    let eager = first([.prepare]).map { call("prepare", of: $0) }
    let adjusting = first([.adjust]).map { "; adjust of \(chain[$0].name) can change it" }
    return (lazy ?? eager ?? "its base") + (adjusting ?? "")
  }
}

extension Scenario {
  fileprivate init(_ table: ItemTable) {
    self.init()
    content = .table(table)
  }
}

extension ItemPicture {
  /// Served to the page: local, and in a format that browsers support.
  fileprivate var isFile: Bool { !source.hasPrefix("http") && source != "-" && hiddenFormat == nil }
}

extension JSON {
  fileprivate func text(_ key: String) throws(HostError) -> String {
    guard case .text(let text)? = self[key] else {
      throw HostError(.invalidValue, "the message has no text \"\(key)\"")
    }
    return text
  }

  fileprivate func point(_ key: String) throws(HostError) -> Point {
    try (self[key] ?? .null).point(named: key)
  }

  fileprivate func rect(_ key: String) throws(HostError) -> Rect {
    guard let numbers = self[key]?.numbers, numbers.count == 4, numbers.allSatisfy(\.isFinite)
    else { throw HostError(.invalidValue, "the message has no rect \"\(key)\"") }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

// MARK: - Pictures

extension PlayStart {
  /// Picture labels by section; null if not served.
  fileprivate var pictureLabels: JSON {
    guard let table, table.pictures.contains(where: { $0 != nil }) else { return .null }
    var rest = table.pictures[...]
    return .list(
      table.itemCounts.map { count in
        defer { rest = rest.dropFirst(count) }
        return .list(rest.prefix(count).map { .optional($0?.isFile == true ? $0?.label : nil) })
      })
  }

  /// An item's picture with its media type; nil if not served.
  ///
  /// - Parameter place: Section and item, such as "0/3".
  func image(at place: Substring) -> (type: String, bytes: [UInt8])? {
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    guard let table, parts.count == 2,
      let section = Int(parts[0]), table.itemCounts.indices.contains(section),
      let item = Int(parts[1]), (0..<table.itemCounts[section]).contains(item)
    else { return nil }
    let index = table.itemCounts[..<section].reduce(0, +) + item
    guard table.pictures.indices.contains(index), let picture = table.pictures[index],
      picture.isFile, let bytes = try? picture.source.inputBytes()
    else { return nil }
    func has(_ text: String, at place: Int) -> Bool {
      bytes.dropFirst(place).starts(with: text.utf8)
    }
    let type: String? =
      if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        "jpeg"
      } else if has("PNG", at: 1) {
        "png"
      } else if has("GIF8", at: 0) {
        "gif"
      } else if has("WEBP", at: 8) {
        "webp"
      } else if has("ftypavi", at: 4) {
        "avif"
      } else {
        nil
      }
    return type.map { ("image/\($0)", Array(bytes)) }
  }

  /// A small SVG of an engine, with illustrative item values.
  ///
  /// - Throws: The engine's error if it can't lay out twelve items with its defaults.
  func picture(of name: String) throws -> [UInt8] {
    let engine = try host.engine(name)
    let layout = try PlayedLayout(engine)
    var scenario = Scenario()
    scenario.bounds = Size(width: 360, height: 270)
    scenario.content = .sections([.init(items: 24)])
    let values: [String: String] = [
      "size": "50+noise(item)*60,50", "aspectRatio": "0.5+noise(item)*1.5",
      "weight": "1+noise(item)*9", "start": "item*0.6",
      "end": "item*0.6+0.4+noise(item)*0.8",
    ]
    for value in engine.chain.flatMap(\.itemValues) {
      if let text = values[value.name] {
        scenario.itemValues[value.name] = JSONNode(text: text, source: value.name)
      }
    }
    _ = try layout.adopt(scenario)
    let rect = layout.session.visibleRect
    let elements = try layout.session.elements(in: rect)
    let finished = FinishedLayout(
      engine: engine.names, scenario: scenario, viewport: rect, rect: rect,
      contentSize: try layout.session.contentSize(), elements: elements,
      attributes: elements.attributes, kinds: elements.kinds, columns: elements.columns)
    return finished.figureInTheme
  }
}

extension FinishedLayout {
  /// SVG that follows the page's light or dark theme.
  fileprivate var figureInTheme: [UInt8] {
    var picture = picture
    picture.style.theme = .auto
    var bytes: [UInt8] = []
    picture.writeSVG { bytes += $0 }
    return bytes
  }
}
