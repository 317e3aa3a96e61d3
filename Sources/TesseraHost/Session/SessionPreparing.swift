import Glibc
import Synchronization
import TesseraCatalog
import TesseraRuntime

// Only `cancel` may be called from another thread.
package final class Preparation: @unchecked Sendable {
  private let session: Session
  private let isCancelled = Atomic<Bool>(false)
  /// The thread's own id; 0 before it runs.
  private let itself = Atomic<UInt>(0)
  private var thread = pthread_t()
  private var finished: @Sendable () -> Void = {}
  private var failure: HostError?

  package init(_ session: Session) { self.session = session }

  package func start(_ finished: @escaping @Sendable () -> Void) throws(HostError) {
    self.finished = finished
    session.settled.gate.preparation = self
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Preparation>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      session.gate.preparation = nil
      throw HostError(
        .systemLimit, "the system provides no thread to prepare a layout; try again later")
    }
  }

  /// Takes effect at the engine's next progress report.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  private func run() {
    itself.store(UInt(pthread_self()), ordering: .relaxed)
    let progress = session.progress
    session.progress = { [unowned self] done in
      (progress?(done) ?? true) && !isCancelled.load(ordering: .relaxed)
    }
    do throws(HostError) { try session.prepare() } catch { failure = error }
    session.progress = progress
    finished()
  }

  func wait() {
    guard itself.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
    pthread_join(thread, nil)
    session.gate.preparation = nil
  }

  package func finish() throws(HostError) {
    if session.gate.preparation === self { wait() }
    if let failure { throw failure }
  }
}
