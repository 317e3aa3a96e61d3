import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension ExaminationServer {
  func askedAgain(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      let unprepared = try ExaminedLayout(scene, examined)
      let (proposals, wider) = (unprepared.proposals(), unprepared.proposals(widerBy: 64))
      unprepared.destroy()
      let watch = examined.watch(scene)
      let layout = try examined.prepared(scene, watch)
      let (image, first) = (try layout.image(), layout.answers())
      if let odd = watch.oddNumber { return odd }
      if let call = layout.chain.state.misplacedCall { return "a call of \(call)" }
      let prepared = layout.proposals()
      // A derived engine changes its base only from the first prepare on.
      for (before, after) in zip(proposals + wider, prepared + layout.proposals(widerBy: 64))
      where before != after && !layout.hasOverrides {
        return "sizing: \(after), after a prepare, instead of \(before)"
      }
      layout.chain.state.unwrittenSize = tessera_size(width: 37.25, height: 37.25)
      for (before, after) in zip(prepared, layout.proposals()) where before != after {
        let sizes = zip(after.split(separator: " "), before.split(separator: " "))
        let (left, zero) = sizes.first { $0 != $1 } ?? ("", "")
        return
          "estimates or proposals left a size unwritten: \(left) in memory that was not zero before, "
          + "\(zero) in memory that was; write as many sizes as count says, or one and set count to 1"
      }
      layout.chain.state.unwrittenSize = tessera_size()
      let other = try examined.prepared(scene)
      let again = [
        (layout.answers(isReversed: true), "when called again"),
        (other.answers(isReversed: true), "in a layout where other calls were made before"),
      ]
      for (answers, when) in again {
        for (before, after) in zip(first, answers) where before != after {
          return "\(after), \(when), instead of \(before)"
        }
      }
      if let change = image.change(to: try layout.image()) {
        return "\(change) after calls that change nothing"
      }
      let filling = examined.watch(scene)
      filling.fillsRegisters = true
      let filled = try examined.prepared(scene, filling)
      let inRegisters =
        "with a register whose upper half is not 0, which a signature with numbers of 32 bits or less does "
        + "not rule out: use their types in C, too"
      for (before, after) in zip(first, filled.answers()) where before != after {
        return "\(after), \(inRegisters), instead of \(before)"
      }
      if let difference = image.difference(from: try filled.image()) {
        return "\(difference.found), \(inRegisters), instead of \(difference.expected)"
      }
      filled.destroy()
    }
    return nil
  }

  func bareHost(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      let usual = try examined.prepared(scene)
      let bare = examined.watch(scene)
      bare.hidesExtensions = true
      let layout = try examined.prepared(scene, bare)
      _ = layout.answers()
      if let change = try usual.image().change(to: layout.image()) { return change }
      usual.destroy()
      layout.destroy()
    }
    return nil
  }

  /// Inserts at both ends of a section or of the data, in either order.
  func batches(_ scenes: [EngineInput], _ section: Int?) throws(HostError) -> String? {
    guard scenes.count == 2 else { return nil }
    let counts = scenes[1].starts.counts
    let last = section.map { counts.indices.contains($0) ? counts[$0] - 1 : 0 } ?? counts.count - 1
    let insertions = [0, last].map { place in
      tessera_update(
        operation: section == nil
          ? TESSERA_OPERATION_INSERT_SECTION : TESSERA_OPERATION_INSERT_ITEM,
        from_section: 0, from_item: 0, to_section: UInt32(section ?? place), reserved: 0,
        to_item: section == nil ? 0 : UInt64(place))
    }
    let fresh = try examined.prepared(scenes[1])
    let alone = try fresh.batch([], to: scenes[1]).first
    fresh.destroy()
    func difference(_ found: [LayoutRows], from expected: [LayoutRows], _ when: String) -> String? {
      zip(zip(expected, found), ["appears", "disappears"]).lazy.compactMap { layouts, way in
        layouts.0.difference(from: layouts.1).map {
          "\($0.found) as it \(way), \(when), instead of \($0.expected)"
        }
      }.first
    }
    var expected: [LayoutRows]?
    for operations in [insertions, insertions.reversed()] {
      let layout = try examined.prepared(scenes[0])
      let (first, again, inParts) = try layout.batch(operations, to: scenes[1])
      let found =
        difference(again, from: first, "when asked again in a batch") ?? difference(
          inParts, from: first, "in runs of two elements")
        ?? difference(first, from: expected ?? first, "with the insertions in the opposite order")
      if let found { return found }
      expected = first
      // An empty batch after another must not inherit from it.
      let empty = try layout.batch([], to: scenes[1]).first
      if let found = difference(empty, from: alone, "in an empty batch after another one") {
        return found
      }
      layout.destroy()
    }
    // Nor from a large one, which may animate differently.
    let large = try examined.prepared(scenes[1])
    let reloads = counts.enumerated().flatMap { section, count in
      (0..<count).map { item in
        tessera_update(
          operation: TESSERA_OPERATION_RELOAD_ITEM, from_section: UInt32(section),
          from_item: UInt64(item), to_section: 0, reserved: 0, to_item: 0)
      }
    }
    _ = try large.batch(reloads, to: scenes[1])
    let later = try large.batch([], to: scenes[1]).first
    if let found = difference(
      later, from: alone, "in an empty batch after one of \(reloads.count) changes")
    {
      return found
    }
    large.destroy()
    let (one, other) = (try examined.prepared(scenes[0]), try examined.prepared(scenes[1]))
    try one.beginBatch(insertions)
    try other.beginBatch([])
    one.take(scenes[1])
    for layout in [one, other] { try layout.prepare() }
    let besides = "beside a batch of another layout"
    let (shapes, others) = (try one.shapes(), try other.shapes())
    let found =
      difference(shapes, from: expected ?? [], besides) ?? difference(others, from: alone, besides)
    for layout in [other, one] {
      layout.endBatch()
      layout.destroy()
    }
    return found
  }

  /// A derived engine must fail when its base fails.
  func failingBase(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      let watch = examined.watch(scene)
      let layout = try ExaminedLayout(scene, examined, examiner: watch)
      let calls: [(name: String, make: () throws(HostError) -> Void)] = [
        ("prepare", { () throws(HostError) in try layout.prepare() }),
        (
          layout.chain.traits.isLazy ? "elements_in_rect" : "adjust",
          { () throws(HostError) in _ = try layout.answer() }
        ),
        ("element", { () throws(HostError) in try layout.lookUpFirstItem() }),
      ]
      for call in calls {
        try layout.prepare()
        (watch.failsBase, watch.hasFailedBase) = (true, false)
        defer { watch.failsBase = false }
        do throws(HostError) { try call.make() } catch {
          // Otherwise the engine went on without its base's work.
          if error.kind == .refused { continue }
        }
        guard watch.hasFailedBase else { continue }
        return "TESSERA_OK from \(call.name), after the call of its base had failed"
      }
      layout.destroy()
    }
    return nil
  }

  func estimates(_ scenes: [EngineInput]) throws(HostError) -> String? {
    var known: [String]?
    for scene in scenes {
      let layout = try examined.prepared(scene)
      if let odd = try layout.sizeOfOtherRun() { return odd }
      let found = layout.proposals()
      for (before, after) in zip(known ?? found, found) where before != after {
        return "\(after), once elements are measured, instead of \(before)"
      }
      known = found
      layout.destroy()
    }
    return nil
  }

  func preparedAgain(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      let layout = try examined.prepared(scene)
      let once = try layout.image()
      for (what, changed) in [
        ("again", TESSERA_CHANGED_ALL),
        (
          "again after a change of bounds and parameters",
          TESSERA_CHANGED_BOUNDS | TESSERA_CHANGED_PARAMETERS
        ),
      ] {
        try layout.prepare(changed: changed)
        if let change = once.change(to: try layout.image()) {
          return "\(change) when prepared \(what)"
        }
      }
    }
    return nil
  }

  func unprepared(_ scenes: [EngineInput]) throws(HostError) {
    for scene in scenes {
      let layout = try ExaminedLayout(scene, examined)
      layout.destroy()
      // Sizes may be requested before the first prepare.
      let asked = try ExaminedLayout(scene, examined)
      _ = asked.proposals()
      asked.destroy()
    }
  }

  func unknownElements(_ scenes: [EngineInput]) throws(HostError) -> String? {
    for scene in scenes {
      if let found = try examined.prepared(scene).unknownElement() { return found }
    }
    return nil
  }
}
