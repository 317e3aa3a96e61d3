/// Uses the hash tables: a library may have no section headers and a million names.
package struct ELFSymbolTable: ~Copyable {
  private static let chainLimit = 4096
  private static let symbolSize: UInt64 = 24

  private let image: ELFImage
  private let dynamic: ELFDynamic
  private let strings: UInt64
  private let symbols: UInt64

  package init(of image: consuming ELFImage, dynamic: ELFDynamic) throws(HostError) {
    guard let strings = dynamic.strings, let symbols = dynamic.symbols else {
      throw HostError(
        .damagedLibrary, "it is malformed: its dynamic section names no symbols; build it again")
    }
    self.image = image
    (self.dynamic, self.strings, self.symbols) = (dynamic, strings, symbols)
  }

  package func exportsFunction(_ name: String) throws(HostError) -> Bool {
    if let table = dynamic.gnuHash { return try findInGNUHash(name, table) }
    if let table = dynamic.hash { return try findInHash(name, table) }
    throw HostError(
      .damagedLibrary, "it is malformed: its symbols have no hash table; build it again")
  }

  /// Buckets, first hashed symbol, filter words, shift; the 64-bit filter; the buckets; then a word
  /// for each symbol, its hash with the lowest bit set at the end of a bucket.
  private func findInGNUHash(_ name: String, _ table: UInt64) throws(HostError) -> Bool {
    let hash = name.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
    let head = try image.bytes(at: table, atMost: 16)
    let bucketCount = head.uint32(at: 0)
    guard bucketCount > 0 else { return false }
    let buckets = table &+ 16 &+ UInt64(head.uint32(at: 8)) &* 8
    let chains = buckets &+ UInt64(bucketCount) &* 4
    let first = head.uint32(at: 4)
    var index = try word(at: buckets &+ UInt64(hash % bucketCount) &* 4)
    guard index >= first, index > 0 else { return false }
    for _ in 0..<Self.chainLimit {
      let entry = try word(at: chains &+ UInt64(index - first) &* 4)
      if entry | 1 == hash | 1, try isFunction(name, at: index) { return true }
      guard entry & 1 == 0, index < .max else { return false }
      index += 1
    }
    throw endlessChain
  }

  /// Buckets, symbols; the buckets; then each symbol's next one in its bucket.
  private func findInHash(_ name: String, _ table: UInt64) throws(HostError) -> Bool {
    let hash = name.utf8.reduce(UInt32(0)) { hash, byte in
      let sum = (hash << 4) &+ UInt32(byte)
      let high = sum & 0xf000_0000
      return (sum ^ (high >> 24)) & ~high
    }
    let bucketCount = try word(at: table)
    guard bucketCount > 0 else { return false }
    let buckets = table &+ 8
    let chains = buckets &+ UInt64(bucketCount) &* 4
    var index = try word(at: buckets &+ UInt64(hash % bucketCount) &* 4)
    for _ in 0..<Self.chainLimit {
      guard index > 0 else { return false }
      if try isFunction(name, at: index) { return true }
      index = try word(at: chains &+ UInt64(index) &* 4)
    }
    throw endlessChain
  }

  package typealias Symbol = (name: String, isDefined: Bool)

  /// At most a million.
  package func all() throws(HostError) -> [Symbol] {
    var found: [Symbol] = []
    for index in 1..<max(1, try count()) {
      let symbol = try image.bytes(
        at: symbols &+ UInt64(index) &* Self.symbolSize, atMost: Int(Self.symbolSize))
      let binding = symbol.uint8(at: 4) >> 4
      let visibility = symbol.uint8(at: 5) & 3
      guard binding != 0, visibility == 0 || visibility == 3 else { continue }
      let name = try image.bytes(at: strings &+ UInt64(symbol.uint32(at: 0)), atMost: 4096)
      found.append((name: name.text, isDefined: symbol.uint16(at: 6) != 0))
    }
    return found
  }

  /// No field has it, but a hash table does.
  private func count() throws(HostError) -> UInt32 {
    if let table = dynamic.hash { return try limited(word(at: table &+ 4)) }
    guard let table = dynamic.gnuHash else { return 0 }
    let head = try image.bytes(at: table, atMost: 16)
    let (bucketCount, first) = (head.uint32(at: 0), head.uint32(at: 4))
    let buckets = table &+ 16 &+ UInt64(head.uint32(at: 8)) &* 8
    let chains = buckets &+ UInt64(bucketCount) &* 4
    var last: UInt32 = 0
    for bucket in 0..<(try limited(bucketCount)) {
      last = max(last, try word(at: buckets &+ UInt64(bucket) &* 4))
    }
    // The symbols before the first hashed one are imports.
    guard last >= first, last > 0 else { return try limited(first) }
    for _ in 0..<Self.chainLimit {
      if try word(at: chains &+ UInt64(last - first) &* 4) & 1 == 1 { return try limited(last + 1) }
      last = try limited(last) + 1
    }
    throw endlessChain
  }

  private func limited(_ count: UInt32) throws(HostError) -> UInt32 {
    guard count <= 1 << 20 else {
      throw HostError(
        .fileTooLarge, "it has \(count) symbols; expected at most \(1 << 20); build it again")
    }
    return count
  }

  private var endlessChain: HostError {
    HostError(
      .damagedLibrary,
      "it is malformed: more than \(Self.chainLimit) of its symbols share a hash; build it again")
  }

  private func word(at address: UInt64) throws(HostError) -> UInt32 {
    try image.bytes(at: address, atMost: 4).uint32(at: 0)
  }

  private func isFunction(_ name: String, at index: UInt32) throws(HostError) -> Bool {
    let symbol = try image.bytes(at: symbols &+ UInt64(index) &* Self.symbolSize, atMost: 24)
    let wanted = Array(name.utf8) + [0]
    let found = try image.bytes(at: strings &+ UInt64(symbol.uint32(at: 0)), atMost: wanted.count)
    let binding = symbol.uint8(at: 4) >> 4
    let type = symbol.uint8(at: 4) & 0xf
    return found.starts(with: wanted) && (binding == 1 || binding == 2) && type == 2
      && symbol.uint16(at: 6) != 0 && image.isCode(symbol.uint64(at: 8))
  }
}

