/// The most that a text is wide in a usual sans-serif font, in the unit of `size`.
///
/// The widths are those of DejaVu Sans, which is the font of PNG and PDF where no other is installed.
/// Of the fonts that a figure names, none is wider by more than the margin, so that no text spills.
func textWidth(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
  var hundredths = 0
  for character in text { hundredths += width(of: character, isBold: isBold) }
  return Double(hundredths) * size / 100 * 1.02
}

/// The width of a character in hundredths of an em.
private func width(of character: Character, isBold: Bool) -> Int {
  guard let first = character.unicodeScalars.first?.value else { return 0 }
  switch first {
  case 0..<0x20: return 0
  case 0x20..<0x7F:
    let index = Int(first) - 0x20
    return Int(isBold ? boldWidths[index] : plainWidths[index])
  case 0x80..<0x250, 0x1E00..<0x1F00:
    // A letter is as wide with an accent as without, but for a few.
    return isBold ? 90 : 80
  case 0x2010..<0x2030: return 100
  case 0..<0x1100:
    // A consonant of India is joined with the next one, but is as wide as without.
    let letters = character.unicodeScalars.count {
      $0.properties.generalCategory != .nonspacingMark && $0.properties.generalCategory != .format
    }
    return (isBold ? 95 : 85) * max(1, letters)
  default:
    // A font that lacks a picture of several has each of them.
    let pictures = character.unicodeScalars.count {
      $0.value >= 0x1F000 && !(0x1F3FB...0x1F3FF).contains($0.value)
    }
    return pictures > 0 ? 140 * pictures : character.unicodeScalars.count > 1 ? 140 : 105
  }
}

/// The widths of the characters of ASCII in DejaVu Sans, in hundredths of an em, rounded up.
private let plainWidths: [UInt8] = [
  32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
  64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
  61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
  64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
]

/// The same in DejaVu Sans Bold.
private let boldWidths: [UInt8] = [
  35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70,
  70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84, 86,
  74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44, 72,
  72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84,
]

/// The lines of a text in a width: broken at spaces and after `/`, `-`, `_` and `.`, and within a word
/// only before a capital letter.
///
/// Where not all fits, the last line ends with an ellipsis. There are no lines if less than a third of a
/// text would be left, or fewer than four letters; eight are always enough.
///
/// - Parameter count: The most lines.
/// - Complexity: O(*k*) in the characters that fit, because a text can be much longer than its room.
func wrapped(
  _ text: String, width: Double, lines count: Int, size: Double, isBold: Bool = false
) -> [String] {
  guard count > 0, width > 0, !text.isEmpty else { return [] }
  var lines: [String] = []
  var rest = text[...].drop { $0.isWhitespace }
  var shown = 0
  let least = min(8, max(4, (rest.prefix(24).count + 2) / 3))
  while !rest.isEmpty {
    var (end, breaking, capital) = (rest.startIndex, rest.startIndex, rest.startIndex)
    var used = 0.0
    while end < rest.endIndex {
      let character = rest[end]
      // A sign at the start of a name is no word of its own.
      let isFirst = end == rest.startIndex
      if character.isUppercase, !isFirst, rest[rest.index(before: end)].isLowercase {
        capital = end
      }
      used += textWidth(String(character), size: size, isBold: isBold)
      // A space at the end of a line takes no room.
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
        shown + cut.dropLast().count >= least
      else { return lines.isEmpty || shown < least ? [] : closed(lines, width, size, isBold) }
      lines.append(cut)
      return lines
    }
    let line = rest[..<breaking].trimmedEnd
    shown += line.count
    lines.append(line)
    rest = rest[breaking...].drop { $0.isWhitespace }
  }
  return lines
}

/// As much of the start of a text as fits before an ellipsis; nil where nothing does.
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

/// Lines whose last ends with an ellipsis, because nothing of the rest fits a line.
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
    return String(text)
  }
}
