import CTessera
import Glibc
import TesseraCatalog

/// The `tessera_host` that an engine is given, and what the engine reported through it.
final class HostTable {
  /// Receives the progress of a call, from 0 to 1; returns false to cancel the call.
  var progress: (@Sendable (Double) -> Bool)?
  /// Where an engine's query finds its result.
  typealias Output = UnsafeMutablePointer<UnsafeMutablePointer<tessera_output>?>

  /// Answers `tessera.query/1`: sets the output to one with the elements that intersect a rect, or returns
  /// the status that explains why there is none.
  var query: ((tessera_rect, Output) -> tessera_status)?
  /// Answers `tessera.adjusting/1`: notes that the engine has nothing to adjust, or returns the status that
  /// explains why it may not say so.
  var noteNothingToAdjust: (() -> tessera_status)?
  /// The last failure that the engine reported since `clear`.
  private(set) var failure: String?
  /// The warnings that the engine reported since `clear`; the first hundred are kept.
  private(set) var warnings: [String] = []
  /// Whether `progress` has returned false since `clear`.
  private(set) var isCancelled = false

  /// The pointer to pass to the engine; valid as long as this object.
  private(set) var pointer: UnsafePointer<tessera_host>!

  /// - Parameter abi: The version as which the host serves the engine's library.
  init(abi: ABIVersion) {
    pointer = UnsafePointer(
      OwnedTable.allocate(
        tessera_host(
          struct_size: UInt32(MemoryLayout<tessera_host>.size),
          abi_major: abi.major, abi_minor: abi.minor, reserved: 0,
          report: { owner(of: $0).note($1, UntrustedText.repair($2)) },
          progress: { owner(of: $0).shouldContinue(at: $1) ? 1 : 0 },
          extension: { _, id in
            if strcmp(id, TESSERA_EXT_QUERY) == 0 { return UnsafeRawPointer(queryTable) }
            return strcmp(id, TESSERA_EXT_ADJUSTING) == 0 ? UnsafeRawPointer(adjustingTable) : nil
          }),
        of: .passUnretained(self)))
  }

  deinit { pointer.deallocate() }

  /// Whether there is something to discard, which is rare.
  private var hasReports = false

  /// Discards the reported failure, the warnings and the cancellation.
  func clear() {
    guard hasReports else { return }
    (failure, warnings, isCancelled, hasReports) = (nil, [], false, false)
  }

  /// Stores a message: as a warning with status OK, as the failure with any other.
  func note(_ status: tessera_status, _ message: String) {
    hasReports = true
    if status != TESSERA_OK {
      failure = message
    } else if warnings.count < 100 {
      warnings.append(message)
    }
  }

  fileprivate func shouldContinue(at fraction: Double) -> Bool {
    if let progress, !isCancelled, !progress(min(max(0, fraction), 1)) {
      (isCancelled, hasReports) = (true, true)
    }
    return !isCancelled
  }
}

/// A table of functions of the contract, and the object behind it, which the functions find by the address
/// of the table.
package struct OwnedTable<Table, Owner: AnyObject> {
  package var table: Table
  private var owner: Unmanaged<Owner>

  package init(table: Table, owner: Unmanaged<Owner>) {
    self.table = table
    self.owner = owner
  }

  /// Allocates a table, whose address identifies the owner until it is deallocated.
  static func allocate(_ table: Table, of owner: Unmanaged<Owner>) -> UnsafeMutablePointer<Table> {
    let place = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    place.initialize(to: Self(table: table, owner: owner))
    return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Table.self)
  }

  package static func owner(of table: UnsafePointer<Table>) -> Owner {
    UnsafeRawPointer(table).assumingMemoryBound(to: Self.self).pointee.owner.takeUnretainedValue()
  }
}

private func owner(of table: UnsafePointer<tessera_host>) -> HostTable {
  OwnedTable.owner(of: table)
}

/// A table of functions of the contract at an address that is valid until the process ends.
package func permanentTable<Table>(_ table: Table) -> UnsafePointer<Table> {
  let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
  place.initialize(to: table)
  return UnsafePointer(place)
}

/// The table of `tessera.query/1`, shared by every `HostTable` of the process.
private nonisolated(unsafe) let queryTable = permanentTable(
  tessera_query(
    struct_size: UInt32(MemoryLayout<tessera_query>.size), reserved: 0,
    elements_in_rect: { owner(of: $0).query?($1, $2) ?? TESSERA_ERROR_WRONG_STATE }))

/// The table of `tessera.adjusting/1`, shared by every `HostTable` of the process.
private nonisolated(unsafe) let adjustingTable = permanentTable(
  tessera_adjusting(
    struct_size: UInt32(MemoryLayout<tessera_adjusting>.size), reserved: 0,
    not_needed: { owner(of: $0).noteNothingToAdjust?() ?? TESSERA_ERROR_WRONG_STATE }))
