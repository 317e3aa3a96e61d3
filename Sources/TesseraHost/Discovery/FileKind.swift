import Glibc

/// What lies at a path.
enum FileKind: Equatable {
  case regular, folder, other

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }

  /// Why it is no library, in one sentence.
  var refusal: String {
    switch self {
    case .regular: "it is a file"
    case .folder: "it is a folder; expected a library file"
    case .other: "it is a pipe, a socket or a device; expected a library file"
    }
  }
}

/// The system's words for an error number.
package func systemMessage(_ number: Int32) -> String {
  String(cString: strerror(number))
}
