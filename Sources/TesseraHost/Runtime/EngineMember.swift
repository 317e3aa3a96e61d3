/// One engine of a chain: what it declares, and the library that it lies in.
struct EngineMember: Sendable {
  let description: EngineDescription
  /// The library's path without links.
  let library: String
}

/// The libraries of a chain, each once, and each member's place in them.
struct ChainLibraries: Sendable {
  let libraries: [SealedLibrary]
  let members: [Setup.Member]

  /// - Throws: As `EngineRuntime.library`, with the library's path.
  init(_ chain: [EngineMember], _ runtime: EngineRuntime) throws(HostError) {
    var libraries: [SealedLibrary] = []
    var members: [Setup.Member] = []
    for member in chain {
      var place = libraries.firstIndex { $0.path == member.library }
      if place == nil {
        do throws(HostError) { libraries.append(try runtime.library(at: member.library)) } catch {
          throw HostError(error.kind, "\(member.library): \(error.message)")
        }
        place = libraries.count - 1
      }
      members.append(Setup.Member(library: place ?? 0, id: member.description.id))
    }
    self.libraries = libraries
    self.members = members
  }
}
