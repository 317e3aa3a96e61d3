import CTesseraSystem
import Glibc

/// State of the whole process, behind a lock that no fork finds held.
///
/// A process that is forked has the state as it was between two uses, and its own lock. A `Mutex` in its
/// place could be held for good there, by a thread that only the parent has.
package final class ProcessState<State>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  /// Creates the state, once for each number.
  ///
  /// - Parameter number: The lock, one of the `TESSERA_LOCK` numbers, which say in what order locks are taken.
  package init(_ state: State, lock number: Int32) {
    guard let lock = tessera_process_lock(number) else { fatalError("there is no memory") }
    (self.lock, self.state) = (lock, state)
  }

  /// Uses the state alone.
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&state)
  }
}

/// State of one object, behind a lock.
///
/// A `Mutex` keeps the number of its owner's thread, which Swift looks up once for each thread. In a forked
/// process that is a thread of the parent, for which others would wait forever.
package final class Locked<State>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Uses the state alone.
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&state)
  }
}
