import TesseraDrawing
import TesseraHost

/// Colours of a figure's items by a value: categories, or numbers and dates.
public struct ColourScale: Sendable {
  /// The legend's title.
  public var title: String
  private let subset: @Sendable (_ isLeftOut: (Int) -> Bool) -> ColourScale
  /// Index in `FigureFill` by item.
  private let fills: [Int]
  /// First item of each section.
  private let starts: [Int]
  /// Legend entries; empty for numbers.
  package let categories: [(name: String, fill: Int)]
  /// Legend texts below the ends of a row of fills, for numbers.
  package let range: (fills: Range<Int>, low: String, middle: String?, high: String)?

  /// Chooses a scale: sequential, diverging for numbers on both sides of 0, or categories.
  ///
  /// Dates count as numbers. An empty text has no colour, nor do "NaN" and "NA" among numbers. The
  /// eight most frequent categories have different colours, the others share one.
  ///
  /// - Parameters:
  ///   - values: One text per item, over all sections.
  ///   - counts: The item count of each section.
  ///   - days: Returns the day number of a date, nil for other texts.
  ///   - text: Formats a number for the legend; nil uses digits with k, M, G or T.
  public init(
    title: String, values: [String], counts: [Int],
    days: @escaping @Sendable (String) -> Double? = { _ in nil },
    text: (@Sendable (Double) -> String)? = nil
  ) {
    self.title = title
    subset = { isLeftOut in
      let kept = values.enumerated().map { isLeftOut($0) ? "" : $1 }
      return ColourScale(title: title, values: kept, counts: counts, days: days, text: text)
    }
    var starts = [0]
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
    let given = values.filter { !$0.isEmpty }
    func all(_ read: (String) -> Double?) -> [Double?]? {
      let numbers = values.map { $0.isEmpty ? nil : read($0) }
      return given.isEmpty || numbers.count(where: { $0 != nil }) < given.count ? nil : numbers
    }
    let numbers = values.map { Double($0).flatMap { $0.isFinite ? $0 : nil } }
    let areNumbers =
      numbers.contains { $0 != nil }
      && zip(values, numbers).allSatisfy { $1 != nil || Self.isNoNumber($0) }
    if areNumbers {
      let text = text ?? { $0.compactText }
      let (fills, range) = Self.scale(numbers, text: text)
      self.fills = fills
      let known = numbers.compactMap(\.self)
      let isOne = known.allSatisfy { $0 == known[0] }
      categories = isOne ? [(text(known[0]), fills[numbers.firstIndex { $0 != nil } ?? 0])] : []
      self.range = isOne ? nil : range
    } else if let dates = all(days) {
      let low = dates.compactMap(\.self).min() ?? 0
      // Relative to the first date, so that no date is negative.
      let texts = zip(dates, values).compactMap { day, text in day.map { ($0, text) } }
      (fills, range) = Self.scale(dates.map { $0.map { $0 - low } }) { day in
        texts.first { $0.0 - low == day }.map { String($0.1.prefix(10)) } ?? ""
      }
      categories = []
    } else {
      var counted: [String: (count: Int, first: Int)] = [:]
      for (index, value) in values.enumerated() where !value.isEmpty {
        counted[value, default: (0, index)].count += 1
      }
      let names = counted.sorted {
        ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first)
      }
      .map(\.key)
      let own = names.count > 9 ? 8 : min(names.count, 8)
      let places = Dictionary(
        names.prefix(own).enumerated().map { ($1, FigureFill.category($0)) }
      ) { first, _ in first }
      fills = values.map { value in
        value.isEmpty ? FigureFill.neutral(1) : places[value] ?? FigureFill.other
      }
      var legend = names.prefix(own).enumerated().map { ($1, FigureFill.category($0)) }
      if names.count > own { legend.append(("other", FigureFill.other)) }
      categories = legend
      range = nil
    }
  }

  /// "NaN", "NA" and the like.
  private static func isNoNumber(_ text: String) -> Bool {
    text.isEmpty || Double(text) != nil
      || ["na", "n/a", "null", "none"].contains(text.lowercased())
  }

  private static func scale(
    _ numbers: [Double?], text: (Double) -> String
  ) -> ([Int], (fills: Range<Int>, low: String, middle: String?, high: String)?) {
    let known = numbers.compactMap(\.self)
    guard let low = known.min(), let high = known.max() else { return ([], nil) }
    let isDiverging = low < 0 && high > 0
    let reach = max(-low, high)
    let (start, end) = isDiverging ? (-reach, reach) : (low, high)
    let steps = isDiverging ? FigureFill.diverging : FigureFill.sequential
    let fills = numbers.map { number -> Int in
      guard let number else { return FigureFill.neutral(1) }
      // Halved, as the difference of two doubles can overflow.
      let part = end > start ? (number / 2 - start / 2) / (end / 2 - start / 2) : 0.5
      let most = Double(steps.count)
      return steps.lowerBound + Int(min(most - 1, max(0, part * most)))
    }
    return (fills, (steps, text(start), isDiverging ? text(0) : nil, text(end)))
  }

  /// Without some items, such as groups, which have no colour.
  func leaving(out items: [(section: Int, item: Int)]) -> ColourScale {
    let places = Set(
      items.filter { starts.indices.contains($0.section) }.map { starts[$0.section] + $0.item })
    return places.isEmpty ? self : subset(places.contains)
  }

  package func fill(section: Int, item: Int) -> Int {
    guard starts.indices.contains(section), item >= 0,
      fills.indices.contains(starts[section] + item)
    else { return FigureFill.neutral(1) }
    return fills[starts[section] + item]
  }
}

