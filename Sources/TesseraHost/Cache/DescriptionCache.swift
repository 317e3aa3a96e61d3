import Glibc

/// Remembers what libraries declare, so that a listing runs nothing of a library that it knows.
///
/// An entry holds for one state of one file and goes by nothing else. Hosts may share the folder:
/// entries are written whole. Nothing here fails: what cannot be read or written is not remembered.
struct DescriptionCache: Sendable {
  /// Where entries lie; nil where there is no folder.
  let folder: CacheFolder?
  /// Why there is no folder: one sentence.
  let problem: String?

  /// The most entries that stay.
  static let entryLimit = 1000
  /// The most bytes of an entry.
  static let sizeLimit = 16 << 20
  /// How long a file must have rested before it is remembered, in nanoseconds.
  ///
  /// Clocks of file systems tick every few milliseconds: a file that is written twice within one
  /// tick has the same identity both times.
  static let restingTime: Int64 = 100_000_000

  /// The cache of the user whose surroundings these are.
  init(environment: [String: String]?, home: String?) {
    guard let path = CacheFolder.standardPath(environment: environment, home: home) else {
      self.init(
        folder: nil,
        problem: "there is no cache, because neither XDG_CACHE_HOME nor HOME names a folder")
      return
    }
    self.init(path: path)
  }

  /// A cache in a folder, which is made where it is missing.
  init(path: String) {
    do throws(CacheFolder.Refusal) {
      self.init(folder: try CacheFolder(path: path), problem: nil)
    } catch { self.init(folder: nil, problem: error.reason) }
  }

  private init(folder: CacheFolder?, problem: String?) {
    self.folder = folder
    self.problem = problem
  }

  /// What is remembered of a file in exactly this state, or nil.
  ///
  /// Complexity: one small file is read.
  func entry(
    for identity: FileIdentity
  ) -> (digest: SHA256Digest, result: Result<[EngineDescription], HostError>)? {
    guard let bytes = folder?.read(Self.name(of: identity), limit: Self.sizeLimit),
      let entry = try? CacheEntry(bytes: bytes), entry.identity == identity
    else { return nil }
    return (entry.digest, entry.result)
  }

  /// Remembers the engines of a library, or why it was refused, until its file changes.
  ///
  /// A file that has changed a moment ago is not remembered yet.
  func store(
    _ result: Result<[EngineDescription], HostError>, digest: SHA256Digest,
    for identity: FileIdentity
  ) {
    guard let folder, identity.changed &+ Self.restingTime <= WallClock.nanoseconds else { return }
    let bytes = CacheEntry(identity: identity, digest: digest, result: result).bytes
    guard bytes.count <= Self.sizeLimit else { return }
    folder.replace(Self.name(of: identity), with: bytes)
    folder.prune(".", limit: Self.entryLimit)
  }

  /// Forgets what is remembered of a file.
  func forget(_ identity: FileIdentity) { folder?.remove(Self.name(of: identity)) }

  /// One name a file, whatever its state, so that a new state takes the place of the old one.
  static func name(of identity: FileIdentity) -> String {
    "library-\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16))"
  }
}
