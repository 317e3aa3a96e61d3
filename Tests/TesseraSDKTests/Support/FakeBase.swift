import CTessera

@testable import TesseraSDK

/// A base as a host presents it: it has a number `spacing`, a size `itemSize`, a choice `side`, a
/// number `gap` for each section, a size `size` for each item and a list `stops` with a number `width`
/// and a choice `side` in each record, and notes what is done to it.
final class FakeBase {
  /// What was done, in order.
  fileprivate(set) var calls: [String] = []
  fileprivate(set) var spacing = 4.0
  fileprivate(set) var itemSize = tessera_size(width: 5, height: 6)
  let gaps = UnsafeMutableBufferPointer<Double>.allocate(capacity: 2)
  let sizes = UnsafeMutableBufferPointer<tessera_size>.allocate(capacity: 5)
  fileprivate(set) var stopCount = 2
  let widths = UnsafeMutableBufferPointer<Double>.allocate(capacity: 4)
  let sides = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 4)
  /// What the functions that do something answer.
  var answer = TESSERA_OK
  /// What overriding answers.
  var overrideAnswer = TESSERA_OK

  private struct Record {
    let base: tessera_super
    let owner: Unmanaged<FakeBase>
  }
  private let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)

  init() {
    gaps.initialize(repeating: 7)
    sizes.initialize(repeating: tessera_size(width: 8, height: 9))
    widths.initialize(repeating: 20)
    sides.initialize(repeating: 1)
    record.initialize(
      to: Record(
        base: tessera_super(
          struct_size: UInt32(MemoryLayout<tessera_super>.size), reserved: 0, get: getValue,
          get_values: getValues, set: setValue, set_choice: setChoice, set_values: setValues,
          set_function: { _, _, _, _ in TESSERA_ERROR_NOT_FOUND },
          prepare: { base, output in
            output.pointee.set_content_size(output, tessera_size(width: 30, height: 40))
            return FakeBase.at(base).note("prepare")
          },
          adjust: { base, rect, _ in FakeBase.at(base).note("adjust \(rect.y)") },
          elements_in_rect: { base, rect, _ in FakeBase.at(base).note("elements \(rect.y)") },
          element: { base, run, _ in FakeBase.at(base).note("element \(run.pointee.first_item)") },
          still_valid: { base in FakeBase.at(base).note("stillValid") == TESSERA_OK ? 1 : 0 },
          get_list: getList, get_column: getColumn, set_list: setList, set_column: setColumn),
        owner: Unmanaged.passUnretained(self)))
  }

  deinit {
    gaps.deallocate()
    sizes.deallocate()
    widths.deallocate()
    sides.deallocate()
    record.deallocate()
  }

  var reference: UnsafeMutablePointer<tessera_super> {
    UnsafeMutableRawPointer(record).assumingMemoryBound(to: tessera_super.self)
  }

  fileprivate func note(_ call: String) -> tessera_status {
    calls.append(call)
    return answer
  }

  fileprivate func override(_ call: String) -> tessera_status {
    calls.append(call)
    return overrideAnswer
  }

  fileprivate static func at(_ base: UnsafeMutablePointer<tessera_super>) -> FakeBase {
    UnsafeRawPointer(base).assumingMemoryBound(to: Record.self).pointee.owner.takeUnretainedValue()
  }
}

private typealias Base = UnsafeMutablePointer<tessera_super>
private typealias Name = UnsafePointer<CChar>

private func getValue(
  _ base: Base, _ name: Name, _ type: tessera_type, _ value: UnsafeMutablePointer<tessera_value>
) -> tessera_status {
  let owner = FakeBase.at(base)
  switch (String(cString: name), type) {
  case ("spacing", TESSERA_TYPE_NUMBER): value.pointee.number = owner.spacing
  case ("itemSize", TESSERA_TYPE_SIZE): value.pointee.size = owner.itemSize
  case ("spacing", _), ("itemSize", _): return TESSERA_ERROR_INVALID_VALUE
  default: return TESSERA_ERROR_NOT_FOUND
  }
  return TESSERA_OK
}

