import TesseraCatalog
import TesseraRuntime

/// The first message to a worker, in the host's box before the worker starts.
package struct WorkerStart: Equatable {
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

  /// A library to load.
  package struct Library: Equatable, Sendable {
    package let path: String
    /// The file at the path, to be loaded itself while it is in this state; nil to load the sealed copy
    /// in any case.
    package let file: FileIdentity?
    /// The version of the contract that its note states.
    package let abi: ABIVersion

    package init(path: String, file: FileIdentity?, abi: ABIVersion) {
      self.path = path
      self.file = file
      self.abi = abi
    }
  }

  /// The version of the protocol, which must be the same in host and worker.
  package static let version: UInt32 = 13
  // The descriptors that a worker starts with; those of further libraries follow `firstLibrary`.
  package static let socket: Int32 = 3
  package static let output: Int32 = 4
  package static let input: Int32 = 5
  package static let firstLibrary: Int32 = 6

  package let parent: Int32
  package let isSandboxed: Bool
  /// Whether to refuse to load libraries in a sandbox that is not full.
  package let requiresFullSandbox: Bool
  /// Whether to record the calls that lead to a crash.
  package let recordsCrash: Bool
  package let limits: WorkerLimits
  /// The libraries, in the order of their descriptors.
  package let libraries: [Library]
  /// The number of bytes of input to map.
  package let inputByteCount: Int
  package let task: Task
}

extension WorkerStart: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(WorkerStart.version)
    writer.put(parent)
    writer.put(isSandboxed)
    writer.put(requiresFullSandbox)
    writer.put(recordsCrash)
    writer.put(limits)
    writer.put(libraries)
    writer.put(inputByteCount)
    switch task {
    case .describe:
      writer.put(false)
      writer.put([Member]())
    case .layOut(let chain):
      writer.put(false)
      writer.put(chain)
    case .examine(let chain):
      writer.put(true)
      writer.put(chain)
    }
  }

  /// - Throws: `.brokenContract` for a host of another version.
  package static func read(from reader: inout ByteReader) throws(HostError) -> WorkerStart {
    let version = try reader.read(UInt32.self)
    guard version == WorkerStart.version else {
      throw HostError(
        .protocolMismatch,
        "the worker uses version \(WorkerStart.version) of the protocol and the host \(version); "
          + "install both from the same release")
    }
    let (parent, isSandboxed) = (try reader.read(Int32.self), try reader.read(Bool.self))
    let requiresFullSandbox = try reader.read(Bool.self)
    let recordsCrash = try reader.read(Bool.self)
    let limits = try reader.read(WorkerLimits.self)
    let libraries = try reader.read([Library].self)
    let inputByteCount = try reader.read(Int.self)
    let (isExamined, chain) = (try reader.read(Bool.self), try reader.read([Member].self))
    return WorkerStart(
      parent: parent, isSandboxed: isSandboxed, requiresFullSandbox: requiresFullSandbox,
      recordsCrash: recordsCrash, limits: limits, libraries: libraries,
      inputByteCount: inputByteCount,
      task: chain.isEmpty ? .describe : isExamined ? .examine(chain) : .layOut(chain))
  }
}

extension WorkerStart.Library: FieldCodable {
  package static let fields = Fields(WorkerStart.Library.init, \.path, \.file, \.abi)
}

extension WorkerStart.Member: FieldCodable {
  package static let fields = Fields(WorkerStart.Member.init, \.library, \.id)
}

extension WorkerLimits: FieldCodable {
  package static let fields = Fields(
    setting: WorkerLimits.init, \.secondsPerCall, \.memory, \.threads, \.processorSeconds)
}

/// The limits of an engine's process.
public struct WorkerLimits: Sendable, Equatable {
  /// The maximum time of the calls into the engine that answer one call of the program, in seconds: for each layout
  /// of a batch, and for loading the engine.
  ///
  /// Time spent in the host meanwhile, such as in a delegate function, is added, up to as much again.
  public var secondsPerCall = 10.0
  /// The maximum memory in bytes: rows, the input that it has read, and its own together.
  public var memory: UInt64 = 4 << 30
  /// The maximum number of threads.
  public var threads: UInt32 = 256
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
