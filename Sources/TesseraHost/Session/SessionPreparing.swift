import Glibc
import Synchronization
import TesseraCatalog
import TesseraRuntime

extension Session {
  /// Waits for a prepare on another thread, unless this is that thread.
  @inline(__always)
  func waitForPrepare() {
    if preparation != nil { waitForPreparation() }
  }

  @inline(never)
  private func waitForPreparation() { preparation?.wait() }
}

/// A prepare of a session on a thread of its own.
///
/// All functions but `cancel` are called by the thread that uses the session.
package final class Preparation: @unchecked Sendable {
  private let session: Session
  private let isCancelled = Atomic<Bool>(false)
  /// The thread, as it knows itself; 0 before it runs.
  private let itself = Atomic<UInt>(0)
  private var thread = pthread_t()
  private var finished: @Sendable () -> Void = {}
  private var failure: HostError?

  package init(_ session: Session) { self.session = session }

  /// Starts the thread.
  ///
  /// - Parameter finished: Called by the thread at its end.
  /// - Throws: `.unavailable` if the system provides no thread.
  package func start(_ finished: @escaping @Sendable () -> Void) throws(HostError) {
    session.waitForPrepare()
    self.finished = finished
    session.preparation = self
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Preparation>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      session.preparation = nil
      throw HostError(
        .systemLimit, "the system provides no thread to prepare a layout; try again later")
    }
  }

  /// Cancels the prepare once the engine reports its progress.
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

  /// Waits until the thread has ended, unless this is it.
  func wait() {
    guard itself.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
    pthread_join(thread, nil)
    session.preparation = nil
  }

  /// Waits until the thread has ended.
  ///
  /// - Throws: The error of the prepare.
  package func finish() throws(HostError) {
    if session.preparation === self { wait() }
    if let failure { throw failure }
  }
}
