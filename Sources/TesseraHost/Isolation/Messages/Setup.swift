/// What a worker is told before it starts: it lies in the host's box already.
struct Setup: Equatable {
  /// What the worker is for.
  enum Task: Equatable {
    /// To say what engines a library holds.
    case describe
    /// To lay out with a chain of engines, the most derived first: each by its library's place in the
    /// list of descriptors, and its id.
    case layOut([Member])
    /// To examine such a chain from inside its process.
    case examine([Member])
  }

  struct Member: Equatable, Sendable {
    let library: Int
    let id: String
  }

  /// Host and worker must be of one build of this protocol.
  static let version: UInt32 = 2
  /// The descriptors that a worker is started with, those of the libraries after them.
  static let socket: Int32 = 3
  static let output: Int32 = 4
  static let input: Int32 = 5
  static let firstLibrary: Int32 = 6

  let parent: Int32
  let isSandboxed: Bool
  let path: Channel.Path
  let limits: WorkerLimits
  /// The names of the libraries' files, in the order of their descriptors.
  let libraries: [String]
  let task: Task
}

extension ByteWriter {
  mutating func put(_ setup: Setup) {
    put(Setup.version)
    put(setup.parent)
    put(setup.isSandboxed)
    put(setup.path.rawValue)
    put(setup.limits.secondsPerCall)
    put(setup.limits.memory)
    put(setup.limits.rowMemory)
    put(setup.limits.processorSeconds)
    put(setup.libraries)
    let chain: [Setup.Member]
    switch setup.task {
    case .describe: chain = []
    case .layOut(let members), .examine(let members): chain = members
    }
    if case .examine = setup.task { put(true) } else { put(false) }
    put(count: chain.count)
    for member in chain {
      put(member.library)
      put(member.id)
    }
  }
}

extension ByteReader {
  /// - Throws: `.brokenContract` for a host of another version.
  mutating func setup() throws(HostError) -> Setup {
    let version = try uint32()
    guard version == Setup.version else {
      throw HostError(
        .brokenContract,
        "the worker speaks version \(Setup.version) of the protocol and the host \(version); "
          + "install both from one release")
    }
    let parent = try int32()
    let isSandboxed = try bool()
    let path = Channel.Path(rawValue: try uint8()) ?? .socket
    var limits = WorkerLimits()
    limits.secondsPerCall = try double()
    limits.memory = try uint64()
    limits.rowMemory = try uint64()
    limits.processorSeconds = try uint64()
    let libraries = try strings()
    let isExamined = try bool()
    var chain: [Setup.Member] = []
    for _ in 0..<(try count(ofAtLeast: 12)) {
      chain.append(Setup.Member(library: try int(), id: try string()))
    }
    return Setup(
      parent: parent, isSandboxed: isSandboxed, path: path, limits: limits, libraries: libraries,
      task: chain.isEmpty ? .describe : isExamined ? .examine(chain) : .layOut(chain))
  }
}
