import CTessera

@testable import TesseraSDK

/// A small host: registers engines, checks rows with guards, records calls.
final class FakeHost {
  struct Report: Equatable {
    let status: Status
    let message: String
  }

  private(set) var engines: [UnsafePointer<tessera_engine>] = []
  fileprivate(set) var reports: [Report] = []
  fileprivate(set) var fractions: [Double] = []
  /// Results of `add_engine` in order; then OK.
  var registryAnswers: [Status] = []
  var wantsMore = true

  private struct HostRecord {
    let host: tessera_host
    let owner: Unmanaged<FakeHost>
  }
  private struct RegistryRecord {
    let registry: tessera_registry
    let owner: Unmanaged<FakeHost>
  }
  private let hostRecord = UnsafeMutablePointer<HostRecord>.allocate(capacity: 1)
  private let registryRecord = UnsafeMutablePointer<RegistryRecord>.allocate(capacity: 1)

  init(abiMajor: UInt32 = UInt32(TESSERA_ABI_MAJOR), abiMinor: UInt32 = UInt32(TESSERA_ABI_MINOR)) {
    let owner = Unmanaged.passUnretained(self)
    hostRecord.initialize(
      to: HostRecord(
        host: tessera_host(
          struct_size: UInt32(MemoryLayout<tessera_host>.size), abi_major: abiMajor,
          abi_minor: abiMinor, reserved: 0,
          report: { host, status, message in
            FakeHost.at(host).reports.append(
              Report(status: status, message: String(cString: message)))
          },
          progress: { host, fraction in
            let owner = FakeHost.at(host)
            owner.fractions.append(fraction)
            return owner.wantsMore ? 1 : 0
          },
          extension: { _, _ in nil }),
        owner: owner))
    registryRecord.initialize(
      to: RegistryRecord(
        registry: tessera_registry(
          struct_size: UInt32(MemoryLayout<tessera_registry>.size), reserved: 0,
          add_engine: { registry, engine in
            let record = UnsafeRawPointer(registry).assumingMemoryBound(to: RegistryRecord.self)
            return record.pointee.owner.takeUnretainedValue().take(engine)
          }),
        owner: owner))
  }

  deinit {
    hostRecord.deallocate()
    registryRecord.deallocate()
  }

  var reference: HostReference {
    UnsafeRawPointer(hostRecord).assumingMemoryBound(to: tessera_host.self)
  }

  var registry: RegistryReference {
    UnsafeMutableRawPointer(registryRecord).assumingMemoryBound(to: tessera_registry.self)
  }

  private func take(_ engine: UnsafePointer<tessera_engine>) -> Status {
    let answer = registryAnswers.isEmpty ? TESSERA_OK : registryAnswers.removeFirst()
    if answer == TESSERA_OK { engines.append(engine) }
    return answer
  }

  private static func at(_ host: HostReference) -> FakeHost {
    UnsafeRawPointer(host).assumingMemoryBound(to: HostRecord.self)
      .pointee.owner.takeUnretainedValue()
  }
}
