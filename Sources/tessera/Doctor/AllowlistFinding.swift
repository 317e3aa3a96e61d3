import TesseraHost

/// The allowlist as it was found.
struct AllowlistFinding {
  /// Whether this run of the command goes by it.
  let isInForce: Bool
  /// Its file; nil where there is no place for one.
  let file: String?
  /// How many libraries it holds; nil where there is no file.
  let count: Int?
  /// Why it cannot be used, in one sentence; nil where it can.
  let problem: String?

  init(named: String?, isInForce: Bool) {
    self.isInForce = isInForce
    do {
      let list = try Allowlist(file: Surroundings.allowlistFile(named))
      (file, problem) = (list.file, nil)
      count = list.exists ? list.entries.count : nil
    } catch {
      (file, count) = (named, nil)
      problem = (error as? CommandFailure)?.message ?? "\(error)"
    }
  }
}
