/// The hatching that sets decorations apart from cells, the same density at any scale.
enum SVGPatterns {
  static let decoration = "decoration"

  static func definitions(sheet: Sheet) -> Markup {
    let step = sheet.points(7)
    return """
      <defs>
      <pattern id="\(decoration)" width="\(step)" height="\(step)" \
      patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
      <rect width="\(step)" height="\(step)" fill="#e7eaef"/>\
      <rect width="\(step / 2.8)" height="\(step)" fill="#d3d9e2"/></pattern>
      </defs>

      """
  }
}
