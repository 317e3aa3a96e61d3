import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// What a host finds where it runs: the kernel, the worker, limits, folders, and what was refused.
///
/// It holds what was found; how that is told is for others.
public struct Diagnosis: Sendable {
  /// What the kernel offers to keep engines in.
  public let kernel: KernelOffer
  /// What came of starting a worker in the sandbox.
  public let worker: WorkerTrial
  /// The memory that host and worker share, and that functions are made in.
  public let memory: MemoryOffer
  /// What one engine's process may use up.
  public let workerLimits: WorkerLimits
  /// The limits of this process, which hold for workers too.
  public let processLimits: [ProcessLimit]
  /// The folders of the search path, in their order.
  public let folders: [FolderFinding]
  /// What lies in them.
  public let listing: Listing
  /// The cache of descriptions.
  public let cache: CacheFinding
  /// The user as whom this process acts: 0 is root.
  public let user: UInt32
  /// Whether this process has rights that its caller lacks, so that environment and home do not count.
  public let isPrivileged: Bool

  /// Whether engines run in the sandbox here: the worker starts in it, system calls are filtered and
  /// files are closed.
  public var runsSandboxed: Bool {
    worker.error == nil && kernel.dropsPrivileges && kernel.filtersCalls && kernel.protects(.files)
  }
}

extension Host {
  /// Looks at all that running engines depends on, and starts a worker to see whether it can be.
  ///
  /// Complexity: as `listing()`, and two processes.
  public func diagnosis() -> Diagnosis {
    let listing = listing()
    return Diagnosis(
      kernel: .ofThisMachine(),
      worker: runtime.trial(library: listing.engines.first?.resolvedLibrary),
      memory: .ofThisMachine(), workerLimits: configuration.limits,
      processLimits: ProcessLimit.ofThisProcess(),
      folders: searchPath.folders.map { FolderFinding($0, trust: configuration.trust) },
      listing: listing, cache: CacheFinding(configuration, runtime.cache), user: geteuid(),
      isPrivileged: tessera_is_privileged() != 0)
  }
}

/// A folder of the search path as it was found.
public struct FolderFinding: Sendable {
  /// How it is.
  public enum State: Sendable, Equatable {
    /// It is searched; so many files in it are named like libraries.
    case searched(libraries: Int)
    /// There is none.
    case missing
    /// It is passed over, for the reason given.
    case refused(HostError)
  }

  /// Its path as the search path has it.
  public let path: String
  /// How it is.
  public let state: State

  init(_ folder: SearchPath.Folder, trust: TrustPolicy) {
    path = folder.path
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      state =
        isMissing
        ? .missing
        : .refused(HostError(.notFound, "it cannot be searched: \(systemMessage(errno))"))
      return
    }
    do throws(HostError) {
      guard FileKind(status) == .folder else {
        throw HostError(.notFound, "it is not a folder; give one")
      }
      try trust.check(folder: folder.path)
      state = .searched(libraries: try LibraryName.all(inFolder: folder.path).count)
    } catch { state = .refused(error) }
  }
}

/// The cache of descriptions as it was found.
public struct CacheFinding: Sendable, Equatable {
  /// Its folder; nil where nothing is to be remembered.
  public let folder: String?
  /// Why nothing is remembered, in one sentence; nil where something can be.
  public let problem: String?
  /// How many libraries are known.
  public let entryCount: Int
  /// How many of the libraries that crashed are recorded.
  public let crashedCount: Int
  /// How many bytes the files have.
  public let byteCount: UInt64

  init(_ configuration: HostConfiguration, _ cache: DescriptionCache?) {
    folder = configuration.cacheFolder
    problem = cache?.problem
    guard let folder = cache?.folder else {
      (entryCount, crashedCount, byteCount) = (0, 0, 0)
      return
    }
    let entries = folder.files(in: ".").filter { $0.hasPrefix("library-") }
    let crashed = folder.files(in: "deaths").map { "deaths/\($0)" }
    entryCount = entries.count
    crashedCount = crashed.count
    byteCount = (entries + crashed).reduce(0) { $0 + folder.size(of: $1) }
  }
}

extension CacheFolder {
  /// How many bytes a file in it has; 0 where there is none.
  fileprivate func size(of name: String) -> UInt64 {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? UInt64(max(0, status.st_size)) : 0
  }
}

/// What a kernel offers to keep an engine's process in.
public struct KernelOffer: Sendable, Equatable {
  /// Something that Landlock protects, each since a version of its own.
  public enum Protection: String, CaseIterable, Sendable {
    /// Files and folders are closed unless they are listed.
    case files
    /// No file is cut short.
    case truncation
    /// No TCP.
    case network
    /// Devices take no commands.
    case devices
    /// Signals and abstract sockets reach no other process.
    case scopes

    /// The first version of Landlock that has it.
    public var version: Int {
      switch self {
      case .files: 1
      case .truncation: 3
      case .network: 4
      case .devices: 5
      case .scopes: 6
      }
    }
  }

