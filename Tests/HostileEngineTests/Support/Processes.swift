import Foundation

/// The processes of the machine, as /proc tells them.
enum Processes {
  /// Those that have a file mapped, this one left out.
  static func mapping(_ path: String) -> [Int32] {
    all.filter { $0 != getpid() && read("/proc/\($0)/maps").contains(path) }
  }

  /// Workers whose parent is gone, and ended ones of this process that nobody has waited for.
  static var strayWorkers: Set<Int32> {
    Set(
      all.filter { process in
        let status = read("/proc/\(process)/stat")
        guard let end = status.lastIndex(of: ")") else { return false }
        let name = status[..<end].drop { $0 != "(" }.dropFirst()
        let fields = status[end...].split(separator: " ").dropFirst()
        guard let state = fields.first, let parent = fields.dropFirst().first.flatMap({ Int32($0) })
        else { return false }
        let program = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/exe")
        let isWorker = name == "tessera-worker" || program?.hasSuffix("/tessera-worker") == true
        return isWorker && (parent == 1 || (state == "Z" && parent == getpid()))
      })
  }

  /// What a condition comes to once it holds, or after two seconds.
  static func settled(_ condition: () -> Bool) -> Bool {
    for _ in 0..<40 {
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
