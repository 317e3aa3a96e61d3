import Foundation

/// A process's kernel limits, and the limits that the sandbox skips.
package enum ResourceLimits {
  /// Limits that the sandbox does not set, with reasons.
  package static let unset = [
    "Max resident set": "Linux has ignored it since 2.4.30",
    "Max file locks": "Linux has ignored it since 2.4.25",
    "Max realtime timeout": "it counts only with real-time scheduling, which the sandbox forbids",
  ]

  /// Wrong limits of a sandboxed process.
  ///
  /// - Parameters:
  ///   - text: Its /proc/PID/limits, with a row per limit.
  ///   - most: Maximum of each limit that the sandbox sets.
  package static func problems(in text: String, most: [String: UInt64]) -> [String] {
    var left = Set(most.keys).union(unset.keys)
    let rows = text.split(separator: "\n").dropFirst()
    var problems: [String] = rows.compactMap { row in
      // Names are padded to 25 characters.
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
