/// The segments of a library and the bytes that they map from its file.
struct ELFImage: ~Copyable {
  /// One program header.
  struct Segment {
    let kind: Kind?
    let isExecutable: Bool
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let alignment: UInt64

    /// The kinds that are looked at.
    enum Kind: UInt32 {
      case load = 1
      case dynamic = 2
      case interpreter = 3
      case note = 4
    }

    fileprivate init(_ bytes: ELFBytes, at offset: Int) {
      kind = Kind(rawValue: bytes.uint32(at: offset))
      isExecutable = bytes.uint32(at: offset + 4) & 1 != 0
      self.offset = bytes.uint64(at: offset + 8)
      address = bytes.uint64(at: offset + 16)
      fileSize = bytes.uint64(at: offset + 32)
      alignment = bytes.uint64(at: offset + 48)
    }

    /// Whether an address lies in what the segment maps from the file.
    func maps(_ address: UInt64) -> Bool {
      kind == .load && address >= self.address && address - self.address < fileSize
    }
  }

  let segments: [Segment]
  private let file: LibraryFile

  /// Reads the program headers.
  ///
  /// - Throws: `.cannotLoad` where they, or a segment, reach over the file's end.
  init(of file: consuming LibraryFile, header: ELFHeader) throws(HostError) {
    let count = Int(header.segmentCount)
    let bytes = ELFBytes(
      try file.bytes(at: header.segmentsOffset, count: count * ELFHeader.segmentSize))
    let segments = (0..<count).map { Segment(bytes, at: $0 * ELFHeader.segmentSize) }
    for segment in segments where segment.kind != nil {
      guard file.contains(offset: segment.offset, count: segment.fileSize) else {
        throw HostError(
          .cannotLoad,
          "it is cut short: a segment has \(segment.fileSize) bytes at \(segment.offset) and the "
            + "file \(file.size); copy or build it again")
      }
    }
    self.segments = segments
    self.file = file
  }

  func segments(of kind: Segment.Kind) -> [Segment] {
    segments.filter { $0.kind == kind }
  }

  /// The bytes of a segment.
  ///
  /// - Throws: `.cannotLoad` where it has more than `limit`.
  func bytes(of segment: Segment, limit: Int, _ what: String) throws(HostError) -> ELFBytes {
    guard segment.fileSize <= UInt64(limit) else {
      throw HostError(
        .cannotLoad,
        "its \(what) have \(segment.fileSize) bytes; expected at most \(limit); build it again")
    }
    return ELFBytes(try file.bytes(at: segment.offset, count: Int(segment.fileSize)))
  }

  /// The bytes that lie at an address once the library is loaded, all of them in one segment; at most
  /// `count`, fewer at the segment's end.
  ///
  /// - Throws: `.cannotLoad` where no segment maps the address.
  func bytes(at address: UInt64, atMost count: Int) throws(HostError) -> ELFBytes {
    guard let segment = segments.first(where: { $0.maps(address) }) else {
      throw HostError(
        .cannotLoad,
        "it is malformed: no segment holds the address 0x\(String(address, radix: 16)); build it again"
      )
    }
    let skipped = address - segment.address
    let available = min(segment.fileSize - skipped, UInt64(count))
    return ELFBytes(try file.bytes(at: segment.offset + skipped, count: Int(available)))
  }

  /// Whether code lies at an address.
  func isCode(_ address: UInt64) -> Bool {
    segments.contains { $0.isExecutable && $0.maps(address) }
  }
}
