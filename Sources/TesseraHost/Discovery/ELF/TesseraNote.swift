/// Finds our note among those of a library.
enum TesseraNote {
  /// More bytes of notes than any library has.
  static let limit = 65_536

  private static let name = Array("Tessera\0".utf8)
  private static let type: UInt32 = 1
  private static let headerSize = 12
  private static let dataSize = 12

  /// The first Tessera note of an image, or nil where there is none.
  ///
  /// - Throws: `.cannotLoad` for notes that overlap each other or the end of their segment.
  static func find(in image: borrowing ELFImage) throws(HostError) -> LibraryInspection? {
    for segment in image.segments(of: .note) {
      let bytes = try image.bytes(of: segment, limit: limit, "notes")
      if let found = try find(in: bytes, alignment: segment.alignment == 8 ? 8 : 4) {
        return found
      }
    }
    return nil
  }

  private static func find(
    in bytes: ELFBytes, alignment: Int
  ) throws(HostError) -> LibraryInspection? {
    var offset = 0
    while bytes.count - offset >= headerSize {
      // Three numbers below 2^32 each: their sums stay far from overflow.
      let nameSize = Int(bytes.uint32(at: offset))
      let dataSize = Int(bytes.uint32(at: offset + 4))
      let type = bytes.uint32(at: offset + 8)
      let data = aligned(offset + headerSize + nameSize, to: alignment)
      guard data + dataSize <= bytes.count else {
        throw HostError(
          .cannotLoad,
          "it is malformed: a note of \(nameSize) and \(dataSize) bytes reaches over the end of its "
            + "segment; build it again")
      }
      if type == self.type, nameSize == name.count, bytes.holds(name, at: offset + headerSize) {
        return try read(bytes, at: data, size: dataSize)
      }
      offset = aligned(data + dataSize, to: alignment)
    }
    return nil
  }

  private static func aligned(_ offset: Int, to alignment: Int) -> Int {
    (offset + alignment - 1) / alignment * alignment
  }

  /// A note of a later ABI may say more after what this one knows.
  private static func read(
    _ bytes: ELFBytes, at offset: Int, size: Int
  ) throws(HostError) -> LibraryInspection {
    guard size >= dataSize else {
      throw HostError(
        .cannotLoad,
        "its Tessera note has \(size) bytes of data; expected at least \(dataSize); "
          + "write it with TESSERA_NOTE")
    }
    return LibraryInspection(
      abi: ABIVersion(
        major: bytes.uint32(at: offset), minor: bytes.uint32(at: offset + 4)),
      engineSize: bytes.uint32(at: offset + 8))
  }
}
