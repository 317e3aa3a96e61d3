import CTessera
import Glibc
import TesseraCatalog

final class HostTable {
  /// 0...1; returning false cancels the call.
  var progress: (@Sendable (Double) -> Bool)?
  typealias Output = UnsafeMutablePointer<UnsafeMutablePointer<tessera_output>?>

  /// `tessera.query/1`: sets the output to the elements in a rect, or returns why not.
  var query: ((tessera_rect, Output) -> tessera_status)?
  /// `tessera.adjusting/1`: returns a status if it isn't allowed now.
  var noteNothingToAdjust: (() -> tessera_status)?
  /// The last since `clear`.
  private(set) var failure: String?
  /// Since `clear`; at most a hundred.
  private(set) var warnings: [String] = []
  private(set) var isCancelled = false
  /// Gets progress before clamping, in examinations.
  var observe: ((Double) -> Void)?
  var hidesExtensions = false

  /// For the engine; valid as long as this object.
  private(set) var pointer: UnsafePointer<tessera_host>!
  private var own: UnsafePointer<tessera_host>!

  /// The version served to the library.
  init(abi: ABIVersion) {
    own = UnsafePointer(
      OwnedTable.allocate(
        tessera_host(
          struct_size: UInt32(MemoryLayout<tessera_host>.size),
          abi_major: abi.major, abi_minor: abi.minor, reserved: 0,
          report: { owner(of: $0).note($1, UntrustedText.repair($2)) },
          progress: { owner(of: $0).shouldContinue(at: $1) ? 1 : 0 },
          extension: { host, id in
            if owner(of: host).hidesExtensions { return nil }
            if strcmp(id, TESSERA_EXT_QUERY) == 0 { return UnsafeRawPointer(queryTable) }
            return strcmp(id, TESSERA_EXT_ADJUSTING) == 0 ? UnsafeRawPointer(adjustingTable) : nil
          }),
        of: .passUnretained(self)))
    pointer = own
  }

  deinit { own.deallocate() }

  /// In an examination, the engine gets a copy until it is destroyed.
  func lend(by examiner: any CallExaminer) {
    let size = MemoryLayout<OwnedTable<tessera_host, HostTable>>.size
    guard let copy = examiner.lendLasting(byteCount: size, "the tessera_host") else { return }
    copy.copyMemory(from: own, byteCount: size)
    pointer = UnsafePointer(copy.assumingMemoryBound(to: tessera_host.self))
  }

  func takeBack(by examiner: any CallExaminer) {
    guard pointer != own else { return }
    examiner.takeBack(UnsafeMutableRawPointer(mutating: pointer))
    pointer = own
  }

  private var hasReports = false

  func clear() {
    guard hasReports else { return }
    (failure, warnings, isCancelled, hasReports) = (nil, [], false, false)
  }

  /// A warning with status OK, otherwise the failure.
  func note(_ status: tessera_status, _ message: String) {
    hasReports = true
    if status != TESSERA_OK {
      failure = message
    } else if warnings.count < 100 {
      warnings.append(message)
    }
  }

  fileprivate func shouldContinue(at fraction: Double) -> Bool {
    observe?(fraction)
    if let progress, !isCancelled, !progress(min(max(0, fraction), 1)) {
      (isCancelled, hasReports) = (true, true)
    }
    return !isCancelled
  }
}

/// A table of contract functions, which find their owner by its address.
package struct OwnedTable<Table, Owner: AnyObject> {
  package var table: Table
  private var owner: Unmanaged<Owner>

  package init(table: Table, owner: Unmanaged<Owner>) {
    self.table = table
    self.owner = owner
  }

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

/// Valid until the process ends.
package func permanentTable<Table>(_ table: Table) -> UnsafePointer<Table> {
  let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
  place.initialize(to: table)
  return UnsafePointer(place)
}

/// Shared by every `HostTable`.
private nonisolated(unsafe) let queryTable = permanentTable(
  tessera_query(
    struct_size: UInt32(MemoryLayout<tessera_query>.size), reserved: 0,
    elements_in_rect: { owner(of: $0).query?($1, $2) ?? TESSERA_ERROR_WRONG_STATE }))

private nonisolated(unsafe) let adjustingTable = permanentTable(
  tessera_adjusting(
    struct_size: UInt32(MemoryLayout<tessera_adjusting>.size), reserved: 0,
    not_needed: { owner(of: $0).noteNothingToAdjust?() ?? TESSERA_ERROR_WRONG_STATE }))
