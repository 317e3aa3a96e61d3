import TesseraHost

extension ElementIdentity {
  /// What a picture calls it: "cell 0.3", "header 1", and "badge 1.2" where the item is not 0.
  var name: String {
    guard let kind else { return "\(category.name) \(section).\(item)" }
    return item == 0 ? "\(kind) \(section)" : "\(kind) \(section).\(item)"
  }
}
