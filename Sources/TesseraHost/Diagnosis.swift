import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// The state of everything that running engines depends on: the kernel, the worker, limits, folders
/// and refused files.
///
/// It holds only data; the caller formats it.
public struct Diagnosis: Sendable {
  /// The isolation features of the kernel.
  public let kernel: KernelOffer
  /// The result of starting a worker in the sandbox.
  public let worker: WorkerTrial
  /// Why memory cannot be shared with another process; nil if it can.
  public let sharedMemoryError: String?
  /// The most bytes of rows, and of input, that a session can have, where the system's limits on address
  /// space or on the size of files leave it less than usual; nil otherwise.
  public let memoryLimit: UInt64?
  /// The limits of an engine's process.
  public let workerLimits: WorkerLimits
  /// The system's limits on this process, which also apply to workers.
  public let processLimits: [ProcessLimit]
  /// The folders of the search path, in order.
  public let folders: [FolderCheck]
  /// The engines and refused files in them.
  public let listing: Listing
  /// The cache of descriptions.
  public let cache: CacheCheck
  /// The effective user id of this process; 0 is root.
  public let user: UInt32
  /// Whether this process has rights that its caller lacks, so that it ignores the environment and the
  /// home folder.
  public let isPrivileged: Bool

  /// Whether engines run in the full sandbox.
  public var runsSandboxed: Bool { worker.error == nil && worker.grade == .full }
}

extension Host {
  /// Examines everything that running engines depends on, and tries to start a worker.
  ///
  /// - Complexity: That of `listing()`; starts two processes.
  public func diagnosis() -> Diagnosis {
    let listing = listing()
    let largest = SharedMemory.largest
    return Diagnosis(
      kernel: .ofThisMachine(),
      worker: runtime.trial(library: listing.engines.first?.resolvedLibrary),
      sharedMemoryError: Self.sharedMemoryError(),
      memoryLimit: largest < 32 << 30 ? UInt64(largest) : nil, workerLimits: configuration.limits,
      processLimits: ProcessLimit.ofThisProcess(),
      folders: searchPath.folders.map { FolderCheck($0, trust: configuration.trust) },
      listing: listing, cache: CacheCheck(configuration, runtime.cache), user: geteuid(),
      isPrivileged: tessera_is_privileged() != 0)
  }

  private static func sharedMemoryError() -> String? {
    do throws(HostError) {
      _ = try SharedMemory(
        named: "tessera-trial", byteCount: SharedMap.describing.byteCount, isReadOnly: false)
      return nil
    } catch { return error.message }
  }
}

/// The state of a folder of the search path.
public struct FolderCheck: Sendable {
  /// Whether a folder is searched.
  public enum State: Sendable, Equatable {
    /// The folder is searched; `libraries` of its files are named like libraries.
    case searched(libraries: Int)
    /// The folder does not exist.
    case missing
    /// The folder is skipped, for this reason.
    case refused(HostError)
  }

  /// The path, as written in the search path.
  public let path: String
  /// Whether the folder is searched.
  public let state: State

  init(_ folder: SearchPath.Folder, trust: TrustPolicy) {
    path = folder.path
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      state =
        isMissing
        ? .missing
        : .refused(.unsearchable(errno))
      return
    }
    do throws(HostError) {
      guard FileKind(status) == .folder else {
        throw .notAFolder
      }
      try trust.check(folder: folder.path)
      state = .searched(libraries: try LibraryScan.names(inFolder: folder.path).count)
    } catch { state = .refused(error) }
  }
}

/// The state of the cache of descriptions.
public struct CacheCheck: Sendable, Equatable {
  /// The folder; nil if the cache is disabled.
  public let folder: String?
  /// Why the cache cannot be used, in one sentence; nil if it can.
  public let problem: String?
  /// The number of libraries whose descriptions are stored.
  public let entryCount: Int
  /// The number of libraries that are recorded as crashed.
  public let crashedCount: Int
  /// The total size of the files, in bytes.
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
  fileprivate func size(of name: String) -> UInt64 {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? UInt64(max(0, status.st_size)) : 0
  }
}

/// The features of a kernel that can isolate an engine's process.
public struct KernelOffer: Sendable, Equatable {
  /// Something that Landlock protects, from a certain version on.
  public enum Protection: String, CaseIterable, Sendable {
    /// Files and folders are inaccessible unless they are listed.
    case files
    /// Files cannot be truncated.
    case truncation
    /// TCP is not available.
    case network
    /// Devices accept no commands (`ioctl`).
    case devices
    /// Signals and abstract sockets cannot reach other processes.
    case scopes

    /// The first version of Landlock that supports it.
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

