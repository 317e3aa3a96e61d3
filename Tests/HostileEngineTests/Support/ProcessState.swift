import Foundation

struct ProcessState {
  let descriptors: [String: String]
  let threads: Int
  let mappings: Int
  let folder: String
  let locale: String
  let environment: [String: String]
  let handlers: String

  /// Suffix from the kernel for deleted files.
  private static let deleted = " (deleted)"

  static var now: ProcessState {
    let manager = FileManager.default
    func names(_ path: String) -> [String] {
      (try? manager.contentsOfDirectory(atPath: path)) ?? []
    }
    func text(_ path: String) -> Substring {
      String(decoding: manager.contents(atPath: path) ?? Data(), as: UTF8.self)[...]
    }
    var descriptors: [String: String] = [:]
    // Skip the descriptor of this listing, already closed.
    for name in names("/proc/self/fd") {
      let target = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
      // The host caches library copies.
      guard let target, !target.hasPrefix("/memfd:lib") else { continue }
      // An inherited file may be deleted by the parent.
      descriptors[name] =
        target.hasSuffix(Self.deleted) ? String(target.dropLast(Self.deleted.count)) : target
    }
    // Of this thread: others briefly block signals.
    let status = text("/proc/thread-self/status").split(separator: "\n")
    let signals = status.filter { $0.hasPrefix("Sig") }
    return ProcessState(
      descriptors: descriptors, threads: names("/proc/self/task").count,
      mappings: text("/proc/self/maps").split(separator: "\n").count,
      folder: manager.currentDirectoryPath,
      locale: setlocale(LC_ALL, nil).map { String(cString: $0) } ?? "",
      environment: ProcessInfo.processInfo.environment,
      handlers: signals.filter { !$0.hasPrefix("SigQ") }.joined(separator: " "))
  }

  func changes(since before: ProcessState) -> [String] {
    var changes: [String] = []
    // A compiler's socket may close slightly after its exit.
    let gone = before.descriptors.filter {
      descriptors[$0.key] == nil && !$0.value.hasPrefix("socket:")
    }
    let new = descriptors.filter { before.descriptors[$0.key] != $0.value }
    if !gone.isEmpty || !new.isEmpty { changes.append("descriptors: gone \(gone), new \(new)") }
    if threads > before.threads + 2 { changes.append("\(before.threads) threads → \(threads)") }
    if mappings > before.mappings + 24 {
      changes.append("\(before.mappings) mappings → \(mappings)")
    }
    if folder != before.folder { changes.append("the working folder is \(folder)") }
    if locale != before.locale { changes.append("the locale is \(locale)") }
    if environment != before.environment { changes.append("the environment changed") }
    if handlers != before.handlers { changes.append("\(before.handlers) became \(handlers)") }
    return changes
  }
}
