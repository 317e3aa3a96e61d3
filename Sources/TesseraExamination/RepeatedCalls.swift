import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension ExaminationServer {
  func askedAgain(_ scene: EngineInput) throws(HostError) -> String? {
    let unprepared = try ExaminedLayout(scene, examined)
    let proposals = unprepared.proposals() + unprepared.proposals(widerBy: 64)
    unprepared.destroy()
    let layout = try examined.prepared(scene)
    let (image, first) = (try layout.image(), layout.answers())
    if let odd = layout.chain.state.oddNumber { return odd }
    if let call = layout.chain.state.misplacedCall { return "a call of \(call)" }
    let prepared = layout.proposals()
    // A derived engine changes its base only from the first prepare on.
    if !layout.hasOverrides,
      let (before, after) = Self.change(
        from: proposals, to: prepared + layout.proposals(widerBy: 64))
    {
      return "sizing: \(after), after a prepare, instead of \(before)"
    }
    layout.chain.state.unwrittenSize = tessera_size(width: 37.25, height: 37.25)
    if let (before, after) = Self.change(from: prepared, to: layout.proposals()) {
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
      if let (before, after) = Self.change(from: first, to: answers) {
        return "\(after), \(when), instead of \(before)"
      }
    }
    if let change = image.change(to: try layout.image()) {
      return "\(change) after calls that change nothing"
    }
    let registers = FilledRegisters(capacity: examined.rowCapacity(scene))
    let filled = try examined.prepared(scene, registers)
    let (found, rows) = (filled.answers(), try filled.image())
    return (Self.change(from: first, to: found) ?? image.difference(from: rows)).map {
      before, after in
      "\(after), with a register whose upper half is not 0, which a signature with numbers of 32 bits or less does "
        + "not rule out: use their types in C, too, instead of \(before)"
    }
  }

  private static func change(
    from expected: [String], to found: [String]
  ) -> (expected: String, found: String)? {
    zip(expected, found).first { $0 != $1 }.map { ($0, $1) }
  }

  func bareHost(_ scene: EngineInput) throws(HostError) -> String? {
    let usual = try examined.prepared(scene).image()
    let bare = examined.watch(scene)
    bare.hidesExtensions = true
    let layout = try examined.prepared(scene, bare)
    _ = layout.answers()
    return usual.change(to: try layout.image())
  }

  /// Inserts at both ends of a section or of the data, in either order.
  func batches(_ scenes: [EngineInput], _ section: Int?) throws(HostError) -> String? {
    guard scenes.count == 2 else { return nil }
    let counts = scenes[1].starts.counts
    let last = section.map { counts.indices.contains($0) ? counts[$0] - 1 : 0 } ?? counts.count - 1
    let insertions = [0, last].map { place in
      section.map { tessera_update(TESSERA_OPERATION_INSERT_ITEM, to: ($0, place)) }
        ?? tessera_update(TESSERA_OPERATION_INSERT_SECTION, to: (place, 0))
    }
    let alone = try examined.prepared(scenes[1]).batch([], to: scenes[1]).first
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
      // An empty batch after another must not inherit from it.
      let empty = try layout.batch([], to: scenes[1]).first
      let found =
        difference(again, from: first, "when asked again in a batch") ?? difference(
          inParts, from: first, "in runs of two elements")
        ?? difference(first, from: expected ?? first, "with the insertions in the opposite order")
        ?? difference(empty, from: alone, "in an empty batch after another one")
      if let found { return found }
      expected = first
      layout.destroy()
    }
    // Nor from a large one, which may animate differently.
    let large = try examined.prepared(scenes[1])
    let reloads = counts.enumerated().flatMap { section, count in
      (0..<count).map { tessera_update(TESSERA_OPERATION_RELOAD_ITEM, from: (section, $0)) }
    }
    _ = try large.batch(reloads, to: scenes[1])
    let later = try large.batch([], to: scenes[1]).first
    let after = "in an empty batch after one of \(reloads.count) changes"
    if let found = difference(later, from: alone, after) { return found }
    large.destroy()
    let (one, other) = (try examined.prepared(scenes[0]), try examined.prepared(scenes[1]))
    try one.beginBatch(insertions)
    try other.beginBatch([])
    one.take(scenes[1])
    for layout in [one, other] { try layout.prepare() }
    let besides = "beside a batch of another layout"
    let (shapes, others) = (try one.shapes(), try other.shapes())
    for layout in [other, one] {
      layout.endBatch()
      layout.destroy()
    }
    return difference(shapes, from: expected ?? [], besides)
      ?? difference(others, from: alone, besides)
  }

  /// A derived engine must fail when its base fails.
  func failingBase(_ scene: EngineInput) throws(HostError) -> String? {
    let watch = examined.watch(scene)
    let layout = try ExaminedLayout(scene, examined, watch)
    let query = layout.chain.traits.isLazy ? "elements_in_rect" : "adjust"
    let calls: [(name: String, make: () throws(HostError) -> Void)] = [
      ("prepare", { () throws(HostError) in try layout.prepare() }),
      (query, { () throws(HostError) in _ = try layout.answer() }),
      ("element", { () throws(HostError) in try layout.lookUpFirstItem() }),
    ]
    for call in calls {
      try layout.prepare()
      watch.baseFails = true
      defer { watch.baseFails = false }
      do throws(HostError) { try call.make() } catch {
        // Otherwise the engine went on without its base's work.
        if error.kind == .refused { continue }
      }
      guard watch.hasFailedBase else { continue }
      return "TESSERA_OK from \(call.name), after the call of its base had failed"
    }
    return nil
  }

  func estimates(_ scenes: [EngineInput]) throws(HostError) -> String? {
    var known: [String]?
    for scene in scenes {
      let layout = try examined.prepared(scene)
      if let odd = try layout.sizeOfOtherRun() { return odd }
      let found = layout.proposals()
      if let (before, after) = Self.change(from: known ?? found, to: found) {
        return "\(after), once elements are measured, instead of \(before)"
      }
      known = found
    }
    return nil
  }

  func preparedAgain(_ scene: EngineInput) throws(HostError) -> String? {
    let layout = try examined.prepared(scene)
    let once = try layout.image()
    let settings = TESSERA_CHANGED_BOUNDS | TESSERA_CHANGED_PARAMETERS
    for (what, changed) in [
      ("again", TESSERA_CHANGED_ALL), ("again after a change of bounds and parameters", settings),
    ] {
      try layout.prepare(changed: changed)
      if let change = once.change(to: try layout.image()) {
        return "\(change) when prepared \(what)"
      }
    }
    return nil
  }

  func unprepared(_ scene: EngineInput) throws(HostError) -> String? {
    try ExaminedLayout(scene, examined).destroy()
    // Sizes may be requested before the first prepare.
    let asked = try ExaminedLayout(scene, examined)
    _ = asked.proposals()
    asked.destroy()
    return nil
  }
}