  /// The kernel's release, such as "6.1.0-13-amd64".
  public let release: String
  /// The machine, such as "x86_64".
  public let machine: String
  /// Whether a process can give up the ability to gain privileges (`no_new_privs`).
  public let dropsPrivileges: Bool
  /// Whether system calls can be filtered (seccomp).
  public let filtersCalls: Bool
  /// The version of Landlock; 0 if the kernel does not support it.
  public let landlock: Int

  /// Whether the kernel's version of Landlock has a protection.
  public func protects(_ protection: Protection) -> Bool { landlock >= protection.version }

  /// The features of this machine's kernel; has no side effects.
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

/// A limit of the system on a process.
public struct ProcessLimit: Sendable, Equatable {
  /// The system's name of the limit, such as "RLIMIT_AS".
  public let name: String
  /// What it limits.
  public let meaning: String
  /// The maximum value; nil if there is no limit.
  public let value: UInt64?

  static func ofThisProcess() -> [ProcessLimit] {
    [
      ("RLIMIT_AS", "bytes of address space", RLIMIT_AS),
      ("RLIMIT_DATA", "bytes of private memory", RLIMIT_DATA),
      ("RLIMIT_FSIZE", "bytes of a file, in memory too", RLIMIT_FSIZE),
      ("RLIMIT_NOFILE", "open files", RLIMIT_NOFILE),
      ("RLIMIT_STACK", "bytes of the stack", RLIMIT_STACK),
      ("RLIMIT_NPROC", "processes and threads of the user", __RLIMIT_NPROC),
    ].map { name, meaning, resource in
      var limit = rlimit()
      let isKnown = getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
      let value = isKnown && limit.rlim_cur != rlim_t.max ? UInt64(limit.rlim_cur) : nil
      return ProcessLimit(name: name, meaning: meaning, value: value)
    }
  }
}

/// The result of starting a worker.
public struct WorkerTrial: Sendable {
  /// The path of the worker's program; nil if it was not found.
  public let program: String?
  /// Why the trial failed; nil if the worker entered the sandbox and answered.
  public let error: HostError?
  /// The sandbox that the worker entered.
  public let grade: SandboxGrade
  /// The time from the start to the answer, in seconds; nil if there was no answer.
  public let seconds: Double?
  /// The library whose description was then read in another worker; nil if there is no library.
  public let library: String?
  /// The time that this took, including the start of the process, in seconds; nil if it failed.
  public let librarySeconds: Double?
}

extension EngineLoader {
  /// Starts a worker in the sandbox without a library, then one with a library.
  ///
  /// - Parameter path: The path of a library to load; nil for none.
  func trial(library path: String?) -> WorkerTrial {
    var configuration = configuration
    configuration.isolation = .sandbox
    configuration.cacheFolder = nil
    let runtime = EngineLoader(configuration)
    var program = configuration.worker
    do throws(HostError) {
      if program == nil { program = try findProgram() }
      var grade = SandboxGrade.none
      let seconds = try Self.timed { () throws(HostError) in grade = try runtime.startAndEnd() }
      let librarySeconds = path.flatMap { path in
        try? Self.timed { () throws(HostError) in
          _ = try runtime.descriptions(of: SealedLibrary.recent(at: path))
        }
      }
      return WorkerTrial(
        program: program, error: nil, grade: grade, seconds: seconds, library: path,
        librarySeconds: librarySeconds)
    } catch {
      return WorkerTrial(
        program: program, error: error, grade: .none, seconds: nil, library: nil,
        librarySeconds: nil)
    }
  }

  /// What a session has open beside the trial's: its library, twice while the worker starts, and what the
  /// program writes.
  private static let spareDescriptors = 3

  /// Starts a worker with all the memory and descriptors that a session needs.
  private func startAndEnd() throws(HostError) -> SandboxGrade {
    let input = try SharedInput()
    let map = SharedMap(
      numbering: try ChainNumbers(chain: []), memory: configuration.limits.memory,
      rowLimit: configuration.rowLimit)
    let memory = try SharedMemory(
      named: "tessera-trial", byteCount: map.byteCount, isReadOnly: false)
    // A session keeps its libraries, and the program some files, open meanwhile.
    let spare = (0..<Self.spareDescriptors).map { _ in dup(input.memory.descriptor) }
    defer { for descriptor in spare where descriptor >= 0 { close(descriptor) } }
    let worker = try worker(
      memory: memory, input: input.memory, libraries: [], task: .describe)
    _ = try worker.descriptions(of: "the worker").get()
    return worker.grade
  }

  private static func timed(_ work: () throws(HostError) -> Void) throws(HostError) -> Double {
    let start = monotonicSeconds()
    try work()
    return monotonicSeconds() - start
  }
}
