import CTessera
import Glibc
import TesseraCatalog

/// The `tessera_host` that an engine is given, and what it said through it.
package final class HostTable {
  /// Asked how far a call is; false stops it.
  package var progress: (@Sendable (Double) -> Bool)?
  /// Answers tessera.query/1: the output that holds what meets a rect, or a status that says why not.
  package var query: ((tessera_rect) -> Result<UnsafeMutablePointer<tessera_output>, QueryRefusal>)?
  /// The last failure that the engine reported since `clear`.
  package private(set) var failure: String?
  /// The warnings that it reported since `clear`, at most a hundred.
  package private(set) var warnings: [String] = []
  /// Whether progress has said stop since `clear`.
  package private(set) var isCancelled = false

  private struct Box {
    var table: tessera_host
    var owner: Unmanaged<HostTable>
  }
  private let box: UnsafeMutablePointer<Box>

  package init() {
    box = .allocate(capacity: 1)
    box.initialize(
      to: Box(
        table: tessera_host(
          struct_size: UInt32(MemoryLayout<tessera_host>.size),
          abi_major: ABIVersion.current.major, abi_minor: ABIVersion.current.minor, reserved: 0,
          report: reportToHost, progress: reportProgressToHost, extension: hostExtension),
        owner: .passUnretained(self)))
  }

  deinit { box.deallocate() }

  /// What the engine is handed; valid as long as this object.
  package var pointer: UnsafePointer<tessera_host> {
    UnsafeRawPointer(box).assumingMemoryBound(to: tessera_host.self)
  }

  /// Forgets what was said.
  package func clear() {
    failure = nil
    warnings.removeAll()
    isCancelled = false
  }

  fileprivate static func owner(of table: UnsafePointer<tessera_host>) -> HostTable {
    UnsafeRawPointer(table).assumingMemoryBound(to: Box.self).pointee.owner.takeUnretainedValue()
  }

  /// Keeps a sentence that goes with a status.
  package func note(_ status: tessera_status, _ message: String) {
    if status != TESSERA_OK {
      failure = message
    } else if warnings.count < 100 {
      warnings.append(message)
    }
  }

  fileprivate func goesOn(_ fraction: Double) -> Bool {
    if let progress, !isCancelled { isCancelled = !progress(min(max(0, fraction), 1)) }
    return !isCancelled
  }
}

// C callbacks are free functions: one formed in code of the main actor would check its executor at
// every call.

private func reportToHost(
  _ host: UnsafePointer<tessera_host>, _ status: tessera_status, _ message: UnsafePointer<CChar>
) {
  HostTable.owner(of: host).note(status, ForeignText.repair(message))
}

private func reportProgressToHost(_ host: UnsafePointer<tessera_host>, _ fraction: Double) -> Int32
{
  HostTable.owner(of: host).goesOn(fraction) ? 1 : 0
}

private func hostExtension(
  _ host: UnsafePointer<tessera_host>, _ id: UnsafePointer<CChar>
) -> UnsafeRawPointer? {
  strcmp(id, TESSERA_QUERY) == 0 ? UnsafeRawPointer(queryTable) : nil
}

/// Why a query of an engine over its own layout is not answered.
package struct QueryRefusal: Error {
  package let status: tessera_status


  package init(status: tessera_status) {
    self.status = status
  }}

/// The one table of tessera.query/1, for all hosts of the process.
private nonisolated(unsafe) let queryTable: UnsafePointer<tessera_query> = {
  let table = UnsafeMutablePointer<tessera_query>.allocate(capacity: 1)
  table.initialize(
    to: tessera_query(
      struct_size: UInt32(MemoryLayout<tessera_query>.size), reserved: 0,
      elements_in_rect: queryElements))
  return UnsafePointer(table)
}()

private func queryElements(
  _ host: UnsafePointer<tessera_host>, _ rect: tessera_rect,
  _ output: UnsafeMutablePointer<UnsafeMutablePointer<tessera_output>?>
) -> tessera_status {
  guard let query = HostTable.owner(of: host).query else { return TESSERA_WRONG_STATE }
  switch query(rect) {
  case .success(let table):
    output.pointee = table
    return TESSERA_OK
  case .failure(let refusal):
    return refusal.status
  }
}
