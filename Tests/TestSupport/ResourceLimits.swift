import Foundation

/// The kernel's limits of a process's resources, and which of them the sandbox leaves alone.
public enum ResourceLimits {
  /// The limits that the sandbox does not set, each with the reason.
  public static let unset = [
    "Max resident set": "Linux has ignored it since 2.4.30",
    "Max file locks": "Linux has ignored it since 2.4.25",
    "Max realtime timeout": "it counts only with real-time scheduling, which the sandbox forbids",
  ]

  /// What is wrong with the limits of a process in the sandbox.
  ///
  /// - Parameters:
  ///   - text: Its /proc/PID/limits, which has a row for each limit that the kernel has.
  ///   - most: The highest value of each limit that the sandbox sets.
  public static func problems(in text: String, most: [String: UInt64]) -> [String] {
    var left = Set(most.keys).union(unset.keys)
    // The first row names the columns.
    let rows = text.split(separator: "\n").dropFirst()
    var problems: [String] = rows.compactMap { row in
      // The kernel pads names to 25 characters.
      let name = row.prefix(25).trimmingCharacters(in: .whitespaces)
      left.remove(name)
      if unset[name] != nil { return nil }
      guard let most = most[name] else { return "\(name) is neither set nor left for a reason" }
      let values = row.dropFirst(25).split(separator: " ").prefix(2).map { UInt64($0) ?? .max }
      return values.count == 2 && values.allSatisfy { $0 <= most } ? nil : "\(row), over \(most)"
    }
    problems += left.sorted().map { "the kernel lists no \($0)" }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(UInt32(rows.count)), &limit) == 0 {
      problems.append("the kernel has more limits than the \(rows.count) that it lists")
    }
    return problems
  }
}
