import CTesseraHost
import TesseraHost

/// Makes a session of an engine.
@c @implementation
public func tessera_session_create(
  _ pointer: OpaquePointer?, _ engine: UnsafePointer<CChar>?,
  _ session: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  session?.pointee = nil
  return engines(pointer) { engines in
    let session = try Argument.present(session, "place for the session")
    let engine = try engines.host.engine(try Argument.text(engine, "engine's name"))
    session.pointee = Handle.give(SessionHandle(try Session(engine)))
  }
}

/// Ends a session.
@c @implementation
public func tessera_session_destroy(_ session: OpaquePointer?) { Handle.take(session) }

/// Has the engine destroy its layout.
@c @implementation
public func tessera_session_close(_ pointer: OpaquePointer?) -> Int32 {
  session(pointer) { try $0.session.close() }
}

/// The sentence of the last failure.
@c @implementation
public func tessera_session_message(_ session: OpaquePointer?) -> UnsafePointer<CChar>? {
  session?.handle(SessionHandle.self).failure
    ?? FixedText.pointer("the session is null; make it with tessera_session_create")
}

/// What the engine of a session declares.
@c @implementation
public func tessera_session_get_engine(
  _ pointer: OpaquePointer?, _ info: UnsafeMutablePointer<tessera_engine_info>?,
  _ infoSize: UInt64
) -> Int32 {
  session(pointer) { handle in
    let engine = handle.session.engine
    try write(
      tessera_engine_info(
        engine.description, library: engine.library, shadowedBy: nil, &handle.texts),
      to: info, size: infoSize)
  }
}
