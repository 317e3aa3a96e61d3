import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

// Rights that a worker drops before it loads a library.
extension WorkerProcess {
  /// Other files in `/proc` describe networks, mounts and other processes.
  private static let readable =
    [
      "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
      "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/usr/share/zoneinfo",
      "/sys/devices/system/cpu", "/dev/urandom", "/dev/null",
    ]
    + [
      "self/fd", "self/maps", "self/status", "self/stat", "self/statm", "self/auxv", "self/comm",
      "cpuinfo", "meminfo", "stat", "sys/vm/overcommit_memory",
    ].map { "/proc/\($0)" }

  /// Throws `.refused` if a step fails that the kernel supports, or if a full sandbox is required.
  static func giveUpRights(
    _ limits: WorkerLimits, requiresFull: Bool, libraries: Range<Int32>, memory: SharedMemory,
    shared: UInt64
  ) throws(HostError) {
    var sandboxLimits = tessera_sandbox_limits()
    sandboxLimits.address_space = shared + limits.memory + (8 << 30)
    sandboxLimits.data = limits.memory
    sandboxLimits.stack = 8 << 20
    sandboxLimits.cpu_seconds = limits.processorSeconds
    sandboxLimits.descriptors = 64
    sandboxLimits.threads = limits.threads
    // Sanitizers map shadow memory for the whole address space.
    if dlsym(nil, "__asan_init") != nil {
      (sandboxLimits.address_space, sandboxLimits.data) = (0, 0)
    }
    let runtimes = libraries.flatMap(runtimeFiles(ofLibrary:))
    let further = Set(loadedFiles + runtimes).filter { path in
      !readable.contains { path.hasPrefix("\($0)/") }
    }
    let paths = (readable + further).map { strdup($0)! }
    defer { for path in paths { free(path) } }
    let forbidden = (memory.base + SharedMap.forbiddenCall)
      .assumingMemoryBound(to: tessera_forbidden_call.self)
    var state = tessera_sandbox_state()
    var error: Int32 = 0
    let step = tessera_sandbox_enter(
      &sandboxLimits, paths.map { UnsafePointer($0) }, UInt32(paths.count), WorkerStart.socket,
      forbidden,
      &state, &error)
    guard step == 0 else {
      let name = String(cString: tessera_sandbox_step_name(step))
      throw HostError(
        .incompleteSandbox,
        "the sandbox cannot be entered: \(name) failed: \(systemMessage(error))", .diagnoseMachine)
    }
    let grade = SandboxGrade(state)
    guard !requiresFull || grade == .full else { throw .incompleteSandbox(grade) }
  }

  /// Loaded libraries, and the rest of a Swift runtime among them.
  private static var loadedFiles: [String] {
    var files: [String] = []
    var number: UInt32 = 0
    while let file = tessera_loaded_file(number) {
      let path = String(cString: file)
      if path.hasPrefix("/") { files.append(path) }
      number += 1
    }
    let folders = files.filter { $0.hasSuffix("/\(WorkerProcess.runtimeCore)") }.map {
      String($0.dropLast(WorkerProcess.runtimeCore.count + 1))
    }
    return files + folders.flatMap(runtimeFiles(inFolder:))
  }
}

// A statically linked worker has no path to the Swift runtime, and toolchains can be anywhere.
extension WorkerProcess {
  static let runtimeCore = "libswiftCore.so"
  private static let prefixes = [
    "libswift", "lib_Foundation", "libFoundation", "libdispatch.", "libBlocksRuntime.",
    "lib_Testing",
    "libXCTest.", "libTesting.",
  ]

  /// Nothing else on the run path becomes readable; the file position does not change.
  static func runtimeFiles(ofLibrary descriptor: Int32) -> [String] {
    let folders = (try? runPath(ofLibrary: descriptor)) ?? []
    return folders.filter { $0.hasPrefix("/") }.flatMap(runtimeFiles(inFolder:))
  }

  /// Empty unless the folder has the runtime's core and only root and the user can write to it.
  static func runtimeFiles(inFolder folder: String) -> [String] {
    guard (try? FolderRule().check(file: "\(folder)/\(runtimeCore)")) != nil,
      let file = try? LibraryFile(path: "\(folder)/\(runtimeCore)"), (try? isCore(file)) == true,
      let names = try? LibraryScan.names(inFolder: folder)
    else { return [] }
    return names.map { String(decoding: $0, as: UTF8.self) }
      .filter { name in prefixes.contains { name.hasPrefix($0) } }
      .map { "\(folder)/\($0)" }
  }

  private static func isCore(_ file: consuming LibraryFile) throws(HostError) -> Bool {
    let image = try ELFImage(of: file)
    let dynamic = try ELFDynamic(of: image)
    guard let strings = dynamic.strings, let name = dynamic.name else { return false }
    return try image.bytes(at: strings &+ name, atMost: runtimeCore.utf8.count + 1).text
      == runtimeCore
  }

  /// Throws `.cannotLoad` if the run path cannot be read.
  static func runPath(ofLibrary descriptor: Int32) throws(HostError) -> [String] {
    let image = try ELFImage(of: LibraryFile(borrowing: descriptor))
    let dynamic = try ELFDynamic(of: image)
    guard let strings = dynamic.strings else { return [] }
    var folders: [String] = []
    for offset in dynamic.runPaths {
      let text = try image.bytes(at: strings &+ offset, atMost: runPathLimit).text
      folders += text.split(separator: ":").map(String.init)
    }
    return folders
  }

  private static let runPathLimit = 16_384
}
