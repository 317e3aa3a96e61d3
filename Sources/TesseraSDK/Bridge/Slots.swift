import CTessera
import TesseraGeometry

// The functions of an engine's table, the same for every layout of the SDK. Free functions, because
// a C function formed in code that is bound to an actor checks its executor at every call.

func createLayout(
  engine: UnsafePointer<tessera_engine>, host: HostReference,
  layout: UnsafeMutablePointer<OpaquePointer?>
) -> tessera_status {
  let bound = BoundLayout(EngineRecord.type(of: engine).init(), host: host)
  layout.pointee = OpaquePointer(Unmanaged.passRetained(bound).toOpaque())
  return TESSERA_OK
}

func destroyLayout(layout: OpaquePointer?) {
  guard let layout else { return }
  Unmanaged<BoundLayout>.fromOpaque(UnsafeRawPointer(layout)).release()
}

func prepareLayout(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  withBound(layout) { bound in
    guard let preparing = bound.abilities.preparing else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try preparing.prepare(input, into: Output(pointer: output, host: bound.host))
    }
  }
}

func adjustLayout(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, rect: tessera_rect,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  withBound(layout) { bound in
    guard let adjusting = bound.abilities.adjusting else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try adjusting.adjust(
        input, rect: Rect(rect), into: Output(pointer: output, host: bound.host))
    }
  }
}

func layoutElementsInRect(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, rect: tessera_rect,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  withBound(layout) { bound in
    guard let lazy = bound.abilities.lazy else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try lazy.elementsInRect(
        Rect(rect), input: input, into: Output(pointer: output, host: bound.host))
    }
  }
}

func layoutElement(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, run: UnsafePointer<tessera_run>,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  withBound(layout) { bound in
    guard let lazy = bound.abilities.lazy else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try lazy.element(
        Run(run.pointee), input: input, into: Output(pointer: output, host: bound.host))
    }
  }
}

func layoutStillValid(layout: OpaquePointer?, input: UnsafePointer<tessera_input>) -> Int32 {
  var answer: Int32 = 0
  _ = withBound(layout) { bound in
    guard let reusable = bound.abilities.reusable else { return TESSERA_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      answer = reusable.stillValid(input) ? 1 : 0
    }
  }
  return answer
}

func withBound(
  _ layout: OpaquePointer?, _ body: (BoundLayout) -> tessera_status
) -> tessera_status {
  guard let layout else { return TESSERA_WRONG_STATE }
  return Unmanaged<BoundLayout>.fromOpaque(UnsafeRawPointer(layout))._withUnsafeGuaranteedRef(body)
}
