import CTessera
import TesseraGeometry

extension Value {
  /// The value of a type in the contract's union, or nil where it is no value of that type: a bool
  /// other than 0 and 1, or an index beyond `choices`.
  init?(_ raw: tessera_value, type: ValueType, choices: [String]) {
    switch type {
    case .bool:
      guard raw.boolean <= 1 else { return nil }
      self = .bool(raw.boolean == 1)
    case .integer: self = .integer(raw.integer)
    case .number: self = .number(raw.number)
    case .choice:
      guard raw.choice >= 0, Int(raw.choice) < choices.count else { return nil }
      self = .choice(choices[Int(raw.choice)])
    case .point: self = .point(Point(x: raw.point.x, y: raw.point.y))
    case .size: self = .size(Size(width: raw.size.width, height: raw.size.height))
    case .rect:
      self = .rect(
        Rect(x: raw.rect.x, y: raw.rect.y, width: raw.rect.width, height: raw.rect.height))
    case .insets:
      self = .insets(
        Insets(
          top: raw.insets.top, left: raw.insets.left, bottom: raw.insets.bottom,
          right: raw.insets.right))
    }
  }

  /// The value as the contract's union, or nil for a choice that is none of `choices`.
  func raw(choices: [String]) -> tessera_value? {
    var raw = tessera_value()
    switch self {
    case .bool(let value): raw.boolean = value ? 1 : 0
    case .integer(let value): raw.integer = value
    case .number(let value): raw.number = value
    case .choice(let name):
      guard let index = choices.firstIndex(of: name) else { return nil }
      raw.choice = Int32(truncatingIfNeeded: index)
    case .point(let value): raw.point = tessera_point(x: value.x, y: value.y)
    case .size(let value): raw.size = tessera_size(width: value.width, height: value.height)
    case .rect(let value):
      raw.rect = tessera_rect(x: value.x, y: value.y, width: value.width, height: value.height)
    case .insets(let value):
      raw.insets = tessera_insets(
        top: value.top, left: value.left, bottom: value.bottom, right: value.right)
    }
    return raw
  }

  /// The value of a type at a place in a column's memory, aligned for it.
  init?(at memory: UnsafeRawPointer, type: ValueType, choices: [String]) {
    var raw = tessera_value()
    withUnsafeMutableBytes(of: &raw) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: type.stride))
    }
    self.init(raw, type: type, choices: choices)
  }
}
