import TesseraHost

/// Sessions that the samples of a case use one after the other, each with a new layout.
///
/// A new layout in a process that is there takes a hundredth of the time that a new process does.
final class SessionPool {
  private var sessions: [Session] = []
  private var usedCount = 0
  private var isClosed = false

  /// How many processes are kept at once.
  private static let most = 12

  /// Whether nothing has been used yet, so that every session it gives is a new one.
  var isNew: Bool { sessions.isEmpty }

  /// Begins with the next sample.
  func beginSample() { usedCount = 0 }

  /// A session with a new layout, in a process that this sample has not used: what a process keeps
  /// beside its layouts must not be compared with itself.
  func session(
    _ make: () throws(HostError) -> Session
  ) throws(HostError) -> Session {
    if usedCount < sessions.count {
      let session = sessions[usedCount]
      usedCount += 1
      if (try? session.renew()) != nil { return session }
      // Its end is the business of the cases that look at it; here it would cost time and again.
      isClosed = true
      sessions = []
    }
    let session = try make()
    if !isClosed, sessions.count < Self.most {
      sessions.append(session)
      usedCount = sessions.count
    }
    return session
  }
}
