import CTesseraHost
import TesseraHost

/// Tracks of the last update.
@c @implementation
public func tessera_session_copy_tracks(
  _ pointer: OpaquePointer?, _ first: UInt64, _ from: UnsafeMutablePointer<tessera_element>?,
  _ to: UnsafeMutablePointer<tessera_element>?, _ fates: UnsafeMutablePointer<UInt32>?,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  session(pointer) { handle in
    let count = try Argument.present(count, "place for the count")
    let origins = try ElementRoom(from, size: elementSize, capacity: capacity)
    let targets = try ElementRoom(to, size: elementSize, capacity: capacity)
    let tracks = try handle.lastAnimation().tracks.dropFirst(Int(clamping: first))
      .prefix(origins.capacity)
    for (place, track) in tracks.enumerated() {
      let (before, after) = (track.before ?? track.identity, track.after ?? track.identity)
      origins.write(tessera_element(track.from, as: before, &handle.kinds), at: place)
      targets.write(tessera_element(track.to, as: after, &handle.kinds), at: place)
      fates?[place] = track.fate
    }
    count.pointee = UInt64(tracks.count)
  }
}

/// The elements of the last update at a moment on their way.
@c @implementation
public func tessera_session_query_moment(
  _ pointer: OpaquePointer?, _ progress: Double, _ elements: UnsafeMutablePointer<tessera_element>?,
  _ elementSize: UInt64, _ capacity: UInt64, _ count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  session(pointer) { handle in
    let count = try Argument.present(count, "place for the count")
    let room = try ElementRoom(elements, size: elementSize, capacity: capacity)
    let moment = try handle.lastAnimation().elements(at: progress)
    for (place, element) in moment.prefix(room.capacity).enumerated() {
      room.write(tessera_element(element, as: element.identity, &handle.kinds), at: place)
    }
    count.pointee = UInt64(moment.count)
  }
}

extension SessionHandle {
  /// What the last update came to.
  fileprivate func lastAnimation() throws -> LayoutAnimation {
    guard let animation else {
      throw Misuse("nothing has been updated; call tessera_session_update first")
    }
    return animation
  }
}

extension AnimationTrack {
  /// Whether the element stays, appears or disappears.
  fileprivate var fate: UInt32 {
    before == nil ? TESSERA_APPEARS : after == nil ? TESSERA_DISAPPEARS : TESSERA_STAYS
  }
}
