import Dispatch
import Foundation
import Synchronization

/// Does something for each of some values on as many threads as there are processors, and tells how
/// far it is; the results in order.
func inParallel<Value: Sendable, Result: Sendable>(
  _ values: [Value], jobs: Int = ProcessInfo.processInfo.activeProcessorCount,
  progress: @escaping @Sendable (Int) -> Void = { _ in },
  _ work: @escaping @Sendable (Value) throws -> Result
) throws -> [Result] {
  let state = Mutex(ParallelState<Result>())
  let group = DispatchGroup()
  for _ in 0..<min(max(1, jobs), max(1, values.count)) {
    group.enter()
    Thread.detachNewThread {
      while let index = state.withLock({ (state: inout ParallelState<Result>) -> Int? in
        guard state.failure == nil, state.next < values.count else { return nil }
        state.next += 1
        return state.next - 1
      }) {
        do {
          let result = try work(values[index])
          let done = state.withLock { state in
            state.results[index] = result
            state.done += 1
            return state.done
          }
          progress(done)
        } catch {
          state.withLock { $0.failure = error }
        }
      }
      group.leave()
    }
  }
  group.wait()
  return try state.withLock { state in
    if let failure = state.failure { throw failure }
    return values.indices.compactMap { state.results[$0] }
  }
}

/// How far work on several threads is.
private struct ParallelState<Result: Sendable>: Sendable {
  var next = 0
  var done = 0
  var results: [Int: Result] = [:]
  var failure: (any Error)?

  init() {}
}
