import CTesseraSystem
import Glibc

/// What runs in a worker's process: it gives up its rights, loads the libraries, and answers the host.
package enum WorkerProcess {
  /// Serves the host that started this process, until that ends it.
  package static func run() -> Never {
    let serving: WorkerServing
    do throws(HostError) {
      serving = try WorkerServing()
    } catch {
      // Started by hand, not by a host: there is nobody to talk to.
      let sentence = "tessera-worker: it is started by a host, not by hand: \(error.message)\n"
      sentence.utf8.withContiguousStorageIfAvailable { _ = write(2, $0.baseAddress, $0.count) }
      exit(64)
    }
    serving.run()
  }
}
