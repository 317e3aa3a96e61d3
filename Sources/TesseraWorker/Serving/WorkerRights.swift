import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// The rights that a worker gives up before it loads a library.
enum WorkerRights {
  /// The paths that the dynamic loader and language runtimes read.
  private static let readable = [
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
    "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/usr/share/zoneinfo", "/proc",
    "/sys/devices/system/cpu", "/dev/urandom", "/dev/null",
  ]

  /// Enters the sandbox.
  ///
  /// - Parameters:
  ///   - libraries: The descriptors of the libraries to load.
  ///   - shared: The number of bytes of address space that are already mapped.
  /// - Throws: `.refused` if a step that this kernel supports fails.
  static func giveUp(
    _ limits: WorkerLimits, libraries: Range<Int32>, memory: SharedMemory, shared: UInt64
  ) throws(HostError) {
    var sandboxLimits = tessera_sandbox_limits()
    sandboxLimits.address_space = shared + limits.memory + (8 << 30)
    sandboxLimits.data = limits.memory
    sandboxLimits.stack = 8 << 20
    sandboxLimits.cpu_seconds = limits.processorSeconds
    sandboxLimits.descriptors = 64
    // A program built with a sanitizer maps shadow memory for the whole address space.
    if dlsym(nil, "__asan_init") != nil {
      (sandboxLimits.address_space, sandboxLimits.data) = (0, 0)
    }
    let runtimes = libraries.flatMap(SwiftRuntime.folders(ofLibrary:))
    let paths = (readable + loadedFolders + runtimes).map { strdup($0)! }
    defer { for path in paths { free(path) } }
    let forbidden = (memory.base + SharedMap.forbiddenCall)
      .assumingMemoryBound(to: tessera_forbidden_call.self)
    var error: Int32 = 0
    let step = tessera_sandbox_enter(
      &sandboxLimits, paths.map { UnsafePointer($0) }, UInt32(paths.count), Setup.socket, forbidden,
      &error)
    guard step == 0 else {
      throw HostError(
        .refused,
        "the sandbox cannot be entered: step \(step) failed (\(systemMessage(error)))",
        .diagnoseMachine)
    }
  }

  /// The folders of the libraries that this process has loaded, including the Swift runtime.
  private static var loadedFolders: [String] {
    var folders: Set<String> = []
    var number: UInt32 = 0
    while let file = tessera_loaded_file(number) {
      let path = String(cString: file)
      if let end = path.lastIndex(of: "/"), end != path.startIndex {
        folders.insert(String(path[..<end]))
      }
      number += 1
    }
    return folders.sorted()
  }
}

/// The Swift runtime that a dynamically linked engine needs.
///
/// A statically linked worker has no path to it, and a toolchain can be installed anywhere.
enum SwiftRuntime {
  private static let core = "libswiftCore.so"

  /// The folders on a library's run path that contain the Swift runtime and that only root and the
  /// user can change.
  ///
  /// No other folder on the run path becomes readable.
  ///
  /// - Parameter descriptor: The library's descriptor; its file position does not change.
  static func folders(ofLibrary descriptor: Int32) -> [String] {
    let folders = (try? runPath(ofLibrary: descriptor)) ?? []
    return folders.filter { folder in
      folder.hasPrefix("/") && (try? FolderRule().check(file: "\(folder)/\(core)")) != nil
    }
  }

  /// The folders in which the loader searches for a library's dependencies.
  ///
  /// - Throws: `.cannotLoad` if the run path cannot be read.
  static func runPath(ofLibrary descriptor: Int32) throws(HostError) -> [String] {
    let file = try LibraryFile(borrowing: descriptor)
    let header = try ELFHeader(of: file)
    let image = try ELFImage(of: file, header: header)
    let dynamic = try ELFDynamic(of: image)
    guard let strings = dynamic.strings else { return [] }
    var folders: [String] = []
    for offset in dynamic.runPaths {
      let text = try image.bytes(at: strings &+ offset, atMost: limit).text
      folders += text.split(separator: ":").map(String.init)
    }
    return folders
  }

  /// The maximum length of a run path, in bytes.
  private static let limit = 16_384
}
