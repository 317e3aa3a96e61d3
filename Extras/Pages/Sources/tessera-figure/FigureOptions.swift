import ArgumentParser
import TesseraCommand
import TesseraFigures
import TesseraHost
import TesseraScenario

/// The texts and colours of a figure.
struct FigureOptions: ParsableArguments {
  @Flag(
    name: .long, help: "Draw the layout with the numbers of items, the viewport and counts.")
  var wireframe = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The title of a figure or page.", valueName: "text"))
  var title: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("A line below the title of a figure.", valueName: "text"))
  var subtitle: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "A line below a figure, such as where its data is from.", valueName: "text"))
  var source: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Show the values of this column of the table below the names, and with pictures.",
      discussion: """
        Numbers from 10000 on are written with k, M, G or T, and those of a column bytes with KiB, \
        MiB or GiB. Pictures have the columns file, date and caption, which are read from their \
        files. The text is below each picture where the engine leaves room, or else over its lower edge.
        """, valueName: "column"))
  var caption: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Colour items by this column of the table, with a legend.",
      discussion: """
        Numbers and dates have a scale of one colour, numbers on both sides of 0 one of two. Other \
        texts have eight colours, the most frequent first, and one for all others.
        """, valueName: "column"))
  var color: String?

  @Option(
    name: .customLong("text"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What elements of a kind show in a figure.",
      discussion: """
        A text in which {section} stands for the name of the element's section, {item} for the \
        number of the item, {date} for the date of the section, as 2026-05-04, and {NAME} for an \
        attribute of the engine: --text hourLabel='{hour}:00'.
        """, valueName: "kind=template"))
  var texts: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Divide the figure of a pdf or png into pages of paper.",
      discussion: """
        Pages have margins of 15 mm and numbers. Without --bounds, the layout is as wide as the paper \
        within its margins; what is wider is scaled down. No row is divided unless it is higher than a page. Of -o \
        sheet.png the pages are sheet-1.png, sheet-2.png and so on.
        """))
  var paper: Paper?

  mutating func validate() throws {
    guard wireframe, let option = given.first else { return }
    throw ValidationError("\(option) is for figures; remove it, or --wireframe")
  }

  private var given: [String] {
    let options = [
      ("--title", title), ("--subtitle", subtitle), ("--source", source), ("--caption", caption),
      ("--color", color), ("--text", texts.first), ("--paper", paper?.rawValue),
    ]
    return options.compactMap { $0.1 == nil ? nil : $0.0 }
  }

  /// Makes room for section and group names with parameters that are 0 by default, and enlarges
  /// cells of pictures: four in a row on paper, strips that follow the width.
  ///
  /// - Parameter isTree: Whether items are nested.
  func makeRoom(in scenario: inout Scenario, for chain: [EngineDescription], isTree: Bool) {
    let hasSections =
      chain.contains { $0.kinds.contains { $0.role == .header } }
      && scenario.sectionLabels.contains { $0?.isEmpty == false }
    let values = chain.flatMap(\.sectionValues).filter { value in
      scenario.sectionValues[value.name] != nil
        || scenario.sections.contains { $0.values[value.name] != nil }
    }
    func give(_ name: String, _ room: String, insteadOf least: Double = 0) {
      guard scenario.parameters[name] == nil,
        let parameter = chain.flatMap(\.parameters).first(where: { $0.name == name }),
        !chain.flatMap(\.defaults).contains(where: { $0.name == name }),
        parameter.initial.numbers.allSatisfy({ $0 <= least }),
        !values.contains(where: { $0.fallback == name })
      else { return }
      scenario.parameters[name] = JSONNode(text: room, source: name)
    }
    if hasSections {
      give("headerReferenceSize", "0x36")
      give("sectionHeaderHeight", "36")
    }
    if isTree {
      give("paddingTop", "18")
      give("paddingInner", "1")
    }
    if scenario.hasPictures {
      let isSheet = paper != nil && scenario.bounds == nil
      let side = isSheet ? "120" : "min(240,width*0.3)"
      give("itemSize", "\(side),\(side)", insteadOf: 64)
      give("cellHeight", "200", insteadOf: 80)
      give("segmentHeight", "max(200,width*0.3)", insteadOf: .infinity)
      if isSheet { give("targetRowHeight", "110", insteadOf: .infinity) }
    }
    // Paper has margins already.
    let name = "sectionInset"
    guard paper != nil, scenario.bounds == nil, scenario.parameters[name] == nil,
      !values.contains(where: { $0.name == name }),
      let parameter = chain.flatMap(\.parameters).first(where: { $0.name == name })
    else { return }
    let given = chain.flatMap(\.defaults).last { $0.name == name }?.value ?? parameter.initial
    guard given.numbers.count == 4 else { return }
    // Keeps pictures off the line below a header.
    let least = hasSections ? 8.0 : 0
    scenario.parameters[name] = JSONNode(
      text: "\(max(least, given.numbers[0])),0,\(max(least, given.numbers[2])),0", source: name)
  }

  var columns: Set<String> { Set([caption, color].compactMap(\.self)) }

  /// The figure; nil for a wireframe.
  ///
  /// - Parameters:
  ///   - attributes: The engines' attributes, in the order of an element's values.
  ///   - kinds: The kinds of elements.
  ///   - isLong: Whether only browsers limit the format's size.
  func figure(
    of scenario: Scenario, attributes: [AttributeDescription], kinds: [KindDescription],
    isLong: Bool
  ) throws -> Figure? {
    guard !wireframe else { return nil }
    var result = Figure()
    (result.title, result.subtitle, result.source) = (title, subtitle, source)
    result.paper = paper
    // Programs for png and pdf have smaller limits than browsers.
    if !isLong { result.longest = 12_000 }
    if let caption {
      let number = numberText(of: caption)
      let texts = try texts(of: caption, "--caption", scenario).map { text in
        guard let value = Double(text), !value.isInfinite else { return text }
        guard !value.isNaN else { return "" }
        // Keeps given digits, such as the last of 70.40.
        let digits = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain =
          text.allSatisfy { "-.0123456789".contains($0) } && (digits.last?.count ?? 0) <= 3
        return number?(value)
          ?? (isPlain && digits.count == 2 && abs(value) < 9999.5 ? text : value.compactText)
      }
      result.caption = scenario.byItem(texts)
    }
    if caption == nil, case .table(let table) = scenario.content,
      kinds.contains(where: { $0.role == .label }), let starts = table.texts(of: "start"),
      let ends = table.texts(of: "end")
    {
      result.caption = scenario.byItem(zip(starts, ends).map { timeSpan($0, $1) })
    }
    if let color {
      result.colours = ColourScale(
        title: color, values: try texts(of: color, "--color", scenario) { $0.numerals(of: $1) },
        counts: scenario.itemCounts, days: { calendarDays(of: $0) },
        text: numberText(of: color))
    }
    result.text = try text(scenario, attributes, kinds)
    return result
  }

  private func numberText(of column: String) -> (@Sendable (Double) -> String)? {
    guard column.lowercased() == "bytes" else { return nil }
    return { (number: Double) -> String in number.bytesText }
  }

  private func texts(
    of column: String, _ option: String, _ scenario: Scenario,
    read: (ItemTable, String) -> [String]? = { $0.texts(of: $1) }
  ) throws -> [String] {
    guard case .table(let table) = scenario.content else {
      throw HostError(
        .invalidValue,
        "\(option) \(column) names a column, but the items are not from a table; give --items-from "
          + "or --images")
    }
    guard let texts = read(table, column) else {
      throw HostError(
        .invalidValue,
        "\(option): \(table.name) has no column \(Phrase.quoted(column)); it has "
          + Phrase.list(table.columnNames))
    }
    return texts
  }

  private func text(
    _ scenario: Scenario, _ attributes: [AttributeDescription], _ kinds: [KindDescription]
  ) throws -> (Element) -> String? {
    let sections = scenario.sectionLabels
    var dates: [String] = []
    if case .table(let table) = scenario.content { dates = table.sectionDates }
    let names = attributes.map(\.name)
    var templates: [String: [(Element) -> String]] = [:]
    for (kind, template) in try settings("--text", texts) {
      guard kinds.contains(where: { $0.name == kind }) else {
        throw HostError(
          .invalidValue,
          "--text \(kind): the engine has no such kind; "
            + (kinds.isEmpty ? "it has none" : "it has \(Phrase.list(kinds.map(\.name)))"))
      }
      templates[kind] = try parts(of: template.string("a template"), kind, names, sections, dates)
    }
    return { [templates] element in
      templates[element.identity.kind ?? ""]?.map { $0(element) }.joined()
    }
  }

  private func parts(
    of template: String, _ kind: String, _ attributes: [String], _ sections: [String?],
    _ dates: [String]
  ) throws -> [(Element) -> String] {
    var parts: [(Element) -> String] = []
    func add(_ text: Substring) { if !text.isEmpty { parts.append { _ in String(text) } } }
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw HostError(
          .invalidValue, "--text \(kind) is \(Phrase.quoted(template)); close the brace with }")
      }
      add(rest[..<open])
      let name = String(rest[rest.index(after: open)..<close])
      switch name {
      case "section":
        parts.append { element in
          let section = element.identity.section
          let name = sections.indices.contains(section) ? sections[section] : nil
          return name ?? String(section)
        }
      case "item": parts.append { String($0.identity.item) }
      case "date" where !dates.isEmpty && !attributes.contains("date"):
        parts.append { element in
          let section = element.identity.section
          return dates.indices.contains(section) ? dates[section] : ""
        }
      default:
        guard let index = attributes.firstIndex(of: name) else {
          let known = ["section", "item"] + (dates.isEmpty ? [] : ["date"]) + attributes
          throw HostError(
            .invalidValue,
            "--text \(kind): {\(name)} is unknown; use \(Phrase.list(known.map { "{\($0)}" }, "or"))"
          )
        }
        parts.append { $0.attributes[index].readableText }
      }
      rest = rest[rest.index(after: close)...]
    }
    add(rest)
    return parts
  }
}

/// "9:00–10:30" from two dates and times, times, or hours; empty for other texts.
private func timeSpan(_ start: String, _ end: String) -> String {
  let hours = [start, end].compactMap(hours)
  let isSpan =
    hours.count == 2 && hours.allSatisfy { 0...48 ~= $0 } && hours != [0, 0] && hours != [0, 24]
  return isSpan ? hours.map(readableHour).joined(separator: "–") : ""
}

/// Hours since midnight of a date and time, a time, or a number; otherwise nil.
func hours(_ text: String) -> Double? {
  calendarDays(of: text).map { ($0 - $0.rounded(.down)) * 24 } ?? clockHours(of: text)
    ?? Double(text)
}

extension Double {
  /// "340 B", "1.2 MiB".
  fileprivate var bytesText: String {
    var (value, units) = (self, ["B", "KiB", "MiB", "GiB", "TiB"][...])
    while abs(value) >= 1023.5, units.count > 1 {
      value /= 1024
      units = units.dropFirst()
    }
    let decimals = abs(value) < 9.95 && value != self ? 10.0 : 1
    return "\(((value * decimals).rounded() / decimals).readableText) \(units.first ?? "")"
  }
}

extension Paper: ExpressibleByArgument {}
