import CTesseraSystem

extension HostConfiguration {
  /// The configuration as the surroundings of a program say: the user's cache, and the worker that
  /// `TESSERA_WORKER` names.
  ///
  /// A process that runs with rights that its caller does not have ignores both.
  ///
  /// - Parameters:
  ///   - environment: The variables of the environment; nil ignores them.
  ///   - home: The absolute path of the user's home folder.
  public static func standard(environment: [String: String]?, home: String?) -> HostConfiguration {
    var configuration = HostConfiguration()
    configuration.cacheFolder = standardCacheFolder(environment: environment, home: home)
    if tessera_is_privileged() == 0, let worker = environment?["TESSERA_WORKER"], !worker.isEmpty {
      configuration.worker = worker
    }
    return configuration
  }
}
