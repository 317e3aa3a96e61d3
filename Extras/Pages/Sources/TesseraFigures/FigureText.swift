import TesseraHost

/// An upper bound for a text's width in common sans-serif fonts, in the unit of `size`.
///
/// It uses the widths of DejaVu Sans, the fallback font of PNG and PDF. A figure's other fonts are
/// wider by no more than the margin, so text never spills.
package func textWidth(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
  var thousandths = 0
  for character in text { thousandths += width(of: character, isBold: isBold) }
  return Double(thousandths) * size / 1000 * 1.02
}

/// Figures don't hyphenate words.
private let softHyphen: Character = "\u{AD}"

/// Thousandths of an em.
private func width(of character: Character, isBold: Bool) -> Int {
  guard let first = character.unicodeScalars.first else { return 0 }
  let value = first.value
  if value >= 0x20, value < 0x7F, character.utf8.count == 1 {
    return Int(isBold ? boldWidths[Int(value) - 0x20] : plainWidths[Int(value) - 0x20])
  }
  if character == softHyphen { return 0 }
  if UntrustedText.isInvisible(first) {
    // Shown by its number.
    return UntrustedText.visible(String(character)).count * (isBold ? 720 : 660)
  }
  if let pictures = pictures(in: character) { return max(1300, 600 * pictures) }
  switch value {
  case 0..<0x20: return 0
  case 0x20..<0x7F: return width(of: Character(first), isBold: isBold)
  case 0xC0..<0x180:
    // Accents don't change a letter's width.
    let base = accented[Int(value) - 0xC0]
    return base == 0x20
      ? isBold ? 1200 : 1100 : width(of: Character(Unicode.Scalar(base)), isBold: isBold)
  case 0xA9, 0xAE, 0xBC...0xBE: return 1040
  case 0x80..<0x250, 0x1E00..<0x1F00:
    // Accents change the width of few letters.
    return isBold ? 900 : 800
  case 0x400..<0x460, 0x5D0..<0x5EB, 0x621..<0x64B:
    return letterWidths[value].map { isBold ? $0 * 112 / 100 : $0 } ?? 950
  case 0x2018...0x201B: return isBold ? 380 : 320
  case 0x201C...0x201F: return isBold ? 660 : 520
  case 0x2012, 0x2013, 0x2022: return isBold ? 700 : 640
  case 0x2010..<0x2030: return 1000
  case 0x1100..<0x1200: return 1010
  case 0..<0x1100:
    // Indic conjuncts are as wide as their consonants.
    let letters = character.unicodeScalars.count {
      $0.properties.generalCategory != .nonspacingMark && $0.properties.generalCategory != .format
    }
    return (isBold ? 950 : 850) * max(1, letters)
  case 0x2100..<0x2150: return isBold ? 1220 : 1130
  // Halfwidth katakana and Hangul.
  case 0xFF61...0xFFDC: return 600
  // A combining kana mark takes no room.
  default: return 1010
  }
}

/// Number of emoji in a character; nil for text.
///
/// Emoji fonts combine them into one picture of at most 1.3 em; other fonts draw a box for each.
private func pictures(in character: Character) -> Int? {
  var (count, isPicture) = (0, false)
  for scalar in character.unicodeScalars {
    switch scalar.value {
    case 0xFE0F, 0x20E3: isPicture = true
    case 0x1F3FB...0x1F3FF: isPicture = true
    case 0x1F000..<0x20000:
      isPicture = true
      count += 1
    default: if scalar.properties.isEmoji { count += 1 }
    }
  }
  return isPicture ? count : nil
}

/// Whether a character is full-width, as in CJK; lines can break beside it.
private func isWide(_ character: Character) -> Bool {
  switch character.unicodeScalars.first?.value ?? 0 {
  case 0x1100..<0x1200, 0x2E80..<0xA4D0, 0xAC00..<0xD7B0, 0xF900..<0xFB00, 0xFF00..<0xFF61,
    0x1F000..<0x20000, 0x20000..<0x40000:
    return true
  default: return false
  }
}

private func canBreak(after first: Character, before second: Character) -> Bool {
  guard isWide(first) || isWide(second) else { return false }
  return !"（「『［｛〈《【〔([{“‘".contains(first)
    && !"、。，．・：；？！）」』］｝〉》】〕)]}”’,.:;?!%‰…ーゝゞ々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ゛゜~〜"
      .contains(second)
}

/// Cyrillic, Hebrew and isolated Arabic letters, at least as wide as joined ones.
private let letterWidths: [UInt32: Int] = {
  var widths: [UInt32: Int] = [:]
  for (letters, width) in [
    ("ЖШЩЮЉЊ", 1095), ("щшжЫМФфюљњЪ", 945),
    ("אהחטלםמסעפףקשתכבצץרדך", 710), ("גויןןנז", 420),
    ("سشصض", 1225), ("بتثطظف", 1040), ("كقيىئنل", 825), ("عغجحخم", 650), ("ةهدذرزؤوء", 525),
    ("اأإآـ", 300),
  ] {
    for scalar in letters.unicodeScalars { widths[scalar.value] = width }
  }
  for scalar in 0x400..<0x460 as Range<UInt32> where widths[scalar] == nil { widths[scalar] = 790 }
  return widths
}()

