import CTesseraSystem
import Glibc

/// State behind a lock.
///
/// A `Mutex` keeps the number of its owner's thread, which Swift looks up once for each thread. In a forked
/// process that is a thread of the parent, for which others would wait forever.
package final class Locked<State>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let ownsLock: Bool
  private var state: State

  /// The state of one object.
  package init(_ state: State) {
    lock = .allocate(capacity: 1)
    (self.state, ownsLock) = (state, true)
    pthread_mutex_init(lock, nil)
  }

  /// The state of the whole process, once for each number, behind a lock that no fork finds held: a forked
  /// process has the state as it was between two uses.
  ///
  /// - Parameter number: One of the `TESSERA_LOCK` numbers, which say in what order locks are taken.
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