private func setValue(
  _ base: Base, _ name: Name, _ type: tessera_type, _ given: UnsafePointer<tessera_value>
) -> tessera_status {
  let (owner, value) = (FakeBase.at(base), given.pointee)
  switch (String(cString: name), type) {
  case ("spacing", TESSERA_TYPE_NUMBER):
    owner.spacing = value.number
    return owner.override("spacing = \(value.number)")
  case ("itemSize", TESSERA_TYPE_SIZE):
    owner.itemSize = value.size
    return owner.override("itemSize = \(value.size.width)×\(value.size.height)")
  default:
    return TESSERA_ERROR_NOT_FOUND
  }
}

private func setChoice(_ base: Base, _ name: Name, _ choice: Name) -> tessera_status {
  guard String(cString: name) == "side" else { return TESSERA_ERROR_NOT_FOUND }
  return FakeBase.at(base).override("side = \(String(cString: choice))")
}

private func getValues(
  _ base: Base, _ name: Name, _ scope: UInt32, _ type: tessera_type,
  _ column: UnsafeMutablePointer<tessera_column>
) -> tessera_status {
  let owner = FakeBase.at(base)
  switch (String(cString: name), scope, type) {
  case ("gap", TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER):
    column.pointee = tessera_column(data: owner.gaps.baseAddress, stride: 8)
  case ("size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE):
    column.pointee = tessera_column(data: owner.sizes.baseAddress, stride: 0)
  default: return TESSERA_ERROR_NOT_FOUND
  }
  return TESSERA_OK
}

private func setValues(
  _ base: Base, _ name: Name, _ scope: UInt32, _ type: tessera_type,
  _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> tessera_status {
  let owner = FakeBase.at(base)
  switch (String(cString: name), scope, type) {
  case ("gap", TESSERA_SCOPE_SECTION, TESSERA_TYPE_NUMBER):
    data.pointee = UnsafeMutableRawPointer(owner.gaps.baseAddress)
  case ("size", TESSERA_SCOPE_ITEM, TESSERA_TYPE_SIZE):
    data.pointee = UnsafeMutableRawPointer(owner.sizes.baseAddress)
  default: return TESSERA_ERROR_NOT_FOUND
  }
  return owner.override("\(String(cString: name)) for all")
}

private func getList(
  _ base: Base, _ name: Name, _ count: UnsafeMutablePointer<UInt64>
) -> tessera_status {
  guard String(cString: name) == "stops" else { return TESSERA_ERROR_NOT_FOUND }
  count.pointee = UInt64(FakeBase.at(base).stopCount)
  return TESSERA_OK
}

private func getColumn(
  _ base: Base, _ list: Name, _ column: Name, _ type: tessera_type,
  _ values: UnsafeMutablePointer<tessera_column>
) -> tessera_status {
  let owner = FakeBase.at(base)
  switch (String(cString: list), String(cString: column), type) {
  case ("stops", "width", TESSERA_TYPE_NUMBER):
    values.pointee = tessera_column(data: owner.widths.baseAddress, stride: 8)
  case ("stops", "side", TESSERA_TYPE_ENUM):
    values.pointee = tessera_column(data: owner.sides.baseAddress, stride: 0)
  case ("stops", "width", _), ("stops", "side", _): return TESSERA_ERROR_INVALID_VALUE
  default: return TESSERA_ERROR_NOT_FOUND
  }
  return TESSERA_OK
}

private func setList(_ base: Base, _ name: Name, _ count: UInt64) -> tessera_status {
  let owner = FakeBase.at(base)
  guard String(cString: name) == "stops" else { return TESSERA_ERROR_NOT_FOUND }
  owner.stopCount = Int(count)
  return owner.override("\(count) stops")
}

private func setColumn(
  _ base: Base, _ list: Name, _ column: Name, _ type: tessera_type,
  _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> tessera_status {
  let owner = FakeBase.at(base)
  switch (String(cString: list), String(cString: column), type) {
  case ("stops", "width", TESSERA_TYPE_NUMBER):
    data.pointee = UnsafeMutableRawPointer(owner.widths.baseAddress)
  case ("stops", "side", TESSERA_TYPE_ENUM):
    data.pointee = UnsafeMutableRawPointer(owner.sides.baseAddress)
  default: return TESSERA_ERROR_NOT_FOUND
  }
  return owner.override("\(String(cString: column)) of \(String(cString: list))")
}
