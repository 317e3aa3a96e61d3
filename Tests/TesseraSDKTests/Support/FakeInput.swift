import CTessera

@testable import TesseraSDK

struct FakeInput {
  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var safeArea = Insets.zero
  var counts: [UInt64] = [20]
  var parameters: [tessera_value] = []
  var columns: [tessera_column] = []
  var functions: [tessera_function] = []
  var lists: [tessera_list] = []
  var offset = Point(x: 3, y: 4)
  var base: FakeBase?
  /// Only for stateless layouts; others keep the host of their creation.
  nonisolated(unsafe) private static let host = FakeHost()

  func pass<Result>(_ body: (UnsafePointer<tessera_input>) -> Result) -> Result {
    let starts = counts.reduce(into: [UInt64(0)]) { $0.append($0[$0.count - 1] + $1) }
    let noColumn = permanentArray([tessera_column(data: nil, stride: 0)])!
    let noList = tessera_list(count: 0, columns: noColumn)
    var input = tessera_input(
      struct_size: UInt32(MemoryLayout<tessera_input>.size), right_to_left: 0,
      host: Self.host.reference,
      viewport: tessera_rect(
        x: offset.x, y: offset.y, width: bounds.width, height: bounds.height),
      content_insets: contract(contentInsets), safe_area: contract(safeArea),
      layout_margins: contract(.zero), scale: 2, section_count: UInt32(counts.count), reserved: 0,
      section_starts: permanentArray(starts)!,
      parameters: permanentArray(parameters + [tessera_value()])!,
      values: permanentArray(columns + [noColumn.pointee])!,
      lists: permanentArray(lists + [noList])!,
      functions: permanentArray(functions + [tessera_function()])!, super: base?.reference,
      change: tessera_change(
        what: TESSERA_CHANGED_COUNTS, first_section: 1, first_item: 7, last_count: 0))
    return body(&input)
  }

  private func contract(_ insets: Insets) -> tessera_insets {
    tessera_insets(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}
