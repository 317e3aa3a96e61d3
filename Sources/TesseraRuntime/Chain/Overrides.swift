import CTessera
import TesseraCatalog

extension SessionValues {
  /// `by` is the overriding engine's index.
  package typealias Override<Given> = (place: Place, by: Int, given: Given)

  /// At most one for each engine and place.
  struct Overrides {
    var parameters: [Override<tessera_value>] = []
    var columns: [Override<OverrideMemory>] = []
    var lists: [Override<OverrideList>] = []
    var functions: [Override<tessera_function>] = []

    var isEmpty: Bool {
      parameters.isEmpty && columns.isEmpty && lists.isEmpty && functions.isEmpty
    }

    // Returns whether there were any. Keeps the memory: most prepares repeat their overrides.
    mutating func remove(from layer: Int) -> Bool {
      func remove<Given>(_ overrides: inout [Override<Given>]) -> Bool {
        guard let first = overrides.firstIndex(where: { $0.by >= layer }) else { return false }
        if first == 0, layer == 0 {
          overrides.removeAll(keepingCapacity: true)
        } else {
          overrides.removeAll { $0.by >= layer }
        }
        return true
      }
      let (hadParameters, hadColumns) = (remove(&parameters), remove(&columns))
      let (hadLists, hadFunctions) = (remove(&lists), remove(&functions))
      return hadParameters || hadColumns || hadLists || hadFunctions
    }
  }

  package struct Overridden: Equatable {
    /// Ascending indexes.
    package var parameters: [Int] = []
    package var hasColumns = false
    package var hasLists = false
  }

  package func overridden(_ layer: Int) -> Overridden {
    if overrides.isEmpty { return Overridden() }
    var parameters: [Int] = []
    for override in overrides.parameters where override.place.layer == layer {
      parameters.append(override.place.index)
    }
    parameters.sort()
    return Overridden(
      parameters: parameters,
      hasColumns: overrides.columns.contains { $0.place.layer == layer },
      hasLists: overrides.lists.contains { $0.place.layer == layer })
  }

  package func override(
    _ place: Place, by layer: Int, to value: tessera_value, _ layers: [ChainedEngine]
  ) {
    if let known = overrides.parameters.firstIndex(where: { $0.place == place && $0.by == layer }) {
      overrides.parameters[known].given = value
    } else {
      overrides.parameters.append((place: place, by: layer, given: value))
    }
    refreshParameter(place, layers[place.layer])
    for index in dependents[place.layer][place.index] {
      refreshColumn(Place(layer: place.layer, index: index), layers[place.layer])
    }
  }

  /// The derived engine writes the values.
  package func overrideColumn(
    _ place: Place, by layer: Int, count: Int, _ layers: [ChainedEngine]
  ) -> UnsafeMutableRawPointer {
    let memory = OverrideMemory(
      type: chain[place.layer].values[place.index].type, count: count,
      from: layers[place.layer].columns[place.index])
    overrides.columns.removeAll { $0.place == place && $0.by == layer }
    overrides.columns.append((place: place, by: layer, given: memory))
    refreshColumn(place, layers[place.layer])
    return memory.bytes
  }

  /// Copies the present records, then adds initial values.
  package func overrideList(_ place: Place, by layer: Int, count: Int, _ layers: [ChainedEngine]) {
    let list = OverrideList(
      declared: chain[place.layer].lists[place.index], count: count,
      from: layers[place.layer].lists[place.index])
    overrides.lists.removeAll { $0.place == place && $0.by == layer }
    overrides.lists.append((place: place, by: layer, given: list))
    refreshList(place, layers[place.layer])
  }

  package func overrideFunction(
    _ place: Place, by layer: Int, with function: tessera_function, _ layers: [ChainedEngine]
  ) {
    overrides.functions.removeAll { $0.place == place && $0.by == layer }
    overrides.functions.append((place: place, by: layer, given: function))
    refreshFunction(place, layers[place.layer])
  }

  package func overriddenList(_ place: Place, by layer: Int) -> OverrideList? {
    overrides.lists.first { $0.place == place && $0.by == layer }?.given
  }

  package func problem(ofOverridesBy layer: Int) -> String? {
    for override in overrides.columns where override.by == layer {
      let declared = chain[override.place.layer].values[override.place.index]
      if let place = declared.type.firstInvalid(
        override.given.bytes, count: override.given.count, choiceCount: declared.choices.count)
      {
        return "for \(declared.scope.noun) \(place) a \(declared.name) that is not a valid "
          + declared.type.name
      }
    }
    for override in overrides.lists where override.by == layer {
      let declared = chain[override.place.layer].lists[override.place.index]
      if let problem = override.given.problem(declared) { return "a list in which \(problem)" }
    }
    return nil
  }

  /// `fill` must follow.
  func forgetOverrides() { _ = overrides.remove(from: 0) }

  package func clearOverrides(from layer: Int, _ layers: [ChainedEngine]) {
    if overrides.remove(from: layer) { fill(layers) }
  }
}

/// Values of a base, owned by the session and written by the derived engine.
package final class OverrideMemory {
  let count: Int
  package let bytes: UnsafeMutableRawPointer
  package let column: tessera_column

  package init(
    type: ValueType, count: Int, from source: tessera_column, copying copied: Int = .max
  ) {
    let stride = type.stride
    self.count = count
    bytes = .allocate(byteCount: max(32, count * stride), alignment: 16)
    if let data = source.data {
      for index in 0..<min(count, copied) {
        (bytes + index * stride).copyMemory(
          from: data + index * Int(source.stride), byteCount: stride)
      }
    }
    column = tessera_column(data: bytes, stride: UInt64(stride))
  }

  deinit { bytes.deallocate() }
}

/// Records of a base, owned by the session and written by the derived engine.
package final class OverrideList {
  /// Bytes of all columns.
  package static let byteLimit: UInt64 = 1 << 30

  package let count: Int
  package let columns: [OverrideMemory]

  init(declared: ListDescription, count: Int, from source: tessera_list) {
    self.count = count
    columns = declared.columns.enumerated().map { index, column in
      let memory = OverrideMemory(
        type: column.type, count: count, from: source.columns[index], copying: Int(source.count))
      let initial = column.initial.raw(as: column.type, choices: column.choices) ?? tessera_value()
      let stride = column.type.stride
      withUnsafeBytes(of: initial) { initial in
        for record in min(count, Int(source.count))..<count {
          (memory.bytes + record * stride).copyMemory(from: initial.baseAddress!, byteCount: stride)
        }
      }
      return memory
    }
  }

  static func hasRoom(for count: UInt64, _ list: ListDescription) -> Bool {
    let bytes = list.columns.reduce(0) { $0 + UInt64($1.type.stride) }
    return count <= byteLimit / bytes
  }

  func problem(_ list: ListDescription) -> String? {
    for (column, memory) in zip(list.columns, columns) {
      for record in 0..<count {
        let address = UnsafeRawPointer(memory.bytes) + record * column.type.stride
        let value = Value(at: address, type: column.type, choices: column.choices)
        let problem = value.map { column.problem(with: $0) } ?? "is not a valid \(column.type.name)"
        if let problem { return "\(column.name) of record \(record) of \(list.name) \(problem)" }
      }
    }
    return nil
  }
}
