extension Picture {
  /// "20 cells, 2 headers, 1 hidden".
  func summary(of survey: Survey) -> String {
    var parts = survey.tallies.map { tally in
      "\(tally.count) \(tally.name)\(tally.count == 1 ? "" : "s")"
    }
    if parts.isEmpty { parts = ["no elements"] }
    if survey.hiddenCount > 0 { parts.append("\(survey.hiddenCount) hidden") }
    if direction == .rightToLeft { parts.append("right to left") }
    return parts.joined(separator: ", ")
  }

  /// "375 × 1809": the content's extent.
  var extentText: String {
    let extent: Markup = "\(contentSize.width) × \(contentSize.height)"
    return extent.text
  }
}
