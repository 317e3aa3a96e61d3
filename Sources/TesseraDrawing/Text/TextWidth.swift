/// How wide a text is drawn, estimated on the wide side, as a picture knows no fonts.
///
/// - Returns: the width in the unit of `fontSize`.
func estimatedWidth(of text: String, fontSize: Double) -> Double {
  var ems = 0.0
  for character in text { ems += estimatedEms(of: character) }
  return ems * fontSize
}

/// The text as far as it fits `width`, with an ellipsis where it was cut, or nil where nothing
/// readable fits.
func fitted(_ text: String, width: Double, fontSize: Double) -> String? {
  let room = width / fontSize
  var ems = 0.0
  var fitting = text.startIndex
  for index in text.indices {
    ems += estimatedEms(of: text[index])
    if ems > room {
      let kept = text[..<fitting]
      return kept.count < 2 ? nil : kept + "…"
    }
    if ems + estimatedEms(of: "…") <= room { fitting = text.index(after: index) }
  }
  return text.isEmpty ? nil : text
}

private func estimatedEms(of character: Character) -> Double {
  guard let scalar = character.unicodeScalars.first else { return 0 }
  switch scalar {
  case "i", "j", "l", "I", "'", ".", ",", ":", ";", "|", "!", " ", "·": return 0.36
  case "m", "w", "M", "W", "@", "%", "…": return 0.95
  case "A"..."Z": return 0.72
  case "\u{0}"..."\u{2FF}": return 0.6
  case "\u{370}"..."\u{10FF}": return 0.68
  default: return scalar.value < 0x1100 ? 0.68 : 1.05
  }
}
