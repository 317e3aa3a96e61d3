import Foundation
import TestSupport

/// The processes of the machine, as listed in /proc.
enum Processes {
  /// Workers whose parent has exited, and exited workers that this process has not waited for.
  static var strayWorkers: Set<Int32> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return Set(names.compactMap { Int32($0) }.filter(isStrayWorker))
  }

  /// Waits until a condition holds, for at most ten seconds; returns whether it holds.
  static func settled(_ condition: () -> Bool) -> Bool {
    for _ in 0..<200 {
      if condition() { return true }
      usleep(50_000)
    }
    return condition()
  }

  /// Reads with as few calls as possible, since every test looks at every process.
  private static func isStrayWorker(_ process: Int32) -> Bool {
    guard let status = fopen("/proc/\(process)/stat", "re") else { return false }
    defer { fclose(status) }
    // "PID (NAME) STATE PARENT …": no worker has a name with a parenthesis in it.
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
    // A worker may have changed its name, but not its program.
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    return program == BuiltProducts.folder.appendingPathComponent("tessera-worker").path
  }
}
