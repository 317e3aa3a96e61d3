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

  private let abi: (major: UInt32, minor: UInt32)

  init(abiMajor: UInt32 = UInt32(TESSERA_ABI_MAJOR), abiMinor: UInt32 = UInt32(TESSERA_ABI_MINOR)) {
    abi = (abiMajor, abiMinor)
  }

  private(set) lazy var reference = HostReference(
    lend(
      tessera_host(
        struct_size: UInt32(MemoryLayout<tessera_host>.size), abi_major: abi.major,
        abi_minor: abi.minor, reserved: 0,
        report: { host, status, message in
          FakeHost.at(host).reports.append(
            Report(status: status, message: String(cString: message)))
        },
        progress: { host, fraction in
          FakeHost.at(host).fractions.append(fraction)
          return FakeHost.at(host).wantsMore ? 1 : 0
        },
        extension: { _, _ in nil }), by: self))

  private(set) lazy var registry: RegistryReference = lend(
    tessera_registry(
      struct_size: UInt32(MemoryLayout<tessera_registry>.size), reserved: 0,
      add_engine: { (owner(of: $0) as FakeHost).take($1) }), by: self)

  var messages: [String] { reports.map(\.message) }

  private func take(_ engine: UnsafePointer<tessera_engine>) -> Status {
    let answer = registryAnswers.isEmpty ? TESSERA_OK : registryAnswers.removeFirst()
    if answer == TESSERA_OK { engines.append(engine) }
    return answer
  }

  private static func at(_ host: HostReference) -> FakeHost { owner(of: host) }
}

private struct Lent<Table> {
  let table: Table
  let owner: Unmanaged<AnyObject>
}

// A table of C functions, which find its owner by their first argument. Never freed.
func lend<Table>(_ table: Table, by owner: AnyObject) -> UnsafeMutablePointer<Table> {
  let lent = permanent(repeating: Lent(table: table, owner: .passUnretained(owner)), count: 1)
  return UnsafeMutableRawPointer(lent.baseAddress!).assumingMemoryBound(to: Table.self)
}

func owner<Owner: AnyObject, Table>(of table: UnsafePointer<Table>) -> Owner {
  let lent = UnsafeRawPointer(table).assumingMemoryBound(to: Lent<Table>.self)
  return unsafeDowncast(lent.pointee.owner.takeUnretainedValue(), to: Owner.self)
}

/// Never freed.
func permanent<Element>(
  repeating element: Element, count: Int
) -> UnsafeMutableBufferPointer<Element> {
  let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
  buffer.initialize(repeating: element)
  return buffer
}
