import CTessera

/// What the base is given, by name; the nearest engine that declares the name counts.
extension Super {
  /// What a parameter of the base is now.
  ///
  /// - Throws: A name or a type that the base does not have.
  public func get<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Value {
    var value = tessera_value()
    try link.call(about: name, "\(Value.self)") {
      $0.pointee.get($0, $1, Value.contractType, &value)
    }
    return withUnsafeBytes(of: value) { Value(stored: $0.load(as: Value.Stored.self)) }
  }

  /// Overrides a parameter of the base, and with it every value that falls back on it.
  ///
  /// - Throws: A name, a type or a value that the base does not take; any call but prepare and
  ///   stillValid.
  public func set<Value: InheritableValue>(
    _ name: String, to value: Value
  ) throws(LayoutFailure) {
    try link.call(about: name, "\(Value.self)", isRefusalTold: true) {
      $0.pointee.set($0, $1, Value.contractType, tessera_value(value))
    }
  }

  /// Overrides a parameter of the base that is a choice, by the choice's name.
  ///
  /// - Throws: As for other values.
  public func set(_ name: String, to choice: some Choice) throws(LayoutFailure) {
    try link.call(about: name, "choice", isRefusalTold: true) { base, name in
      choice.rawValue.withCString { base.pointee.set_choice(base, name, $0) }
    }
  }

  /// What the base is given for every section, one value a section.
  ///
  /// - Throws: A name or a type that the base does not have.
  public func sectionValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    try values(name, TESSERA_SECTION, count: link.sectionCount)
  }

  /// What the base is given for every item, one value an item, all sections in order.
  ///
  /// - Throws: A name or a type that the base does not have.
  public func itemValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    try values(name, TESSERA_ITEM, count: link.itemCount)
  }

  /// Overrides what the base is given for every section.
  ///
  /// - Parameter body: Gets one value a section, holding what the base is given now.
  /// - Throws: A name or a type that the base does not have; any call but prepare and stillValid.
  public func setSectionValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try setValues(name, Value.self, TESSERA_SECTION, count: link.sectionCount, body)
  }

  /// Overrides what the base is given for every item.
  ///
  /// - Parameter body: Gets one value an item, all sections in order, holding what the base is given
  ///   now.
  /// - Throws: A name or a type that the base does not have; any call but prepare and stillValid.
  public func setItemValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try setValues(name, Value.self, TESSERA_ITEM, count: link.itemCount, body)
  }

  private func values<Value: InheritableValue>(
    _ name: String, _ scope: UInt32, count: Int
  ) throws(LayoutFailure) -> Column<Value> {
    var column = tessera_column(data: nil, stride: 0)
    try link.call(about: name, "column of \(Value.self)") {
      $0.pointee.get_values($0, $1, scope, Value.contractType, &column)
    }
    return Column(column, count: count)
  }

  private func setValues<Value: InheritableValue>(
    _ name: String, _ type: Value.Type, _ scope: UInt32, count: Int,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var data: UnsafeMutableRawPointer?
    try link.call(about: name, "column of \(Value.self)") {
      $0.pointee.set_values($0, $1, scope, Value.contractType, &data)
    }
    let values = UnsafeMutableBufferPointer(
      start: data?.assumingMemoryBound(to: Value.Stored.self), count: data == nil ? 0 : count)
    var span = values.mutableSpan
    try body(&span)
  }
}
