import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Everything that engines depend on: kernel, worker, limits, folders, refused files.
public struct Diagnosis: Sendable {
  /// The kernel's isolation features.
  public let kernel: KernelOffer
  /// The result of starting a sandboxed worker.
  public let worker: WorkerTrial
  /// Why memory can't be shared with another process; nil if it can.
  public let sharedMemoryError: String?
  /// Bytes of rows, and of input, per session if system limits reduce them; else nil.
  public let memoryLimit: UInt64?
  /// The limits of an engine's process.
  public let workerLimits: WorkerLimits
  /// The system's limits on this process and its workers.
  public let processLimits: [ProcessLimit]
  /// The search path, in order.
  public let folders: [FolderCheck]
  /// The engines and refused files in the folders.
  public let listing: Listing
  /// The description cache.
  public let cache: CacheCheck
  /// The effective user id; 0 is root.
  public let user: UInt32
  /// Whether this process has more rights than its caller, and so ignores its environment.
  public let isPrivileged: Bool

  /// Whether engines run in the full sandbox.
  public var runsSandboxed: Bool { worker.error == nil && worker.grade == .full }
}

extension Host {
  /// Examines all of this and starts two trial processes.
  ///
  /// - Complexity: As `listing()`; starts two processes.
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

/// A folder of the search path.
public struct FolderCheck: Sendable {
  /// Whether a folder is searched.
  public enum State: Sendable, Equatable {
    /// `libraries` counts the files named like libraries.
    case searched(libraries: Int)
    case missing
    case refused(HostError)
  }

  /// The path as written in the search path.
  public let path: String
  /// Whether it is searched.
  public let state: State

  init(_ folder: SearchPath.Folder, trust: TrustPolicy) {
    path = folder.path
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      state = isMissing ? .missing : .refused(.unsearchable(errno))
      return
    }
    do throws(HostError) {
      guard FileKind(status) == .folder else { throw .notAFolder }
      try trust.check(folder: folder.path)
      state = .searched(libraries: try LibraryScan.names(inFolder: folder.path).count)
    } catch { state = .refused(error) }
  }
}

/// The description cache.
public struct CacheCheck: Sendable, Equatable {
  /// The folder; nil if disabled.
  public let folder: String?
  /// Why it can't be used, in one sentence; nil if it can.
  public let problem: String?
  /// The number of libraries with stored descriptions.
  public let entryCount: Int
  /// The number of libraries recorded as crashed.
  public let crashedCount: Int
  /// The total file size in bytes.
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

/// A kernel's isolation features.
public struct KernelOffer: Sendable, Equatable {
  /// A protection by Landlock.
  public enum Protection: String, CaseIterable, Sendable {
    case files
    case truncation
    /// No TCP.
    case network
    /// No `ioctl`.
    case devices
    /// No signals or abstract sockets to other processes.
    case scopes

    /// The first Landlock version that has it.
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

  /// The release, such as "6.1.0-13-amd64".
  public let release: String
  /// The machine, such as "x86_64".
  public let machine: String
  /// Whether `no_new_privs` is available.
  public let dropsPrivileges: Bool
  /// Whether seccomp filters are available.
  public let filtersCalls: Bool
  /// The Landlock version; 0 if unsupported.
  public let landlock: Int

  /// Whether the kernel's Landlock has a protection.
  public func protects(_ protection: Protection) -> Bool { landlock >= protection.version }

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

/// A system limit on a process.
public struct ProcessLimit: Sendable, Equatable {
  /// The system's name, such as "RLIMIT_AS".
  public let name: String
  /// What it limits.
  public let meaning: String
  /// The maximum; nil if unlimited.
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
  /// The worker program's path; nil if not found.
  public let program: String?
  /// Why the trial failed; nil if it succeeded.
  public let error: HostError?
  /// The sandbox that it entered.
  public let grade: SandboxGrade
  /// Seconds from start to answer; nil without an answer.
  public let seconds: Double?
  /// The library described in a second worker, if any.
  public let library: String?
  /// Seconds for the second worker, including its start; nil if it failed.
  public let librarySeconds: Double?
}

extension EngineLoader {
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

  /// A session's library, twice while the worker starts, and the program's output.
  private static let spareDescriptors = 3

  private func startAndEnd() throws(HostError) -> SandboxGrade {
    let input = try SharedInput()
    let map = SharedMap(
      numbering: try ChainNumbers(chain: []), memory: configuration.limits.memory,
      rowLimit: configuration.rowLimit)
    let memory = try SharedMemory(
      named: "tessera-trial", byteCount: map.byteCount, isReadOnly: false)
    let spare = (0..<Self.spareDescriptors).map { _ in dup(input.memory.descriptor) }
    defer { for descriptor in spare where descriptor >= 0 { close(descriptor) } }
    let worker = try worker(memory: memory, input: input.memory, libraries: [], task: .describe)
    _ = try worker.descriptions(of: "the worker").get()
    return worker.grade
  }

  private static func timed(_ work: () throws(HostError) -> Void) throws(HostError) -> Double {
    let start = monotonicSeconds()
    try work()
    return monotonicSeconds() - start
  }
}
