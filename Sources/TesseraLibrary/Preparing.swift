import CTesseraHost
import Glibc
import TesseraHost

/// A prepare on another thread, with a descriptor that reports its end.
final class ReportedPreparation {
  /// Becomes readable when the thread has finished.
  let descriptor: Int32
  private let signal: Int32
  private let session: Session
  /// Nil if the program's functions take part; they run on its own thread.
  private let preparation: Preparation?

  /// - Throws: `.refused` if out of descriptors or threads.
  init(_ session: Session) throws(HostError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw HostError(
        .systemLimit, "the system provides no descriptors to prepare a layout; try again later")
    }
    let signal = ends[1]
    let send: @Sendable () -> Void = {
      var byte: UInt8 = 1
      _ = write(signal, &byte, 1)
    }
    (descriptor, self.signal, self.session) = (ends[0], signal, session)
    preparation = session.asksProgram ? nil : Preparation(session)
    if let preparation { try preparation.start(send) } else { send() }
  }

  deinit {
    try? preparation?.finish()
    close(descriptor)
    close(signal)
  }

  func finish() throws(HostError) {
    if let preparation { try preparation.finish() } else { try session.prepare() }
  }
}

@c @implementation package func tessera_session_prepare_begin(
  _ pointer: OpaquePointer?, _ descriptor: Out<Int32>
) -> Int32 {
  session(pointer, pins: false) { handle in
    let descriptor = try notNull(descriptor, "place for the descriptor")
    let preparation = try ReportedPreparation(handle.session)
    descriptor.pointee = preparation.descriptor
    handle.preparation = preparation
  }
}

@c @implementation package func tessera_session_prepare_finish(_ pointer: OpaquePointer?) -> Int32 {
  session(pointer, reads: true) { handle in
    guard let preparation = handle.preparation else {
      throw Misuse("no prepare has begun; call tessera_session_prepare_begin first")
    }
    handle.preparation = nil
    try preparation.finish()
  }
}
