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

  let members: [EngineMember]
  let runtime: EngineRuntime
}
