import Dispatch
import FoundationEssentials
import TesseraDrawing
import TesseraHost
import TesseraScenario

/// The layouts of one page, and the replies to its messages.
///
/// Engines are called on a queue of the page's own, so a page whose engine is slow delays no other
/// one. Each message gets one reply. The page is also told when a library changes.
final class Playground: @unchecked Sendable {
  enum Reply {
    case text(String)
    case bytes([UInt8])
  }

  // Everything below is used only on the queue, but for `send`, which any thread may call.
  private let queue = DispatchQueue(label: "playground")
  private let start: PlayStart
  private let send: @Sendable (Reply) -> Void
  /// The layouts that the page shows beside each other.
  private var layouts: [PlayedLayout?] = [nil, nil]
  private var watch: (any DispatchSourceTimer)?
  /// The table that supplies the items: that of the command, or one dropped onto the page.
  private var table: ItemTable?
  private var isClosed = false

  init(_ start: PlayStart, send: @escaping @Sendable (Reply) -> Void) {
    (self.start, self.send) = (start, send)
    table = start.table
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(25))
    timer.setEventHandler { [weak self] in self?.look() }
    timer.resume()
    watch = timer
  }

  /// Ends the layouts and their workers.
  func close() {
    queue.async { [self] in
      isClosed = true
      watch?.cancel()
      (watch, layouts) = (nil, [nil, nil])
    }
  }

  /// Answers a message, a JSON object, later.
  func receive(_ text: String) {
    queue.async { [self] in
      guard !isClosed else { return }
      let request: JSON
      do throws(HostError) {
        request = try JSON(parsing: Data(text.utf8), name: "the message")
      } catch {
        return reply([("do", .text("failed")), ("message", .text(error.commandMessage))])
      }
      do {
        try answer(request)
      } catch {
        fail(request, error)
      }
    }
  }

  private func answer(_ request: JSON) throws {
    switch request["do"] {
    case .text("start"): try describeEverything()
    case .text("engine"):
      let engine = try start.host.engine(try request.text("engine"))
      reply([
        ("do", .text("engine")), ("number", request["number"] ?? .null),
        ("facts", EngineFacts(engine).json), ("writers", .text(engine.writers)),
        ("snaps", .bool(engine.chain.contains { $0.abilities.contains(.snapping) })),
      ])
    case .text("show"): try show(request)
    case .text("rest"): try rest(request)
    case .text("update"): try update(request)
    case .text("transition"): try transition(request)
    case .text("draw"): try draw(request)
    case .text("items"):
      let rows = try ItemTable(
        parsing: Data(try request.text("text").utf8), name: try request.text("name"))
      table = rows
      reply([
        ("do", .text("items")), ("number", request["number"] ?? .null),
        ("counts", .list(Scenario(rows).itemCounts.map(JSON.integer))),
      ])
    case .text("open"):
      let name = try request.text("name")
      let file = try PlayFile(name: name, text: try request.text("text"))
      reply([
        ("do", .text("opened")), ("number", request["number"] ?? .null),
        ("engine", .optional(file.engine)), ("scenario", file.scenario.json),
      ])
    case .text("check"): check(request)
    default:
      throw HostError(.invalidInput, "the message has no known \"do\"")
    }
  }

  private func reply(_ members: [(name: String, value: JSON)]) {
    send(.text(JSON.object(members).line))
  }

  private func fail(_ request: JSON, _ error: any Error) {
    let message = (error as? HostError)?.commandMessage ?? (error as? CommandFailure)?.message
    let died = (error as? HostError)?.kind == .died
    reply([
      ("do", .text("failed")), ("of", request["do"] ?? .null), ("side", request["side"] ?? .null),
      ("number", request["number"] ?? .null), ("died", .bool(died)),
      ("message", .text(message ?? "\(error)")),
    ])
  }
}

// MARK: - Messages

extension LayoutField {
  /// A viewport setting as the page needs it.
  fileprivate var page: JSON {
    .object([
      ("key", .text(name)), ("option", .text(option)),
      ("numbers", .list(type.components.map(JSON.text))),
    ])
  }
}

extension Playground {
  private func describeEverything() throws {
    reply([
      ("do", .text("start")), ("engine", .optional(start.engine)), ("scenario", start.scenario),
      ("tableCounts", start.table.map { .list($0.itemCounts.map(JSON.integer)) } ?? .null),
      ("pictures", start.pictureLabels), ("listing", start.host.listing().json),
      ("settings", .list(LayoutField.settings.map(\.page))),
      ("hues", .integer(ElementPage.hueCount)), ("shades", .integer(ElementPage.shadeCount)),
    ])
  }

