/// How far a worker has come before it is ready.
enum WorkerStage: UInt32 {
  case starting = 0, loading, registration, creation

  /// What it is in, for a sentence.
  var call: String {
    switch self {
    case .starting: "its start"
    case .loading: "loading"
    case .registration: "its registration"
    case .creation: "create"
    }
  }
}
