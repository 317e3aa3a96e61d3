import CTesseraSystem
import Glibc

/// State behind a lock.
///
/// A `Mutex` caches the owner's thread number, which a fork makes invalid: others wait forever.
package final class Locked<State>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let ownsLock: Bool
  private var state: State

  package init(_ state: State) {
    lock = .allocate(capacity: 1)
    (self.state, ownsLock) = (state, true)
    pthread_mutex_init(lock, nil)
  }

  /// - Parameter number: A `TESSERA_LOCK` number, which defines the order of locking.
  package init(_ state: State, lock number: Int32) {
    guard let lock = tessera_process_lock(number) else { fatalError("there is no memory") }
    (self.lock, self.state, ownsLock) = (lock, state, false)
  }

  deinit {
    guard ownsLock else { return }
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&state)
  }
}
