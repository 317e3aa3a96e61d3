import TesseraCatalog
import TesseraRuntime

/// The first message, in the host's box before the worker starts.
package struct WorkerStart: Equatable {
  package enum Task: Equatable {
    case describe
    case layOut([Member])
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

  package struct Library: Equatable, Sendable {
    package let path: String
    /// Load this file if it is unchanged; nil always loads the sealed copy.
    package let file: FileIdentity?
    package let abi: ABIVersion

    package init(path: String, file: FileIdentity?, abi: ABIVersion) {
      (self.path, self.file, self.abi) = (path, file, abi)
    }
  }

  /// Must be the same in host and worker.
  package static let version: UInt32 = 13
  // A worker's descriptors; further libraries follow `firstLibrary`.
  package static let socket: Int32 = 3
  package static let output: Int32 = 4
  package static let input: Int32 = 5
  package static let firstLibrary: Int32 = 6

  package let parent: Int32
  package let isSandboxed: Bool
  package let requiresFullSandbox: Bool
  package let recordsCrash: Bool
  package let limits: WorkerLimits
  package let libraries: [Library]
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

  /// - Throws: `.brokenContract` for another protocol version.
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
  /// The timeout in seconds for one program call, one layout of a batch, or loading; host time such
  /// as delegate functions extends it at most to double.
  public var secondsPerCall = 10.0
  /// In bytes: rows, input read and private memory together.
  public var memory: UInt64 = 4 << 30
  /// The maximum number of threads.
  public var threads: UInt32 = 256
  /// In seconds, over all calls.
  public var processorSeconds: UInt64 = 600

  /// The default limits.
  public init() {}
}

/// How engines are isolated from the program that uses them.
public enum Isolation: String, CaseIterable, Sendable {
  /// In a sandboxed process.
  case sandbox
  /// In a process with the program's rights.
  case process
  /// In the program's process; only for trusted engines.
  case none
}
