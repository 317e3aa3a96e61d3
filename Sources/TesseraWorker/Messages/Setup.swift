import TesseraCatalog
import TesseraRuntime

/// What a worker is told before it starts: it lies in the host's box already.
package struct Setup: Equatable {
  /// What the worker is for.
  package enum Task: Equatable {
    /// To say what engines a library holds.
    case describe
    /// To lay out with a chain of engines, the most derived first: each by its library's place in the
    /// list of descriptors, and its id.
    case layOut([Member])
    /// To examine such a chain from inside its process.
    case examine([Member])
  }

  package struct Member: Equatable, Sendable {
    package let library: Int
    package let id: String

    package init(library: Int, id: String) {
      self.library = library
      self.id = id
    }
  }

  /// Host and worker must be of one build of this protocol.
  package static let version: UInt32 = 2
  /// The descriptors that a worker is started with, those of the libraries after them.
  package static let socket: Int32 = 3
  package static let output: Int32 = 4
  package static let input: Int32 = 5
  package static let firstLibrary: Int32 = 6

  package let parent: Int32
  package let isSandboxed: Bool
  package let path: Channel.Path
  package let limits: WorkerLimits
  /// The names of the libraries' files, in the order of their descriptors.
  package let libraries: [String]
  package let task: Task

  package init(
    parent: Int32, isSandboxed: Bool, path: Channel.Path, limits: WorkerLimits,
    libraries: [String], task: Task
  ) {
    self.parent = parent
    self.isSandboxed = isSandboxed
    self.path = path
    self.limits = limits
    self.libraries = libraries
    self.task = task
  }
}

extension ByteWriter {
  package mutating func put(_ setup: Setup) {
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
  package mutating func setup() throws(HostError) -> Setup {
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

/// What an engine's process may use up.
public struct WorkerLimits: Sendable, Equatable {
  /// How long one call into the engine may take, in seconds; what the host does meanwhile, as for a
  /// delegate function, does not count.
  public var secondsPerCall = 10.0
  /// Private memory, in bytes.
  public var memory: UInt64 = 1 << 30
  /// Memory for rows, in bytes.
  public var rowMemory: UInt64 = 4 << 30
  /// Processor time over all calls, in seconds.
  public var processorSeconds: UInt64 = 600

  /// The limits that hold where nobody sets others.
  public init() {}
}

/// How engines are kept apart from the program that uses them.
public enum Isolation: String, CaseIterable, Sendable {
  /// In a process of their own, without the rights to do harm.
  case sandbox
  /// In a process of their own, with the rights of the program: a crash is theirs alone.
  case process
  /// In the program's own process: for engines that one trusts.
  case none
}
