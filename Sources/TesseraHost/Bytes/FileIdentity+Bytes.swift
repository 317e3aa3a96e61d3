extension ByteWriter {
  mutating func put(_ identity: FileIdentity) {
    put(identity.device)
    put(identity.inode)
    put(identity.size)
    put(identity.modified)
    put(identity.changed)
  }
}

extension ByteReader {
  mutating func fileIdentity() throws(HostError) -> FileIdentity {
    FileIdentity(
      device: try uint64(), inode: try uint64(), size: try uint64(), modified: try int64(),
      changed: try int64())
  }
}
