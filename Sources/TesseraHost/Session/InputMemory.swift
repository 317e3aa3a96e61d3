/// Where what engines are given lies: memory that they read where it is.
protocol InputMemory: AnyObject {
  /// Memory of at least so many bytes, aligned to 16, that stays where it is.
  ///
  /// - Throws: `.invalidInput` where there is no room for so much.
  func allocate(byteCount: Int) throws(HostError) -> UnsafeMutableRawPointer
  /// Takes memory back, with the size that was asked for.
  func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int)
}

/// The heap of this process, for engines that run in it.
final class ProcessInput: InputMemory {
  func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: max(32, byteCount), alignment: 16)
  }

  func deallocate(_ memory: UnsafeMutableRawPointer, byteCount: Int) { memory.deallocate() }
}
