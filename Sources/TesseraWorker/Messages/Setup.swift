import TesseraCatalog
import TesseraRuntime

/// The first message to a worker, in the host's box before the worker starts.
package struct Setup: Equatable {
  /// What the worker is for.
  package enum Task: Equatable {
    /// Describe the engines of a library.
    case describe
    /// Run a chain of engines, the most derived first.
    case layOut([Member])
    /// Examine a chain from inside its process, for the conformance suite.
    case examine([Member])
  }

  /// An engine of the chain.
  package struct Member: Equatable, Sendable {
    /// The index of its library in `libraries`.
    package let library: Int
    package let id: String

    package init(library: Int, id: String) {
      self.library = library
      self.id = id
    }
  }

  /// The version of the protocol, which must be the same in host and worker.
  package static let version: UInt32 = 2
  // The descriptors that a worker starts with; those of further libraries follow `firstLibrary`.
  package static let socket: Int32 = 3
  package static let output: Int32 = 4
  package static let input: Int32 = 5
  package static let firstLibrary: Int32 = 6

  package let parent: Int32
  package let isSandboxed: Bool
  package let path: Channel.Path
  package let limits: WorkerLimits
  /// The file names of the libraries, in the order of their descriptors.
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
        "the worker uses version \(Setup.version) of the protocol and the host \(version); "
          + "install both from the same release")
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

/// The limits of an engine's process.
public struct WorkerLimits: Sendable, Equatable {
  /// The maximum time of one call into the engine, in seconds.
  ///
  /// Time spent in the host meanwhile, such as in a delegate function, does not count.
  public var secondsPerCall = 10.0
  /// The maximum private memory, in bytes.
  public var memory: UInt64 = 1 << 30
  /// The maximum memory for rows, in bytes.
  public var rowMemory: UInt64 = 4 << 30
  /// The maximum processor time over all calls, in seconds.
  public var processorSeconds: UInt64 = 600

  /// The default limits.
  public init() {}
}

/// How engines are isolated from the program that uses them.
public enum Isolation: String, CaseIterable, Sendable {
  /// In a process of their own, in a sandbox.
  case sandbox
  /// In a process of their own, with the rights of the program: a crash does not end the program.
  case process
  /// In the process of the program; only for trusted engines.
  case none
}
