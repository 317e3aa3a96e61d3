import Foundation
import TesseraHost
import TestSupport
import Testing

extension HostileEngineTests {
  @Suite struct BetweenCallsTests {
    /// An engine that takes all kernel memory it can stays below SECURITY.md's limit: page tables
    /// as counted by the kernel, plus maxima for mappings, full pipes, threads and signals.
    @Test func kernelMemoryOfAWorkerIsBounded() async {
      await #expect(processExitsWith: .success) { [workshop = Workshop.folder as String] in
        let library = try HostileLibrary(HostileCase("takes-kernel-memory", .lays), in: workshop)
        let session = try Session(Host(searchPath: SearchPath(folders: [])).engine(library.name))
        try session.setSections([6])
        #expect(try session.elements().count == 6)
        let result = try Program.run(
          "bash",
          [
            "-c",
            """
            for child in $(cat /proc/$0/task/*/children); do
              grep -q tessera-worker /proc/$child/comm || continue
              grep VmPTE: /proc/$child/status; wc -l </proc/$child/maps
            done
            """, "\(getpid())",
          ])
        let numbers = result.output.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        try #require(numbers.count == 2, "\(result)")
        let (mapping, pipe, stack, signal) = (512, 64 << 10, 16 << 10, 128)
        let bytes =
          (numbers[0] << 10) + numbers[1] * mapping + 64 * pipe + 256 * stack + 256 * signal
        #expect(numbers[1] > 10_000 && bytes <= 100 << 20, "\(numbers), \(bytes)")
      }
    }

    /// Memory filled after the layout kills the idle process; the next query reports it, then it
    /// recovers.
    @Test func memoryIsWatchedBetweenCalls() async {
      await #expect(processExitsWith: .success) { [workshop = Workshop.folder as String] in
        let hostile = HostileCase("fills-rows-later", flags: ["-DMICROSECONDS=20000"], .lays)
        let library = try HostileLibrary(hostile, in: workshop)
        var configuration = HostConfiguration()
        configuration.limits.memory = 256 << 20
        let host = Host(searchPath: SearchPath(folders: []), configuration: configuration)
        let session = try Session(host.engine(library.name))
        try session.setSections([6])
        #expect(try session.elements().count == 6)
        usleep(5_000_000)
        try session.setSections([7])
        let error = try #require(throws: HostError.self) { _ = try session.elements() }
        #expect(error.kind == .died)
        #expect(error.message.contains("used more than its limit of 256 MiB of memory in the time"))
        #expect(try session.elements().count == 7)
      }
    }
  }
}
