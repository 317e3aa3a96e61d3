import Glibc

/// What goes to standard error.
enum Diagnostics {
  /// One sentence for the person at the terminal.
  static func say(_ sentence: String) {
    write("tessera: \(sentence)\n")
  }

  /// Text as it is; where standard error itself is closed there is nobody left to tell.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.write(STDERR_FILENO, bytes.baseAddress! + sent, bytes.count - sent)
        guard count > 0 else {
          if count < 0 && errno == EINTR { continue }
          return
        }
        sent += count
      }
    }
  }
}