/// Uses the section headers, which a stripped library lacks.
extension ELFSymbolTable {
  private static let sectionSize = 64
  private static let symbolLimit = 1 << 20
  private static let nameLimit = 1024
  private static let (fullTable, exportedTable): (UInt32, UInt32) = (2, 11)

  package static func functions(
    at addresses: [UInt64], in file: consuming LibraryFile
  ) throws(HostError) -> [UInt64: String] {
    let header = try file.bytes(at: 0, count: ELFImage.headerSize)
    let count = Int(header.uint16(at: 60))
    guard header.uint16(at: 58) == sectionSize, count > 0 else { return [:] }
    let sections = try file.bytes(at: header.uint64(at: 40), count: count * sectionSize)
    func first(_ kind: UInt32) -> Int? {
      (0..<count).map { $0 * sectionSize }.first { sections.uint32(at: $0 + 4) == kind }
    }
    guard let table = first(fullTable) ?? first(exportedTable) else { return [:] }
    let names = Int(sections.uint32(at: table + 40)) * sectionSize
    let nameSize = sections.uint64(at: names + 32)
    let symbolCount = Int(clamping: sections.uint64(at: table + 32)) / Int(symbolSize)
    let symbols = try file.bytes(
      at: sections.uint64(at: table + 24), count: min(symbolCount, symbolLimit) * Int(symbolSize))
    var found: [UInt64: String] = [:]
    for symbol in stride(from: 0, to: symbols.count, by: Int(symbolSize)) {
      // A function that the library defines.
      guard symbols.uint8(at: symbol + 4) & 0xf == 2, symbols.uint16(at: symbol + 6) != 0
      else { continue }
      let (start, size) = (symbols.uint64(at: symbol + 8), symbols.uint64(at: symbol + 16))
      for address in addresses where address >= start && address - start < max(size, 1) {
        let name = UInt64(symbols.uint32(at: symbol))
        guard name < nameSize else { continue }
        let (place, overflows) = sections.uint64(at: names + 24).addingReportingOverflow(name)
        guard !overflows else { continue }
        let length = Int(min(nameSize - name, UInt64(nameLimit)))
        found[address] = try file.bytes(at: place, count: length).text
      }
    }
    return found
  }
}
