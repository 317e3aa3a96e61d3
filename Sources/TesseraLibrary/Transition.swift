import CTesseraHost
import TesseraHost

/// Behind `tessera_moment`.
final class MomentHandle: Handle {
  let moment: LayoutMoment

  override class var isShared: Bool { true }

  init(_ moment: LayoutMoment) { self.moment = moment }
}

@c @implementation package func tessera_session_take_moment(
  _ pointer: OpaquePointer?, _ moment: Out<OpaquePointer?>
) -> Int32 { take(pointer, moment) { try $0.session.moment() } }

@c @implementation package func tessera_session_take_animated_moment(
  _ pointer: OpaquePointer?, _ progress: Double, _ moment: Out<OpaquePointer?>
) -> Int32 { take(pointer, moment) { try $0.lastAnimation().moment(at: progress) } }

private func take(
  _ pointer: OpaquePointer?, _ moment: Out<OpaquePointer?>,
  _ snapshot: (SessionHandle) throws -> LayoutMoment
) -> Int32 {
  moment?.pointee = nil
  return session(pointer) { handle in
    let moment = try notNull(moment, "place for the moment")
    moment.pointee = Handle.give(MomentHandle(try snapshot(handle)))
  }
}

@c @implementation package func tessera_moment_destroy(_ moment: OpaquePointer?) {
  Handle.take(moment)
}

@c @implementation package func tessera_session_transition(
  _ pointer: OpaquePointer?, _ from: OpaquePointer?, _ trackCount: Out<UInt64>
) -> Int32 {
  transition(pointer, trackCount) { handle in
    try handle.using(from, "moment", MomentHandle.self) {
      LayoutAnimation(from: $0.moment, to: try handle.session.moment())
    }
  }
}

@c @implementation package func tessera_session_transition_visible(
  _ pointer: OpaquePointer?, _ from: OpaquePointer?, _ trackCount: Out<UInt64>
) -> Int32 {
  transition(pointer, trackCount) { handle in
    try handle.using(from, "other session", SessionHandle.self) {
      try LayoutAnimation(fromVisible: $0.session, to: handle.session)
    }
  }
}

private func transition(
  _ pointer: OpaquePointer?, _ trackCount: Out<UInt64>,
  _ animation: (SessionHandle) throws -> LayoutAnimation
) -> Int32 {
  session(pointer) { handle in
    let trackCount = try notNull(trackCount, "place for the track count")
    let animation = try animation(handle)
    handle.animation = animation
    trackCount.pointee = UInt64(animation.tracks.count)
  }
}

extension Session {
  fileprivate func moment() throws(HostError) -> LayoutMoment {
    LayoutMoment(elements: try elements(), contentSize: try contentSize(), offset: offset)
  }
}
