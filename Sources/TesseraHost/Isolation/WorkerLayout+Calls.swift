import CTessera
import Glibc
import TesseraGeometry

/// What a session asks of its engines, each as one question to their process.
extension WorkerLayout {
  func supply(_ starts: SectionStarts) { self.starts = starts }

  func answerStore(limit: Int) throws(HostError) -> RowStore {
    try rows.answerStore(numbering, columns: numbering.adjustedColumns, capacity: limit)
  }

  func shapeStore(limit: Int) throws(HostError) -> RowStore {
    try rows.answerStore(numbering, columns: .all, capacity: limit)
  }

  func prepare(_ given: Given) throws(HostError) -> Size {
    index.forget()
    var answer = try ask(.prepare, given, withData: true, capacity: prepared.capacity)
    return try checked { () throws(HostError) in
      let size = try answer.size()
      guard size.isSound else {
        throw ByteReader.broken("has the content size \(Value.size(size))")
      }
      index.forget()
      try adoptRuns(&answer, into: prepared, itemCounts: starts.counts)
      return size
    }
  }

  func isStillValid(_ given: Given) throws(HostError) -> Bool {
    guard
      chain.first(where: { $0.abilities.contains(.prepare) })?.abilities.contains(.stillValid)
        == true
    else { return false }
    var answer = try ask(.stillValid, given)
    return try checked { () throws(HostError) in try answer.bool() }
  }

  func elements(in rect: Rect, _ given: Given, limit: Int) throws(HostError) -> RowStore {
    let store = try answerStore(limit: limit)
    var answer = try ask(.elements, given, capacity: store.capacity) { message in
      message.put(rect)
      message.put(store.capacity)
    }
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: starts.counts)
    }
    return store
  }

  func element(_ run: tessera_run, _ given: Given) throws(HostError) -> RowStore {
    let store = try answerStore(limit: LayoutChain.lookUpRows)
    var answer = try ask(.element, given, capacity: store.capacity) { message in
      message.put(run.category)
      message.put(run.kind)
      message.put(run.section)
      message.put(run.first_item)
    }
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: starts.counts)
    }
    return store
  }

  func adjust(_ store: RowStore, for rect: Rect, _ given: Given) throws(HostError) {
    var answer = try ask(.adjust, given, capacity: store.capacity) { message in
      message.put(rect)
      writeRuns(of: store, &message)
    }
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: starts.counts)
    }
  }

  func call(
    _ name: String, _ arguments: [CallValue], _ given: Given
  ) throws(HostError) -> CallValue? {
    guard let declared = chain.lazy.flatMap(\.publishedFunctions).first(where: { $0.name == name })
    else { return nil }
    let signature = try declared.parsedSignature
    try signature.check(arguments, of: name)
    var answer = try ask(.call, given, name: name) { message in
      message.put(name)
      message.put(count: arguments.count)
      for argument in arguments { message.put(argument) }
    }
    let value = try checked { () throws(HostError) -> CallValue? in
      try answer.bool() ? try answer.callValue() : nil
    }
    return try value?.converted(to: signature.result, .brokenContract, "\(name) gave")
  }

  func restingOffset(
    for proposed: Point, velocity: Point, _ given: Given
  ) throws(HostError) -> Point {
    var answer = try ask(.restingOffset, given) { message in
      message.put(proposed)
      message.put(velocity)
    }
    return try checked { () throws(HostError) in try answer.point() }
  }

  func reorderingTarget(
    for item: ItemPath, at point: Point, nearest: ItemPath, _ given: Given
  ) throws(HostError) -> (section: UInt32, item: UInt64) {
    var answer = try ask(.reorderingTarget, given) { message in
      message.put(item.section)
      message.put(item.item)
      message.put(point)
      message.put(nearest.section)
      message.put(nearest.item)
    }
    return try checked { () throws(HostError) in (try answer.uint32(), try answer.uint64()) }
  }

  func beginUpdate(_ operations: [tessera_update], _ given: Given) throws(HostError) {
    guard traits.hasUpdates else { return }
    let byteCount = operations.count * MemoryLayout<tessera_update>.stride
    let copy = try input.allocate(byteCount: byteCount)
    defer { input.deallocate(copy, byteCount: byteCount) }
    operations.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: byteCount) }
    }
    _ = try ask(.beginUpdate, given) { message in
      message.put(input.offset(of: copy))
      message.put(operations.count)
    }
  }

  func endUpdate() throws(HostError) {
    guard traits.hasUpdates, !isLost else { return }
    _ = try ask(.endUpdate, Given(surroundings: Surroundings()))
  }

  func shape(_ store: RowStore, as ends: UpdateEnds, _ given: Given) throws(HostError) {
    var answer = try ask(.shape, given, capacity: store.capacity) { message in
      message.put(ends.rawValue)
      writeRuns(of: store, &message)
    }
    let before = store.runs
    try checked { () throws(HostError) in
      try adoptRuns(&answer, into: store, itemCounts: nil)
      guard store.runs == before else { throw ByteReader.broken("speaks of other elements") }
    }
  }

  func sizing(_ given: Given) throws(HostError) -> SizingRule? {
    var answer = try ask(.sizing, given, withData: true)
    return try checked { () throws(HostError) in
      let isOn = try answer.bool()
      let place = SessionValues.Place(layer: try answer.int(), index: try answer.int())
      let estimate = try answer.size()
      guard isOn else { return nil }
      guard chain.indices.contains(place.layer),
        chain[place.layer].values.indices.contains(place.index),
        chain[place.layer].values[place.index].scope == .item
      else { throw ByteReader.broken("speaks of a value that it does not declare") }
      return SizingRule(place: place, estimate: estimate)
    }
  }

  func proposals(_ given: Given, sections: Range<Int>) throws(HostError) -> [Size] {
    var sizes: [Size] = []
    for first in stride(from: sections.lowerBound, to: sections.upperBound, by: 65_536) {
      let part = first..<min(first + 65_536, sections.upperBound)
      var answer = try ask(.proposals, given) { message in
        message.put(part.lowerBound)
        message.put(part.upperBound)
      }
      try checked { () throws(HostError) in
        for _ in part { sizes.append(try answer.size()) }
      }
    }
    return sizes
  }
}
