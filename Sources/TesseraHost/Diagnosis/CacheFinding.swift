import Glibc

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
