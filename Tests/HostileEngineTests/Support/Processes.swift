import Foundation
import TestSupport

/// The processes of the machine, as /proc tells them.
enum Processes {
  /// Workers whose parent is gone, and ended ones of this process that nobody has waited for.
  static var strayWorkers: Set<Int32> {
    Set(
      all.filter { process in
        let status = read("/proc/\(process)/stat")
        guard let end = status.lastIndex(of: ")") else { return false }
        let fields = status[end...].split(separator: " ").dropFirst()
        guard let state = fields.first, let parent = fields.dropFirst().first.flatMap({ Int32($0) })
        else { return false }
        if state == "Z" {
          return parent == getpid() && status[..<end].hasSuffix("(tessera-worker")
        }
        guard parent == 1 else { return false }
        let program = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/exe")
        return program == BuiltProducts.folder.appendingPathComponent("tessera-worker").path
      })
  }

  /// What a condition comes to once it holds, or after ten seconds.
  static func settled(_ condition: () -> Bool) -> Bool {
    for _ in 0..<200 {
      if condition() { return true }
      usleep(50_000)
    }
    return condition()
  }

  private static var all: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }
  }

  private static func read(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
