public import CTessera

/// The host that a library registers with.
public typealias HostReference = UnsafePointer<tessera_host>

/// Where a library registers its engines.
public typealias RegistryReference = UnsafeMutablePointer<tessera_registry>
