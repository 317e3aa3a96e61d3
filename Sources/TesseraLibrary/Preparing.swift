import CTesseraHost
import Glibc
import TesseraHost

/// A prepare on a thread of its own; ends with it.
final class Preparation {
  /// What the thread does, and how it ended.
  private final class Work: @unchecked Sendable {
    let session: Session
    let signal: Int32
    var failure: HostError?

    init(_ session: Session, signal: Int32) { (self.session, self.signal) = (session, signal) }

    func run() {
      do throws(HostError) { try session.prepare() } catch { failure = error }
      send()
    }

    /// Makes the other end readable.
    func send() {
      var byte: UInt8 = 1
      _ = write(signal, &byte, 1)
    }
  }

  /// Becomes readable once the thread has finished.
  let descriptor: Int32
  private let work: Work
  /// Nil if the functions of the program take part, which run on its own thread.
  private var thread: pthread_t?

  /// - Throws: `.refused` if the system provides no descriptors or no thread.
  init(_ session: Session) throws(HostError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Self.lacking("descriptors") }
    (descriptor, work) = (ends[0], Work(session, signal: ends[1]))
    guard !session.asksProgram else {
      work.send()
      return
    }
    var started = pthread_t()
    let context = Unmanaged.passRetained(work)
    let status = pthread_create(
      &started, nil,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      throw Self.lacking("a thread")
    }
    thread = started
  }

  private static func lacking(_ what: String) -> HostError {
    HostError(.systemLimit, "the system provides no \(what) to prepare a layout; try again later")
  }

  deinit {
    join()
    close(descriptor)
    close(work.signal)
  }

  private func join() {
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  /// Waits for the prepare, or does it on this thread.
  func finish() throws(HostError) {
    if thread == nil { work.run() }
    join()
    if let failure = work.failure { throw failure }
  }
}

/// Begins to prepare the layout on another thread.
@c @implementation
public func tessera_session_prepare_begin(
  _ pointer: OpaquePointer?, _ descriptor: UnsafeMutablePointer<Int32>?
) -> Int32 {
  session(pointer) { handle in
    let descriptor = try notNull(descriptor, "place for the descriptor")
    let preparation = try Preparation(handle.session)
    descriptor.pointee = preparation.descriptor
    handle.preparation = preparation
    handle.isPreparing = true
  }
}

/// Waits for the prepare on another thread.
@c @implementation
public func tessera_session_prepare_finish(_ pointer: OpaquePointer?) -> Int32 {
  guard let handle = pointer?.handle(SessionHandle.self) else { return Int32.misused }
  let preparation = handle.preparation
  // A callback of the prepare must not end it.
  if handle.stage == .idle { handle.isPreparing = false }
  return handle.perform {
    guard let preparation else {
      throw Misuse("no prepare has begun; call tessera_session_prepare_begin first")
    }
    defer { handle.preparation = nil }
    try preparation.finish()
  }
}
