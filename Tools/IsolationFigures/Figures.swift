import TesseraGeometry
import TesseraHost

/// What is measured, for one way of running engines.
struct Figures {
  let host: Host
  let rounds: Int

  init(_ isolation: Isolation, engines folder: String, rounds: Int) {
    host = Host(
      searchPath: SearchPath(folders: [folder]),
      configuration: HostConfiguration(isolation: isolation))
    self.rounds = rounds
  }

  /// Each figure by its name, in seconds, in the order of the table.
  static let all: [(name: String, measure: @Sendable (Figures) throws -> Double)] = [
    ("prepare of no items", { try $0.emptyPrepare() }),
    ("prepare of 100 items", { try $0.prepare("mosaic", items: 100, calls: 1000) }),
    ("adjust of the 30 rows in sight", { try $0.adjust() }),
    ("query of an eager layout, 1M items", { try $0.query() }),
    ("delegate function, a call", { try $0.delegateCall() }),
    ("grid, 1M items prepared", { try $0.prepare("grid", items: 1_000_000) }),
    ("mosaic, 1M items prepared", { try $0.prepare("mosaic", items: 1_000_000) }),
    ("flow, 1M sizes prepared", { try $0.prepareFlow(items: 1_000_000) }),
    ("flow, 1M sizes, first prepare", { try $0.firstPrepare(items: 1_000_000) }),
    ("new session to its first answer", { try $0.firstAnswer() }),
    ("64 sessions, each its first answer", { try $0.manySessions(64) }),
  ]

  private func session(_ engine: String, items: Int) throws -> Session {
    let session = try Session(host.engine("org.tessera.\(engine)"))
    session.bounds = Size(width: 375, height: 667)
    try session.setSections([items])
    return session
  }

  /// Prepares again and again, for bounds that differ each time.
  private func prepareAgain(_ session: Session, calls: Int = 1) throws -> Double {
    _ = try session.contentSize()
    var width = 375.0
    return try Clock.median(of: rounds, calls: calls) {
      width = width == 375 ? 376 : 375
      session.bounds.width = width
      _ = try session.contentSize()
    }
  }

  private func emptyPrepare() throws -> Double {
    try prepareAgain(session("mosaic", items: 0), calls: 1000)
  }

  private func prepare(_ engine: String, items: Int, calls: Int = 1) throws -> Double {
    try prepareAgain(session(engine, items: items), calls: calls)
  }

  private static func sizes(_ items: Int) -> [Size] {
    (0..<items).map { (item: Int) -> Size in
      Size(width: Double(30 + item % 61), height: Double(20 + item % 37))
    }
  }

  private func prepareFlow(items: Int) throws -> Double {
    let session = try session("flow", items: items)
    try session.setItemValues("size", .sizes(Self.sizes(items)))
    return try prepareAgain(session)
  }

  private func firstPrepare(items: Int) throws -> Double {
    let sizes = Self.sizes(items)
    var times: [Double] = []
    for _ in 0..<max(3, rounds / 3) {
      let session = try session("flow", items: items)
      try session.setItemValues("size", .sizes(sizes))
      times.append(try Clock.median(of: 1) { _ = try session.contentSize() })
    }
    return times.sorted()[times.count / 2]
  }

  private func adjust() throws -> Double {
    let session = try session("cover-flow", items: 1000)
    _ = try session.contentSize()
    var x = 0.0
    return try Clock.median(of: rounds, calls: 1000) {
      x = x == 0 ? 100 : 0
      _ = try session.elements(in: Rect(x: x, y: 0, width: 600, height: 667))
    }
  }

  private func query() throws -> Double {
    let session = try session("mosaic", items: 1_000_000)
    let content = try session.contentSize()
    var y = 0.0
    return try Clock.median(of: rounds, calls: 1000) {
      y = y + 700 > content.height ? 0 : y + content.height / 1500
      _ = try session.elements(in: Rect(x: 0, y: y, width: 375, height: 667))
    }
  }

  /// What a prepare that asks for the mode of each item takes longer than one that asks nobody.
  private func delegateCall() throws -> Double {
    let items = 1000
    let session = try session("aspect-flow", items: items)
    let without = try prepareAgain(session, calls: 20)
    nonisolated(unsafe) var asked = 0
    let count: (UInt32, UInt32) -> UInt8 = { _, _ in
      asked += 1
      return 0
    }
    try session.setDelegate("layoutModeForItem", DelegateFunction("layoutModeForItem", count))
    _ = try session.contentSize()
    asked = 0
    let with = try prepareAgain(session, calls: 20)
    return (with - without) / (Double(asked) / Double(rounds * 20 + 1))
  }

  private func firstAnswer() throws -> Double {
    let engine = try host.engine("org.tessera.mosaic")
    return try Clock.median(of: max(rounds, 15)) {
      let session = try Session(engine)
      try session.setSections([100])
      _ = try session.contentSize()
    }
  }

  private func manySessions(_ count: Int) throws -> Double {
    let engine = try host.engine("org.tessera.mosaic")
    return try Clock.median(of: 3) {
      var sessions: [Session] = []
      for _ in 0..<count { sessions.append(try Session(engine)) }
      for session in sessions {
        try session.setSections([100])
        _ = try session.contentSize()
      }
    }
  }
}
