/// What the cache remembers of one library.
struct CacheEntry: Equatable, Sendable {
  /// Raised when an entry is written otherwise, or when another rule decides what is sound.
  static let formatVersion: UInt32 = 1

  /// The library's file in the state that it had.
  let identity: FileIdentity
  /// The sum of its bytes.
  let digest: SHA256Digest
  /// Its engines, or why it was refused.
  let result: Result<[EngineDescription], HostError>

  private static let magic = Array("TsraLibD".utf8)

  /// The bytes of a file, a sum of all of them last.
  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 4096)
    writer.put(raw: Self.magic)
    writer.put(Self.formatVersion)
    for version in [ABIVersion.supported.lowerBound, ABIVersion.supported.upperBound] {
      writer.put(version.major)
      writer.put(version.minor)
    }
    writer.put(identity)
    writer.put(raw: digest.bytes)
    switch result {
    case .success(let descriptions):
      writer.put(true)
      writer.put(descriptions)
    case .failure(let refusal):
      writer.put(false)
      writer.put(refusal)
    }
    writer.put(raw: SHA256.digest(of: writer.bytes).bytes)
    return writer.bytes
  }

  init(
    identity: FileIdentity, digest: SHA256Digest, result: Result<[EngineDescription], HostError>
  ) {
    self.identity = identity
    self.digest = digest
    self.result = result
  }

  /// Reads what a host of the same format and range of versions wrote, whole.
  ///
  /// - Throws: `.brokenContract` or `.cannotLoad` for anything else.
  init(bytes: [UInt8]) throws(HostError) {
    let body = Array(bytes.dropLast(32))
    guard SHA256Digest(bytes: bytes.suffix(32)) == SHA256.digest(of: body) else {
      throw ByteReader.broken("has another sum than it says")
    }
    var reader = ByteReader(body)
    guard try reader.raw(count: Self.magic.count) == Self.magic,
      try reader.uint32() == Self.formatVersion,
      try reader.version() == ABIVersion.supported.lowerBound,
      try reader.version() == ABIVersion.supported.upperBound
    else { throw ByteReader.broken("is of another version") }
    identity = try reader.fileIdentity()
    digest = try reader.digest()
    result =
      try reader.bool()
      ? .success(try reader.engineDescriptions()) : .failure(try reader.hostError())
    try reader.finish()
  }

  static func == (left: CacheEntry, right: CacheEntry) -> Bool {
    guard left.identity == right.identity, left.digest == right.digest else { return false }
    return switch (left.result, right.result) {
    case (.success(let left), .success(let right)): left == right
    case (.failure(let left), .failure(let right)): left == right
    default: false
    }
  }
}

extension ByteReader {
  fileprivate mutating func version() throws(HostError) -> ABIVersion {
    ABIVersion(major: try uint32(), minor: try uint32())
  }

  /// 32 bytes as a sum.
  mutating func digest() throws(HostError) -> SHA256Digest {
    guard let digest = SHA256Digest(bytes: try raw(count: 32)) else {
      throw Self.broken("is cut short in a sum")
    }
    return digest
  }
}
