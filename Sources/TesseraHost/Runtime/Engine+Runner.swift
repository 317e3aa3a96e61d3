extension Engine {
  /// Sets the engine and its bases to work for one session.
  ///
  /// - Parameters:
  ///   - input: Memory that a worker can read; nil in this process.
  ///   - startsNow: Whether a worker is started at once, or by the first question.
  /// - Throws: What a library or an engine says when it refuses to be used; `.died` where it crashes.
  func runner(
    _ values: SessionValues, _ starts: SectionStarts, _ input: SharedInput?, startsNow: Bool = true
  ) throws(HostError) -> any LayoutRunner {
    if let input {
      return try WorkerLayout(
        chain: chain, values: values, starts: starts, input: input,
        source: ChainSource(libraries, runtime), startsNow: startsNow)
    }
    var records: [EngineRecord] = []
    for member in libraries.members {
      let engines = try LibraryLoader.engines(in: libraries.libraries[member.library])
      guard let record = engines.first(where: { $0.description.id == member.id }) else {
        throw HostError(.cannotLoad, "\(member.id) is no longer in its library; list it again")
      }
      records.append(record)
    }
    let layout = try LayoutChain(
      records: records, values: values, starts: UnsafeBufferPointer(starts.buffer),
      memory: ProcessRows())
    try layout.create()
    return layout
  }
}
