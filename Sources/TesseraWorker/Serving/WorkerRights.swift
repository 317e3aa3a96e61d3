import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

// The rights that a worker gives up before it loads a library.
extension WorkerProcess {
  /// The paths that the dynamic loader and language runtimes read.
  ///
  /// Of `/proc` they are the few about the process itself and about the machine: more would describe
  /// networks, mounts and other processes.
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

  /// Enters the sandbox.
  ///
  /// - Parameters:
  ///   - libraries: The descriptors of the libraries to load.
  ///   - shared: The number of bytes of address space that are already mapped.
  /// - Throws: `.refused` if a step that this kernel supports fails, or if the sandbox is not full although
  ///   it must be.
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
    // A program built with a sanitizer maps shadow memory for the whole address space.
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
    guard !requiresFull || grade == .full else {
      throw .incompleteSandbox(grade)
    }
  }

  /// The libraries that this process has loaded, and the rest of a Swift runtime among them.
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

// The Swift runtime that a dynamically linked engine needs.
//
// A statically linked worker has no path to it, and a toolchain can be installed anywhere.
extension WorkerProcess {
  static let runtimeCore = "libswiftCore.so"
  /// How the names of its libraries begin.
  private static let prefixes = [
    "libswift", "lib_Foundation", "libFoundation", "libdispatch.", "libBlocksRuntime.",
    "lib_Testing",
    "libXCTest.", "libTesting.",
  ]

  /// The libraries of the Swift runtimes on a library's run path.
  ///
  /// Nothing else on the run path becomes readable.
  ///
  /// - Parameter descriptor: The library's descriptor; its file position does not change.
  static func runtimeFiles(ofLibrary descriptor: Int32) -> [String] {
    let folders = (try? runPath(ofLibrary: descriptor)) ?? []
    return folders.filter { $0.hasPrefix("/") }.flatMap(runtimeFiles(inFolder:))
  }

  /// The libraries of the runtime in a folder; none if its core is not the library of that name, or if
  /// anybody but root and the user can change it.
  static func runtimeFiles(inFolder folder: String) -> [String] {
    guard (try? FolderRule().check(file: "\(folder)/\(runtimeCore)")) != nil,
      let file = try? LibraryFile(path: "\(folder)/\(runtimeCore)"), (try? isCore(file)) == true,
      let names = try? LibraryScan.names(inFolder: folder)
    else { return [] }
    return names.map { String(decoding: $0, as: UTF8.self) }
      .filter { name in prefixes.contains { name.hasPrefix($0) } }
      .map { "\(folder)/\($0)" }
  }

  /// Whether a library has the name and a function of the runtime's core.
  private static func isCore(_ file: consuming LibraryFile) throws(HostError) -> Bool {
    let image = try ELFImage(of: file)
    let dynamic = try ELFDynamic(of: image)
    guard let strings = dynamic.strings, let name = dynamic.name else { return false }
    return try image.bytes(at: strings &+ name, atMost: runtimeCore.utf8.count + 1).text
      == runtimeCore
  }

  /// The folders in which the loader searches for a library's dependencies.
  ///
  /// - Throws: `.cannotLoad` if the run path cannot be read.
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

  /// The maximum length of a run path, in bytes.
  private static let runPathLimit = 16_384
}
