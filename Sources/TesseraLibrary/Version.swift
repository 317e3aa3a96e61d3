import CTesseraHost

/// The version of the library's interface: its major times 65536 plus its minor.
@c @implementation
public func tessera_host_version() -> UInt32 {
  UInt32(TESSERA_HOST_MAJOR) << 16 | UInt32(TESSERA_HOST_MINOR)
}