/// U+00C0 to U+017F without accents; a space if there is no such letter.
private let accented = Array(
  ("AAAAAA CEEEEIIIIDNOOOOO OUUUUYPbaaaaaa ceeeeiiiionooooo ouuuuypy"
    + "AaAaAaCcCcCcCcDmDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi  JjKkkLlLl    LlNnNnNn NnOoOoOo  "
    + "RrRrRrSsSsSsSsTtT TtUuUuUuUuUuUuWwYyYZzZzZz ").utf8)

/// ASCII in DejaVu Sans, in thousandths of an em, rounded up; the hyphen is from Segoe UI, which is
/// wider.
private let plainWidths: [UInt16] = [
  318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 400, 318, 337, 637, 637, 637,
  637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 531, 1000, 685, 687, 699, 771, 632,
  576, 775, 752, 295, 295, 656, 558, 863, 749, 788, 604, 788, 695, 635, 611, 732, 685, 989, 686,
  611, 686, 391, 337, 391, 838, 500, 500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580,
  278, 975, 634, 612, 635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
]

/// The same in DejaVu Sans Bold.
private let boldWidths: [UInt16] = [
  349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366, 696, 696, 696,
  696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 581, 1000, 774, 763, 734, 831, 684,
  684, 821, 837, 373, 373, 775, 638, 996, 837, 851, 733, 851, 771, 721, 683, 813, 774, 1104, 771,
  725, 726, 458, 366, 458, 838, 500, 500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666,
  343, 1042, 712, 688, 716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838,
]

/// Wraps a text at spaces, after `/`, `-`, `_` and `.`, and beside CJK characters.
///
/// A long name in camel case, such as `TextTable`, is broken before a capital letter. If the text
/// doesn't fit, the last line ends with an ellipsis. Returns no lines if fewer than four letters
/// would be left; a wide letter counts as two.
///
/// - Parameter count: The most lines.
/// - Complexity: O(*k*) in the fitting characters, as a text can be much longer than its room.
package func wrapped(
  _ text: String, width: Double, lines count: Int, size: Double, isBold: Bool = false
) -> [String] {
  guard count > 0, width > 0, !text.isEmpty else { return [] }
  var lines: [String] = []
  var rest = text[...].drop { $0.isWhitespace }
  var shown = 0
  while !rest.isEmpty {
    var (end, breaking, capital) = (rest.startIndex, rest.startIndex, rest.startIndex)
    var used = 0.0
    while end < rest.endIndex {
      let character = rest[end]
      // A leading sign belongs to the next word.
      let isFirst = end == rest.startIndex
      if !isFirst {
        let previous = rest[rest.index(before: end)]
        if character.isUppercase, previous.isLowercase { capital = end }
        if canBreak(after: previous, before: character) { breaking = end }
      }
      used += textWidth(String(character), size: size, isBold: isBold)
      if used > width, !character.isWhitespace { break }
      end = rest.index(after: end)
      if character.isWhitespace || !isFirst && "/-_.".contains(character) { breaking = end }
    }
    if end == rest.endIndex {
      lines.append(rest.trimmedEnd)
      return lines
    }
    if breaking == rest.startIndex { breaking = capital }
    if lines.count + 1 == count || breaking == rest.startIndex {
      guard let cut = cut(rest, width: width, size: size, isBold: isBold),
        shown + letters(cut.dropLast()) >= 4
      else { return lines.isEmpty || shown < 4 ? [] : closed(lines, width, size, isBold) }
      lines.append(cut)
      return lines
    }
    let line = rest[..<breaking].trimmedEnd
    shown += letters(line[...])
    lines.append(line)
    rest = rest[breaking...].drop { $0.isWhitespace }
  }
  return lines
}

func letters(_ text: Substring) -> Int {
  text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
}

/// The longest start that fits before an ellipsis, or nil.
private func cut(
  _ text: Substring, width: Double, size: Double, isBold: Bool
) -> String? {
  var used = textWidth("…", size: size, isBold: isBold)
  var end = text.startIndex
  while end < text.endIndex {
    used += textWidth(String(text[end]), size: size, isBold: isBold)
    if used > width { break }
    end = text.index(after: end)
  }
  return end == text.startIndex ? nil : text[..<end].trimmedEnd + "…"
}

/// Ends the last line with an ellipsis, as the rest doesn't fit.
private func closed(
  _ lines: [String], _ width: Double, _ size: Double, _ isBold: Bool
) -> [String] {
  let last = lines[lines.count - 1]
  if textWidth(last + "…", size: size, isBold: isBold) <= width {
    return lines.dropLast() + [last + "…"]
  }
  return lines.dropLast() + [cut(last[...], width: width, size: size, isBold: isBold) ?? last]
}

extension Substring {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    text.removeAll { $0 == softHyphen }
    return String(text)
  }
}
