import CTessera

/// Values that a derived engine supplies for all sections or items of a base.
///
/// Owned by the session, written by the engine.
final class OverrideMemory {
  let bytes: UnsafeMutableRawPointer
  let column: tessera_column

  /// Memory for `count` values of a type, filled with what a column holds.
  init(type: ValueType, count: Int, from source: tessera_column) {
    let stride = type.stride
    bytes = .allocate(byteCount: max(32, count * stride), alignment: 16)
    if let data = source.data {
      for index in 0..<count {
        (bytes + index * stride).copyMemory(
          from: data + index * Int(source.stride), byteCount: stride)
      }
    }
    column = tessera_column(data: bytes, stride: UInt64(stride))
  }

  deinit { bytes.deallocate() }
}

extension SessionValues {
  /// What derived engines override of one engine.
  struct Overridden: Equatable {
    /// Parameters, sorted by their place in the order declared.
    var parameters: [Int] = []
    /// Whether values of sections or items are overridden.
    var hasColumns = false
  }

  /// What is overridden of an engine of the chain now.
  func overridden(_ layer: Int) -> Overridden {
    Overridden(
      parameters: overrides.filter { $0.place.layer == layer }.map(\.place.index).sorted(),
      hasColumns: columnOverrides.contains { $0.place.layer == layer })
  }

  /// Sets a parameter of a base in the name of a derived engine.
  func override(_ place: Place, by layer: Int, to value: tessera_value, _ layers: [Layer]) {
    overrides.removeAll { $0.place == place && $0.by == layer }
    overrides.append(Override(place: place, by: layer, value: value))
    refreshParameter(place, layers[place.layer])
    let name = chain[place.layer].parameters[place.index].name
    for (index, value) in chain[place.layer].values.enumerated() where value.fallback == name {
      refreshColumn(Place(layer: place.layer, index: index), layers[place.layer])
    }
  }

  /// Gives a derived engine memory for the values of a base.
  func overrideColumn(
    _ place: Place, by layer: Int, count: Int, _ layers: [Layer]
  ) -> UnsafeMutableRawPointer {
    let memory = OverrideMemory(
      type: chain[place.layer].values[place.index].type, count: count,
      from: layers[place.layer].columns[place.index])
    columnOverrides.removeAll { $0.place == place && $0.by == layer }
    columnOverrides.append(ColumnOverride(place: place, by: layer, memory: memory))
    refreshColumn(place, layers[place.layer])
    return memory.bytes
  }

  /// Forgets the overrides of an engine and of its bases.
  func clearOverrides(from layer: Int, _ layers: [Layer]) {
    guard
      overrides.contains(where: { $0.by >= layer })
        || columnOverrides.contains(where: { $0.by >= layer })
    else { return }
    overrides.removeAll { $0.by >= layer }
    columnOverrides.removeAll { $0.by >= layer }
    fill(layers)
  }

  /// Writes what a parameter is now: the override nearest to the engine, or what is set.
  func refreshParameter(_ place: Place, _ layer: Layer) {
    var value = settings[place.layer][place.index]
    var nearest = -1
    for candidate in overrides where candidate.place == place && candidate.by > nearest {
      value = candidate.value
      nearest = candidate.by
    }
    layer.parameters[place.index] = value
  }

  /// Writes where a value is now: an override; what is measured or the user's, unless the parameter
  /// that it falls back on is overridden; that parameter; zero.
  func refreshColumn(_ place: Place, _ layer: Layer) {
    let value = chain[place.layer].values[place.index]
    let fallback = value.fallback.flatMap { chain[place.layer].parameterIndex($0) }
    let hiding = fallback.flatMap { index in
      overrides.filter { $0.place == Place(layer: place.layer, index: index) }.map(\.by).max()
    }
    let nearest = columnOverrides.filter { $0.place == place }.max { $0.by < $1.by }
    // Of layers that override the values and what they fall back on, the nearest has the last word.
    if let nearest, nearest.by >= hiding ?? nearest.by {
      layer.columns[place.index] = nearest.memory.column
      return
    }
    let measured =
      sizing.map { ($0.place, $0.column) }
      ?? borrowedSizing.map { ($0.place, $0.memory.column) }
    if let measured, measured.0 == place, hiding == nil {
      layer.columns[place.index] = measured.1
    } else if let memory = columns[place.layer][place.index], hiding == nil {
      layer.columns[place.index] = memory.column
    } else if let fallback {
      layer.columns[place.index] = tessera_column(
        data: layer.parameters.baseAddress.map { $0 + fallback }, stride: 0)
    } else {
      layer.columns[place.index] = tessera_column(data: zero.column.data, stride: 0)
    }
  }
}
