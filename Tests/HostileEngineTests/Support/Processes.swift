import Foundation
import TestSupport

enum Processes {
  /// Orphaned workers, and zombies of this process.
  static var strayWorkers: Set<Int32> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return Set(names.compactMap { Int32($0) }.filter(isStrayWorker))
  }

  static func settled(_ condition: () -> Bool) -> Bool {
    for _ in 0..<200 {
      if condition() { return true }
      usleep(50_000)
    }
    return condition()
  }

  /// Few system calls: every test scans all processes.
  private static func isStrayWorker(_ process: Int32) -> Bool {
    guard let status = fopen("/proc/\(process)/stat", "re") else { return false }
    defer { fclose(status) }
    // "PID (NAME) STATE PARENT …"; worker names contain no parenthesis.
    var (number, state, parent) = (Int32(0), Int8(0), Int32(0))
    var name = [CChar](repeating: 0, count: 64)
    let count = withUnsafeMutablePointer(to: &number) { number in
      withUnsafeMutablePointer(to: &state) { state in
        withUnsafeMutablePointer(to: &parent) { parent in
          name.withUnsafeMutableBufferPointer { name in
            withVaList([number, name.baseAddress!, state, parent]) {
              vfscanf(status, "%d (%63[^)]) %c %d", $0)
            }
          }
        }
      }
    }
    guard count == 4 else { return false }
    if state == CChar(UInt8(ascii: "Z")) {
      return parent == getpid() && strcmp(name, "tessera-worker") == 0
    }
    guard parent == 1 else { return false }
    // A worker can change its name, but not its executable.
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    return program == BuiltProducts.folder.appendingPathComponent("tessera-worker").path
  }
}