  /// The kernel's release, "6.1.0-13-amd64".
  public let release: String
  /// The machine, "x86_64".
  public let machine: String
  /// Whether a process can give up the right to gain rights.
  public let dropsPrivileges: Bool
  /// Whether system calls can be filtered.
  public let filtersCalls: Bool
  /// The version of Landlock; 0: none.
  public let landlock: Int

  /// Whether Landlock protects something.
  public func protects(_ protection: Protection) -> Bool { landlock >= protection.version }

  /// What the kernel of this machine offers; starts nothing and changes nothing.
  static func ofThisMachine() -> KernelOffer {
    let offer = tessera_sandbox_offer_of_kernel()
    var names = utsname()
    uname(&names)
    return KernelOffer(
      release: text(names.release), machine: text(names.machine),
      dropsPrivileges: offer.no_new_privileges != 0, filtersCalls: offer.seccomp != 0,
      landlock: Int(offer.landlock))
  }

  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The memory that a host needs of the system beside the ordinary.
public struct MemoryOffer: Sendable, Equatable {
  /// Why there is no memory for two processes; nil where there is.
  public let sharedError: String?
  /// Whether two processes can wait for each other in it; where not, a socket does, slower.
  public let waitsInMemory: Bool
  /// Whether functions can be made at run time, as delegate functions are.
  public let isExecutable: Bool

  static func ofThisMachine() -> MemoryOffer {
    let closure = tessera_closure_create()
    defer { if let closure { tessera_closure_destroy(closure) } }
    do throws(HostError) {
      let memory = try SharedMemory(
        named: "tessera-trial", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
      let path = Channel.availablePath(memory)
      return MemoryOffer(
        sharedError: nil, waitsInMemory: path == .memory, isExecutable: closure != nil)
    } catch {
      return MemoryOffer(
        sharedError: error.message, waitsInMemory: false, isExecutable: closure != nil)
    }
  }
}

/// A limit that the system holds a process to.
public struct ProcessLimit: Sendable, Equatable {
  /// The limit's name in the system, "RLIMIT_AS".
  public let name: String
  /// What it limits.
  public let meaning: String
  /// The highest value; nil: none.
  public let value: UInt64?

  /// Those of this process that decide whether a worker can be started.
  static func ofThisProcess() -> [ProcessLimit] {
    [
      ("RLIMIT_AS", "bytes of address space", RLIMIT_AS),
      ("RLIMIT_DATA", "bytes of private memory", RLIMIT_DATA),
      ("RLIMIT_FSIZE", "bytes of a file, in memory too", RLIMIT_FSIZE),
      ("RLIMIT_NOFILE", "open files", RLIMIT_NOFILE),
      ("RLIMIT_NPROC", "processes and threads of the user", __RLIMIT_NPROC),
    ].map { name, meaning, resource in
      var limit = rlimit()
      let isKnown = getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
      let value = isKnown && limit.rlim_cur != rlim_t.max ? UInt64(limit.rlim_cur) : nil
      return ProcessLimit(name: name, meaning: meaning, value: value)
    }
  }
}

/// What came of starting a worker.
public struct WorkerTrial: Sendable {
  /// The path of the worker's program; nil where there is none.
  public let program: String?
  /// What went wrong; nil where the worker entered the sandbox and answered.
  public let error: HostError?
  /// How long it took from the start to the answer, in seconds; nil where there was none.
  public let seconds: Double?
  /// The library that was then asked, in a worker of its own, what it holds; nil where there is none.
  public let library: String?
  /// How long that took, its process included, in seconds; nil where it went wrong.
  public let librarySeconds: Double?
}

extension EngineRuntime {
  /// Starts a worker in the sandbox, with no library, and one with a library.
  ///
  /// - Parameter path: A library that may be loaded; nil where there is none.
  func trial(library path: String?) -> WorkerTrial {
    var configuration = configuration
    configuration.isolation = .sandbox
    configuration.cacheFolder = nil
    let runtime = EngineRuntime(configuration)
    var program = configuration.worker
    do throws(HostError) {
      if program == nil { program = try WorkerProgram.find() }
      let seconds = try Self.timed { () throws(HostError) in try runtime.startAndEnd() }
      let librarySeconds = path.flatMap { path in
        try? Self.timed { () throws(HostError) in
          _ = try runtime.descriptions(of: LibraryStore.library(at: path))
        }
      }
      return WorkerTrial(
        program: program, error: nil, seconds: seconds, library: path,
        librarySeconds: librarySeconds)
    } catch {
      return WorkerTrial(
        program: program, error: error, seconds: nil, library: nil, librarySeconds: nil)
    }
  }

  private func startAndEnd() throws(HostError) {
    let memory = try SharedMemory(
      named: "tessera-trial", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
    let worker = try worker(memory: memory, input: nil, libraries: [], task: .describe)
    _ = try worker.descriptions(of: "the worker").get()
  }

  private static func timed(_ work: () throws(HostError) -> Void) throws(HostError) -> Double {
    let start = ContinuousClock.now
    try work()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
