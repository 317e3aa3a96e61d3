import CTessera

extension Session {
  /// The item count of each section.
  public var itemCounts: [Int] { starts.counts }

  /// Sets a parameter of the engine, or of a base of it.
  ///
  /// - Throws: `.invalidInput` for an unknown name, another type, or a value out of range.
  public func setParameter(_ name: String, to value: Value) throws(HostError) {
    try values.setParameter(name, to: value)
    changes |= UInt32(TESSERA_CHANGED_PARAMETERS)
  }

  /// Gives a parameter back the value that it starts with.
  ///
  /// - Throws: `.invalidInput` for an unknown name.
  public func resetParameter(_ name: String) throws(HostError) {
    try values.setParameter(name, to: nil)
    changes |= UInt32(TESSERA_CHANGED_PARAMETERS)
  }

  /// Sets how many items each section has, and forgets all section and item values.
  ///
  /// - Throws: `.invalidInput` for a negative count, or more than 2^62 items.
  /// - Complexity: O(*s*) for *s* sections.
  public func setSections(_ itemCounts: [Int]) throws(HostError) {
    let new = try SectionStarts(counts: itemCounts, memory: values.memory)
    starts = new
    runner.supply(new)
    values.forgetValues()
    values.sizing = nil
    changes |= UInt32(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)
  }

  /// Gives a section value for all sections.
  ///
  /// - Throws: `.invalidInput` for an unknown name, another type or another count.
  public func setSectionValues(_ name: String, _ column: ValueColumn) throws(HostError) {
    try values.setValues(name, .section, column, count: starts.counts.count)
    changes |= UInt32(TESSERA_CHANGED_VALUES)
  }

  /// Gives an item value for the items of all sections, one after the other.
  ///
  /// - Throws: `.invalidInput` for an unknown name, another type or another count.
  /// - Complexity: O(*n*), one copy; a constant O(1).
  public func setItemValues(_ name: String, _ column: ValueColumn) throws(HostError) {
    try values.setValues(name, .item, column, count: starts.total)
    changes |= UInt32(TESSERA_CHANGED_VALUES)
  }
}
