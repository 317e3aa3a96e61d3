/// What a user has set, taken over for another version of the engines.
extension SessionValues {
  /// Takes over what another session's user has set, where these engines declare it too.
  ///
  /// - Returns: What could not be taken over, a sentence each.
  func adoptSettings(of old: SessionValues) -> [String] {
    var dropped: [String] = []
    for (name, value) in old.given.sorted(by: { $0.key < $1.key }) {
      do throws(HostError) { try setParameter(name, to: value) } catch {
        dropped.append(error.message)
      }
    }
    for (layer, engine) in old.chain.enumerated() {
      for (index, value) in engine.values.enumerated() {
        guard let column = old.columns[layer][index] else { continue }
        if !adopt(column, value) {
          dropped.append("\(value.name) is given but no longer declared, or declared otherwise")
        }
      }
      for (index, declared) in engine.delegateFunctions.enumerated() {
        guard let function = old.delegates[layer][index] else { continue }
        do throws(HostError) { try setDelegate(declared.name, function) } catch {
          dropped.append(error.message)
        }
      }
    }
    return dropped
  }
}