/// A figure's fills by number, in light and dark.
///
/// Categories have the hues of Okabe and Ito, made for colour vision deficiencies, mixed with the
/// ground. After eight, they repeat at another lightness.
package enum FigureFill {
  /// Sky blue, orange, bluish green, yellow, blue, vermilion, reddish purple, grey.
  private static let hues: [UInt32] = [
    0x56B4E9, 0xE69F00, 0x009E73, 0xF0E442, 0x0072B2, 0xD55E00, 0xCC79A7, 0x8A8F98,
  ]
  /// Share of the ground in a fill, by depth.
  private static let paling = [0.30, 0.48, 0.62, 0.72]
  package static let sequential = 64..<96
  package static let diverging = 96..<129
  /// Less frequent categories.
  package static let other = 133

  package static func category(_ index: Int, depth: Int = 1) -> Int {
    index % 16 * paling.count + min(depth, paling.count - 1)
  }

  package static func neutral(_ depth: Int) -> Int { 129 + min(depth, paling.count - 1) }

  package static func colour(_ fill: Int, isDark: Bool) -> Colour {
    let ground = ground(isDark: isDark)
    switch fill {
    case sequential:
      // High values are dark on light ground, and light on dark ground.
      let part = (Double(fill - sequential.lowerBound) + 0.5) / Double(sequential.count)
      return isDark
        ? Colour(lightness: 0.30 + 0.60 * part, chroma: 0.11 - 0.05 * part, hue: 265 - 50 * part)
        : Colour(lightness: 0.95 - 0.58 * part, chroma: 0.04 + 0.09 * part, hue: 215 + 50 * part)
    case diverging:
      let part = (Double(fill - diverging.lowerBound) + 0.5) / Double(diverging.count) * 2 - 1
      let hue = part < 0 ? 250.0 : 50.0
      return isDark
        ? Colour(lightness: 0.32 + 0.42 * abs(part), chroma: 0.13 * abs(part), hue: hue)
        : Colour(lightness: 0.93 - 0.42 * abs(part), chroma: 0.13 * abs(part), hue: hue)
    case other: return Colour(isDark ? 0x3A404A : 0xE3E6EA)
    case ..<64:
      let place = fill / paling.count
      var hue = Colour(hues[place % hues.count])
      if place >= hues.count {
        hue = hue.covered(by: Colour(isDark ? 0xFFFFFF : 0x000000), opacity: 0.3)
      }
      return hue.covered(by: ground, opacity: paling[fill % paling.count])
    default:
      let grey = Colour(isDark ? 0x6B7480 : 0xAEB6C1)
      return grey.covered(by: ground, opacity: paling[min(fill - 129, paling.count - 1)])
    }
  }

  package static func ground(isDark: Bool) -> Colour {
    isDark ? SVGColours.dark.sheet : SVGColours.light.ground
  }

  /// Text colour on a fill: dark or light, whichever suits the theme and is legible.
  package static func ink(on fill: Int, isDark: Bool) -> Colour {
    let ground = colour(fill, isDark: isDark)
    let inks = [Colour(0x1B1F24), Colour(0xFFFFFF)]
    return (isDark ? inks.reversed() : inks).first { $0.contrast(to: ground) >= 4.5 }
      ?? Colour(0x000000)
  }
}

extension Double {
  /// Three digits with k, M, G or T from 10,000 on, and at most three decimals.
  package var compactText: String {
    guard abs(self) >= 9999.5, abs(self) < 1e15 else { return readableText }
    let steps: [(Double, String)] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    // 1000 k is rounded up to 1 M.
    for (unit, name) in steps where abs(self) >= unit * 0.9995 {
      let value = self / unit
      let decimals = abs(value) < 9.995 ? 100.0 : abs(value) < 99.95 ? 10.0 : 1.0
      return "\(((value * decimals).rounded() / decimals).readableText)\(name)"
    }
    return readableText
  }
}
