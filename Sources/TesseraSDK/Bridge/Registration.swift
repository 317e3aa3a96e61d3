public import CTessera
import CTesseraNote

extension UnsafeMutablePointer<tessera_registry> {
  /// Registers layouts as engines: the whole of a library's exported function.
  ///
  /// ```swift
  /// @c(tessera_register)
  /// public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  ///   registry.add(Spiral.self, host: host)
  /// }
  /// ```
  ///
  /// - Returns: OK if the host took one of them; else why it took none.
  public func add(_ types: any Layout.Type..., host: HostReference) -> Status {
    let (major, minor) = (tessera_note_abi_major(), tessera_note_abi_minor())
    guard host.pointee.abi_major == major, host.pointee.abi_minor >= minor else {
      report(
        .unsupported(
          "the host speaks ABI \(host.pointee.abi_major).\(host.pointee.abi_minor), "
            + "this library needs \(major).\(minor) or a later \(major).x; update the host"),
        to: host)
      return TESSERA_UNSUPPORTED
    }
    var refusal = TESSERA_OK
    var isAnyTaken = false
    for type in types {
      let status = add(type, host: host)
      if status == TESSERA_OK {
        isAnyTaken = true
      } else if refusal == TESSERA_OK {
        refusal = status
      }
    }
    return isAnyTaken ? TESSERA_OK : refusal
  }

  private func add(_ type: any Layout.Type, host: HostReference) -> Status {
    do {
      return pointee.add_engine(self, try EngineRecord.permanent(for: type))
    } catch {
      report(error, to: host)
      return error.status
    }
  }
}

/// Tells the host about a failure, unless the host knows it already.
func report(_ failure: LayoutFailure, to host: HostReference) {
  failure.message?.withCString { host.pointee.report(host, failure.status, $0) }
}
