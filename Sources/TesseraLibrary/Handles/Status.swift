import CTesseraHost
import TesseraHost

/// What the functions of the library return.
enum Status {
  /// All went well.
  static let ok = Int32(TESSERA_HOST_OK)
  /// The call itself is wrong.
  static let misused = Int32(TESSERA_HOST_MISUSED)

  /// The status of an error: the exit status that the command would end with.
  static func of(_ error: any Error) -> Int32 {
    (error as? HostError).map { of($0.kind) } ?? misused
  }

  /// The status of a kind of error.
  static func of(_ kind: HostError.Kind) -> Int32 {
    switch kind {
    case .invalidInput: Int32(TESSERA_HOST_INVALID)
    case .notFound: Int32(TESSERA_HOST_NOT_FOUND)
    case .refused: Int32(TESSERA_HOST_REFUSED)
    case .brokenContract, .died, .cancelled: Int32(TESSERA_HOST_DIED)
    case .cannotWrite: Int32(TESSERA_HOST_CANNOT_WRITE)
    case .cannotLoad: Int32(TESSERA_HOST_CANNOT_LOAD)
    case .notAllowed: Int32(TESSERA_HOST_NOT_ALLOWED)
    }
  }
}

/// A call that is wrong in itself, whatever the layout: a null, a size, an index.
struct Misuse: Error, CustomStringConvertible {
  /// One sentence for the person who wrote the program.
  let description: String

  /// A misuse with its sentence.
  init(_ sentence: String) { description = sentence }
}
