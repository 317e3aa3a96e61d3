import CTessera

extension EngineAbilities {
  /// What an engine's table of functions offers, and the extensions that it answers for.
  ///
  /// Calls the engine's `extension` once for each id.
  init(of engine: UnsafePointer<tessera_engine>, table: tessera_engine) {
    var abilities: EngineAbilities = []
    if table.create != nil { abilities.insert(.create) }
    if table.prepare != nil { abilities.insert(.prepare) }
    if table.adjust != nil { abilities.insert(.adjust) }
    if table.elements_in_rect != nil { abilities.insert(.elementsInRect) }
    if table.element != nil { abilities.insert(.element) }
    if table.still_valid != nil { abilities.insert(.stillValid) }
    if let find = table.extension {
      // A table that is smaller than this host's is of no use to it.
      func has(_ id: String, _ size: Int) -> Bool {
        guard let found = find(engine, id) else { return false }
        return found.load(as: UInt32.self) >= size
      }
      if has(TESSERA_UPDATES, MemoryLayout<tessera_updates>.size) { abilities.insert(.updates) }
      if has(TESSERA_SNAPPING, MemoryLayout<tessera_snapping>.size) { abilities.insert(.snapping) }
      if has(TESSERA_SIZING, MemoryLayout<tessera_sizing>.size) { abilities.insert(.sizing) }
      if has(TESSERA_REORDERING, MemoryLayout<tessera_reordering>.size) {
        abilities.insert(.reordering)
      }
    }
    self = abilities
  }
}
