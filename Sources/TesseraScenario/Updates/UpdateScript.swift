/// A change of the data as it is written: the scenarios before and after it, and what happens to the
/// items.
public struct UpdateScript: Equatable, Sendable {
  /// What happens to the items.
  public enum Change: Equatable, Sendable {
    /// Operations, which say it outright.
    case operations([UpdateOperation])
    /// Who the items of each section are, from which the operations follow.
    case identities(before: [[String]], after: [[String]])
  }

  /// What is laid out before the change.
  public var before: Scenario
  /// What is laid out after the change, where this differs from what was before.
  public var after: Scenario
  /// What happens to the items.
  public var change: Change

  /// A change of the data.
  public init(before: Scenario, after: Scenario, change: Change) {
    self.before = before
    self.after = after
    self.change = change
  }

  /// The batch of the change, between the item counts of the two scenarios.
  ///
  /// Throws `.invalidInput`, naming the key: operations that contradict each other or the counts,
  /// identities that occur twice.
  func batch(from before: [Int], to after: [Int]) throws(HostError) -> UpdateBatch {
    do throws(HostError) {
      switch change {
      case .operations(let operations):
        return try UpdateBatch(operations, before: before, after: after)
      case .identities(let old, let new): return try UpdateBatch(from: old, to: new)
      }
    } catch {
      throw HostError(error.kind, "\(change.key): \(error.message)")
    }
  }
}

extension UpdateScript.Change {
  fileprivate var key: String {
    switch self {
    case .operations: "operations"
    case .identities: "identities"
    }
  }
}
