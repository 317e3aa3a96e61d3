import Foundation

/// What this process has and uses, as /proc tells it.
enum OwnProcess {
  /// Its children, those that have ended and nobody has waited for among them.
  static var children: [Int32] { children(of: getpid()) }

  /// The children of any process.
  static func children(of process: Int32) -> [Int32] {
    names("/proc/\(process)/task").flatMap { thread in
      read("/proc/\(process)/task/\(thread)/children").split(separator: " ")
        .compactMap { Int32($0) }
    }
  }

  /// What its descriptors lead to, in order.
  static var descriptors: [String] {
    names("/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.sorted()
  }
  static var threads: Int { names("/proc/self/task").count }
  static var mappings: Int { read("/proc/self/maps").split(separator: "\n").count }

  /// Whether a process is there and has not ended, waited for or not.
  static func isRunning(_ process: Int32) -> Bool {
    let status = read("/proc/\(process)/stat")
    guard let end = status.lastIndex(of: ")") else { return false }
    return status[end...].dropFirst(2).first != "Z"
  }

  /// Memory in use, in bytes.
  static var residentBytes: Int {
    let pages = read("/proc/self/statm").split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * 4096
  }

  /// What lies where programs leave things behind.
  static var temporaries: Set<String> {
    Set(
      (names("/tmp") + names("/dev/shm")).filter {
        $0.contains("tessera") && !$0.hasPrefix("tessera-test-")
      })
  }

  private static func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private static func read(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}

/// Waits until a condition holds, for so many seconds at most, and says whether it does.
func settles(within seconds: Double, _ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(2000)
  }
  return true
}