  /// Lays out if necessary, and sends the rows that intersect the asked rect.
  private func show(_ request: JSON) throws {
    let layout = try layout(request)
    let warnings = try layout.adopt(try scenario(request))
    let rows = try layout.rows(in: try request.rect("view"), warnings: warnings)
    send(.bytes(rows.message(side: side(of: request), number: request["number"] ?? .null)))
  }

  /// Sends where a scroll comes to rest.
  private func rest(_ request: JSON) throws {
    let layout = try layout(request)
    _ = try layout.adopt(try scenario(request))
    let (offset, velocity) = (try request.point("proposed"), try request.point("velocity"))
    let point = try layout.session.restingOffset(for: offset, velocity: velocity)
    reply([
      ("do", .text("rest")), ("number", request["number"] ?? .null),
      ("offset", .list([.number(point.x), .number(point.y)])),
    ])
  }

  /// Sends the tracks of a batch update.
  private func update(_ request: JSON) throws {
    let engine = try start.host.engine(try request.text("engine"))
    let script = try UpdateScript(
      parsing: Data((request["script"] ?? .null).line.utf8), name: "the update")
    let resolved = try script.resolved(for: engine.chain, options: Scenario())
    let recorded = RecordedSession(try Session(engine))
    _ = try recorded.fill(from: resolved.before)
    let animation = try recorded.apply(resolved)
    sendTracks(animation, TrackWriter(engine: engine.description.id, animation: animation), request)
  }

  /// Sends the tracks from the layout of one engine or scenario to that of another.
  private func transition(_ request: JSON) throws {
    let (from, to) = (request["from"] ?? .null, request["to"] ?? .null)
    let (first, second) = (
      try start.host.engine(try from.text("engine")), try start.host.engine(try to.text("engine"))
    )
    let before = try moment(first, try scenario(from).shared(for: first.chain, with: second.chain))
    let after = try moment(second, try scenario(to).shared(for: second.chain, with: first.chain))
    let animation = LayoutAnimation(from: before, to: after)
    sendTracks(
      animation,
      TrackWriter(
        from: first.description.id, to: second.description.id, animation: animation), request)
  }

  private func moment(_ engine: Engine, _ scenario: Scenario) throws -> LayoutMoment {
    let layout = try PlayedLayout(engine)
    _ = try layout.adopt(scenario)
    return LayoutMoment(
      elements: try layout.session.elements(), contentSize: try layout.session.contentSize(),
      offset: layout.session.offset)
  }

  private func sendTracks(_ animation: LayoutAnimation, _ writer: TrackWriter, _ request: JSON) {
    var text: [UInt8] = []
    writer.write { text += $0 }
    let head = JSON.object([
      ("do", .text("tracks")), ("number", request["number"] ?? .null),
    ]).line.dropLast()
    send(.text("\(head),\"animation\":\(String(decoding: text, as: UTF8.self))}"))
  }

  /// Sends the layout as a picture or a page.
  private func draw(_ request: JSON) throws {
    let layout = try layout(request)
    let scenario = try scenario(request)
    _ = try layout.adopt(scenario)
    let elements = try layout.session.elements()
    let finished = FinishedLayout(
      subject: Subject(layout.session.engine), scenario: scenario,
      viewport: layout.session.visibleRect, rect: nil,
      contentSize: try layout.session.contentSize(), elements: elements,
      attributes: elements.attributes, columns: elements.columns)
    var bytes: [UInt8] = []
    let format = try request.text("format")
    switch format {
    case "svg": finished.picture.writeSVG { bytes += $0 }
    case "html": finished.picture.writeHTML { bytes += $0 }
    default: throw HostError(.invalidInput, "the format is \"\(format)\"; expected svg or html")
    }
    reply([
      ("do", .text("drawn")), ("format", .text(format)), ("number", request["number"] ?? .null),
      ("text", .text(String(decoding: bytes, as: UTF8.self))),
    ])
  }

  /// Runs the conformance suite at quick beside the playground, and sends its verdict.
  private func check(_ request: JSON) {
    let options = start.checkOptions
    guard case .text(let name)? = request["engine"] else { return }
    let number = request["number"] ?? .null
    let send = send
    DispatchQueue.global().async {
      let verdict = SuiteRun(engine: name, options: options).verdict
      send(
        .text(
          JSON.object([
            ("do", .text("verdict")), ("number", number), ("passed", .bool(verdict.passed)),
            ("text", .text(verdict.text)),
          ]).line))
    }
  }
}

// MARK: - Layouts

extension Playground {
  private func side(of request: JSON) -> Int { request["side"]?.whole == 1 ? 1 : 0 }

  /// The layout of the engine and the side that a message names.
  private func layout(_ request: JSON) throws -> PlayedLayout {
    let name = try request.text("engine")
    let side = side(of: request)
    if let layout = layouts[side], layout.name == name { return layout }
    let layout = try PlayedLayout(try start.host.engine(name), name: name)
    layouts[side] = layout
    return layout
  }

