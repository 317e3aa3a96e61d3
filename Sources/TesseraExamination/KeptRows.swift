import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension ExaminationServer {
  private static let shares: [(name: String, keeps: @Sendable (Int) -> Int)] = [
    ("as many rows as possible", { $0 }), ("no rows", { _ in 0 }),
    ("half of the rows", { $0 / 2 }), ("all rows but one", { max(0, $0 - 1) }),
  ]

  /// Two layouts go through the scenes in opposite orders; compares with new layouts.
  func changed(_ scenes: [EngineInput]) throws(HostError) -> String? {
    let expected = try scenes.map { scene throws(HostError) in
      try examined.prepared(scene).image()
    }
    for share in Self.shares {
      let orders = [Array(scenes.indices), scenes.indices.reversed()]
      var layouts: [(layout: ExaminedLayout, rows: LeftRows)] = []
      for order in orders {
        let rows = LeftRows(capacity: scenes.map(examined.rowCapacity).max() ?? 0)
        let layout = try ExaminedLayout(scenes[order[0]], examined, rows)
        layout.chain.prepared.keeps = share.keeps
        try layout.prepare()
        layouts.append((layout, rows))
      }
      for step in 1..<scenes.count {
        for (order, (layout, rows)) in zip(orders, layouts) {
          let (from, to) = (order[step - 1], order[step])
          rows.begin()
          try layout.prepare(scenes[to])
          let when =
            "after \(Self.text(from: scenes[from], to: scenes[to])), with \(share.name) kept"
          if let moved = rows.moved { return "\(moved) \(when)" }
          if let change = expected[to].change(to: try layout.image()) { return "\(change) \(when)" }
        }
      }
      for (layout, _) in layouts { layout.destroy() }
    }
    return nil
  }

  /// "a change from 7, 0 items to 8, 0 items".
  private static func text(from old: EngineInput, to new: EngineInput) -> String {
    func list(_ input: EngineInput) -> String {
      let counts = input.starts.counts
      let shown = counts.prefix(8).map(String.init).joined(separator: ", ")
      return "sections of \(shown)\(counts.count > 8 ? ", …" : "") items"
    }
    return old.starts.counts == new.starts.counts
      ? "a change of values among \(list(new))" : "a change from \(list(old)) to \(list(new))"
  }

  /// Moves a kept row before each prepare and checks whether it was rewritten.
  func keepsNothing(_ scenes: [EngineInput]) throws(HostError) -> String? {
    var areKept = false
    for pair in stride(from: 0, to: scenes.count - 1, by: 2) {
      let marks = MarkedRows(capacity: scenes.map(examined.rowCapacity).max() ?? 0)
      let layout = try examined.prepared(scenes[pair], marks)
      try layout.prepare(scenes[pair + 1])
      if marks.areLeft { return nil }
      areKept = areKept || !marks.isEmpty
      layout.destroy()
    }
    return areKept ? "all rows are written again" : nil
  }
}

/// Overwrites frames that the engine must write, and checks the rows that it leaves.
private final class LeftRows: CallWatch {
  private var given: [UnsafeMutableRawPointer: (frames: [tessera_rect], left: Int)] = [:]

  func begin() { given = [:] }

  override func willGive(_ rows: tessera_rows, isFetched: Bool) {
    let kept = Int(rows.kept)
    if !isFetched {
      for row in kept..<max(kept, Int(rows.count)) {
        rows.frame[row] = tessera_rect(x: 7777, y: 7777, width: 777, height: 777)
      }
    }
    let frames = Array(UnsafeBufferPointer(start: rows.frame, count: kept))
    given[UnsafeMutableRawPointer(rows.frame)] = (frames, 0)
  }

  override func wereLeft(_ rows: tessera_rows, _ count: Int) {
    given[UnsafeMutableRawPointer(rows.frame)]?.left = count
  }

  var moved: String? {
    for (place, (frames, left)) in given {
      let now = place.assumingMemoryBound(to: tessera_rect.self)
      for row in 0..<min(left, frames.count) where !isSame(frames[row], now[row]) {
        return "row \(row) of a run moved although leave said that \(left) rows stay"
      }
    }
    return nil
  }

  private func isSame(_ one: tessera_rect, _ other: tessera_rect) -> Bool {
    withUnsafeBytes(of: one) { left in withUnsafeBytes(of: other) { left.elementsEqual($0) } }
  }
}

/// Moves a kept row of each long run and checks whether it was rewritten.
private final class MarkedRows: CallWatch {
  private var marks: [(place: UnsafeMutablePointer<tessera_rect>, x: Double)] = []

  override func willGive(_ rows: tessera_rows, isFetched: Bool) {
    // Later positions may follow from the last row.
    guard rows.kept >= 8 else { return }
    let place = rows.frame + Int(rows.kept / 2)
    place.pointee.x += 0.25
    marks.append((place, place.pointee.x))
  }

  var isEmpty: Bool { marks.isEmpty }

  var areLeft: Bool { marks.contains { $0.place.pointee.x == $0.x } }
}
