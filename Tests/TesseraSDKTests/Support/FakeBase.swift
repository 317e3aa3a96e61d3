import CTessera

@testable import TesseraSDK

/// A recording base with parameters `spacing`, `itemSize` and `side`, a section value `gap`, an
/// item value `size` and a list `stops` of `width` and `side`.
final class FakeBase {
  private(set) var calls: [String] = []
  private var spacing = 4.0
  private var itemSize = tessera_size(width: 5, height: 6)
  private var stopCount = 2
  let gaps = permanent(repeating: 7.0, count: 2)
  let sizes = permanent(repeating: tessera_size(width: 8, height: 9), count: 5)
  let widths = permanent(repeating: 20.0, count: 4)
  let sides = permanent(repeating: Int32(1), count: 4)
  var answer = TESSERA_OK
  var overrideAnswer = TESSERA_OK

  private(set) lazy var reference = lend(
    tessera_super(
      struct_size: UInt32(MemoryLayout<tessera_super>.size), reserved: 0,
      get: { FakeBase.at($0).get($1, $2, &$3.pointee) },
      get_values: { FakeBase.at($0).getColumn(text($1), $3, &$4.pointee) },
      set: { FakeBase.at($0).set($1, $2, $3.pointee) },
      set_choice: { FakeBase.at($0).override("\(text($1)) = \(text($2))") },
      set_values: {
        FakeBase.at($0).setColumn(text($1), $3, &$4.pointee, "\(text($1)) for all")
      },
      set_function: { _, _, _, _ in TESSERA_ERROR_NOT_FOUND },
      prepare: { base, output in
        output.pointee.set_content_size(output, tessera_size(width: 30, height: 40))
        return FakeBase.at(base).note("prepare")
      },
      adjust: { base, rect, _ in FakeBase.at(base).note("adjust \(rect.y)") },
      elements_in_rect: { base, rect, _ in FakeBase.at(base).note("elements \(rect.y)") },
      element: { base, run, _ in FakeBase.at(base).note("element \(run.pointee.first_item)") },
      still_valid: { base in FakeBase.at(base).note("stillValid") == TESSERA_OK ? 1 : 0 },
      get_list: { base, name, count in
        guard text(name) == "stops" else { return TESSERA_ERROR_NOT_FOUND }
        count.pointee = UInt64(FakeBase.at(base).stopCount)
        return TESSERA_OK
      },
      get_column: { FakeBase.at($0).getColumn("\(text($1)).\(text($2))", $3, &$4.pointee) },
      set_list: { base, name, count in
        guard text(name) == "stops" else { return TESSERA_ERROR_NOT_FOUND }
        FakeBase.at(base).stopCount = Int(count)
        return FakeBase.at(base).override("\(count) stops")
      },
      set_column: {
        FakeBase.at($0).setColumn(
          "\(text($1)).\(text($2))", $3, &$4.pointee, "\(text($2)) of \(text($1))")
      }), by: self)

  private static func at(_ base: UnsafeMutablePointer<tessera_super>) -> FakeBase {
    owner(of: base)
  }

  private func note(_ call: String) -> tessera_status {
    calls.append(call)
    return answer
  }

  private func override(_ call: String) -> tessera_status {
    calls.append(call)
    return overrideAnswer
  }

  private func get(
    _ name: UnsafePointer<CChar>, _ type: tessera_type, _ value: inout tessera_value
  ) -> tessera_status {
    switch (text(name), type) {
    case ("spacing", TESSERA_TYPE_NUMBER): value.number = spacing
    case ("itemSize", TESSERA_TYPE_SIZE): value.size = itemSize
    case ("spacing", _), ("itemSize", _): return TESSERA_ERROR_INVALID_VALUE
    default: return TESSERA_ERROR_NOT_FOUND
    }
    return TESSERA_OK
  }

  private func set(
    _ name: UnsafePointer<CChar>, _ type: tessera_type, _ value: tessera_value
  ) -> tessera_status {
    switch (text(name), type) {
    case ("spacing", TESSERA_TYPE_NUMBER):
      spacing = value.number
      return override("spacing = \(value.number)")
    case ("itemSize", TESSERA_TYPE_SIZE):
      itemSize = value.size
      return override("itemSize = \(value.size.width)×\(value.size.height)")
    default: return TESSERA_ERROR_NOT_FOUND
    }
  }

  private func column(
    _ name: String
  ) -> (type: tessera_type, data: UnsafeMutableRawPointer?, stride: UInt64)? {
    switch name {
    case "gap": (TESSERA_TYPE_NUMBER, UnsafeMutableRawPointer(gaps.baseAddress), 8)
    case "size": (TESSERA_TYPE_SIZE, UnsafeMutableRawPointer(sizes.baseAddress), 0)
    case "stops.width": (TESSERA_TYPE_NUMBER, UnsafeMutableRawPointer(widths.baseAddress), 8)
    case "stops.side": (TESSERA_TYPE_ENUM, UnsafeMutableRawPointer(sides.baseAddress), 0)
    default: nil
    }
  }

  private func getColumn(
    _ name: String, _ type: tessera_type, _ found: inout tessera_column
  ) -> tessera_status {
    guard let column = column(name) else { return TESSERA_ERROR_NOT_FOUND }
    guard column.type == type else { return TESSERA_ERROR_INVALID_VALUE }
    found = tessera_column(data: column.data, stride: column.stride)
    return TESSERA_OK
  }

  private func setColumn(
    _ name: String, _ type: tessera_type, _ data: inout UnsafeMutableRawPointer?, _ call: String
  ) -> tessera_status {
    guard let column = column(name), column.type == type else { return TESSERA_ERROR_NOT_FOUND }
    data = column.data
    return override(call)
  }
}

private func text(_ name: UnsafePointer<CChar>) -> String { String(cString: name) }
