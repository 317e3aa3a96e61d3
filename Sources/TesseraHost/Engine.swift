/// An engine that a host has found, with its bases.
public struct Engine: Sendable {
  /// What the engine declares.
  public let description: EngineDescription
  /// The library that it lies in.
  public let library: String
  /// The contract that the library was built for.
  public let abi: ABIVersion
  /// What the engine and its bases declare, itself first.
  public var chain: [EngineDescription] { members.map(\.description) }

  /// What the engine with its bases promises: lazy as the most derived engine that prepares says,
  /// depending on the viewport if any of them does, mirrored if all are, and everything else as the
  /// engine itself says, which has the last word on where elements are.
  public var traits: EngineTraits {
    var traits = description.traits.subtracting([.lazy, .viewport, .mirrors])
    let preparing = chain.first { $0.abilities.contains(.prepare) }
    if preparing?.traits.contains(.lazy) == true { traits.insert(.lazy) }
    if chain.contains(where: { $0.traits.contains(.viewport) }) { traits.insert(.viewport) }
    if chain.allSatisfy({ $0.traits.contains(.mirrors) }) { traits.insert(.mirrors) }
    return traits
  }

  /// Whether sessions of it run in a process of their own.
  public var hasOwnProcess: Bool { !runtime.isInProcess }

  let members: [EngineMember]
  /// The libraries as they were when the engine was found, whatever becomes of their files.
  let libraries: ChainLibraries
  /// The host that found it, which finds it again where its file is replaced.
  let host: Host

  var runtime: EngineRuntime { host.runtime }
}