  /// The scenario of a message; its items can be those of the command's table.
  private func scenario(_ request: JSON) throws -> Scenario {
    var scenario = try Scenario(request["scenario"] ?? .object([]))
    if let table, case .bool(true)? = request["usesTable"] {
      scenario.content = .table(table)
    }
    return scenario
  }

  /// Reloads engines whose files were replaced, and says so.
  private func look() {
    for (side, layout) in layouts.enumerated() {
      guard let layout, layout.isReplaced() else { continue }
      let began = DispatchTime.now()
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
      let elapsed = DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds
      members.append(("milliseconds", .number(Double(elapsed) / 1e6)))
      reply(members)
    }
  }
}

extension Engine {
  /// The calls that write elements, as far as the descriptions of the chain tell.
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
  /// The rows of a table.
  fileprivate init(_ table: ItemTable) {
    self.init()
    content = .table(table)
  }
}

extension ItemPicture {
  /// Whether a page is given the picture: pages request nothing from elsewhere.
  fileprivate var isFile: Bool { !source.isAddress && source != "-" }
}

extension JSON {
  fileprivate func text(_ key: String) throws(HostError) -> String {
    guard case .text(let text)? = self[key] else {
      throw HostError(.invalidInput, "the message has no text \"\(key)\"")
    }
    return text
  }

  fileprivate func point(_ key: String) throws(HostError) -> Point {
    try (self[key] ?? .null).point(named: key)
  }

  fileprivate func rect(_ key: String) throws(HostError) -> Rect {
    guard let numbers = self[key]?.numbers, numbers.count == 4, numbers.allSatisfy(\.isFinite)
    else { throw HostError(.invalidInput, "the message has no rect \"\(key)\"") }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// The number, if it is a whole one.
  fileprivate var whole: Int? { double.flatMap { Int(exactly: $0) } }
}

// MARK: - Pictures

extension PlayStart {
  /// What the pictures of the items are called, by section; null where a page is shown none.
  fileprivate var pictureLabels: JSON {
    guard let table, table.pictures.contains(where: { $0 != nil }) else { return .null }
    var rest = table.pictures[...]
    return .list(
      table.itemCounts.map { count in
        defer { rest = rest.dropFirst(count) }
        return .list(rest.prefix(count).map { .optional($0?.isFile == true ? $0?.label : nil) })
      })
  }

  /// The file of an item's picture with its media type; nil if there is none, or browsers show no such
  /// file.
  ///
  /// - Parameter place: The section and the item, such as "0/3".
  func image(at place: Substring) -> (type: String, bytes: [UInt8])? {
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    guard let table, parts.count == 2, let section = Int(parts[0]), let item = Int(parts[1]),
      table.itemCounts.indices.contains(section), 0..<table.itemCounts[section] ~= item
    else { return nil }
    let index = table.itemCounts[..<section].reduce(0, +) + item
    guard table.pictures.indices.contains(index), let picture = table.pictures[index],
      picture.isFile, let bytes = try? InputFile(path: picture.source).bytes()
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

  /// A small picture of an engine, in SVG, with values for the items that show what it does.
  ///
  /// - Throws: The error of an engine that cannot lay out twelve items with its defaults.
  func picture(of name: String) throws -> [UInt8] {
    let engine = try host.engine(name)
    let layout = try PlayedLayout(engine)
    var scenario = Scenario()
    scenario.bounds = Size(width: 360, height: 270)
    scenario.content = .sections([.init(items: 24)])
    let values: [String: String] = [
      "size": "50+noise(item)*60,50", "aspectRatio": "0.5+noise(item)*1.5",
      "weight": "1+noise(item)*9", "start": "item%12+6",
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
      subject: Subject(engine), scenario: scenario, viewport: rect, rect: rect,
      contentSize: try layout.session.contentSize(), elements: elements,
      attributes: elements.attributes, columns: elements.columns)
    var bytes: [UInt8] = []
    finished.picture.writeSVG { bytes += $0 }
    return bytes
  }
}

/// A run of `tessera check` at quick in a process of its own.
struct SuiteRun {
  let engine: String
  let options: [String]

  /// Whether the engine passed, and the lines of the report that matter.
  var verdict: (passed: Bool, text: String) {
    let target = engine.split(separator: "#", maxSplits: 1).first.map(String.init) ?? engine
    var text: [UInt8] = []
    do {
      let ending = try ChildProcess.run(
        "/proc/self/exe", ["check", target, "--level", "quick"] + options, errors: .withOutput
      ) { text += $0 }
      return (ending == .status(0), String(decoding: text, as: UTF8.self))
    } catch {
      return (false, "the suite cannot be started")
    }
  }
}
