import ArgumentParser
import Glibc
import TesseraHost

/// An end of the command that is not success: the exit status and the sentence that goes with it.
struct CommandFailure: Error {
  /// What the command ends with; the numbers are those of sysexits.h.
  enum Status: Int32 {
    case usage = 64
    case data = 65
    case noInput = 66
    case refused = 69
    case software = 70
    case cannotCreate = 73
    case cannotLoad = 76
    case notAllowed = 77
  }

  let status: Status
  let message: String

  init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Says what went wrong on standard error, and ends the process with the status that goes with it.
  static func end(with error: any Error) -> Never {
    switch error {
    case is BrokenPipe:
      exit(EXIT_SUCCESS)
    case let failure as CommandFailure:
      Diagnostics.say(failure.message)
      exit(failure.status.rawValue)
    case let failure as HostError:
      Diagnostics.say(failure.commandMessage)
      exit(failure.kind.status.rawValue)
    default:
      endAsParser(with: error)
    }
  }

  /// Help and version are requests that the parser reports as errors; they are results.
  private static func endAsParser(with error: any Error) -> Never {
    let code = Tessera.exitCode(for: error)
    let text = Tessera.fullMessage(for: error)
    guard code.isSuccess else {
      if !text.isEmpty { Diagnostics.write(text + "\n") }
      exit(code.rawValue)
    }
    do {
      let output = BufferedOutput.standard()
      try output.write(text + "\n")
      try output.flush()
    } catch {
      end(with: error)
    }
    exit(EXIT_SUCCESS)
  }
}

extension HostError {
  /// The sentence, with remedies as options and commands.
  var commandMessage: String {
    message { remedy in
      switch remedy {
      case .askForPart: "ask for a part with --visible or --rect, or for fewer items"
      case .allowMoreTime: "give --timeout more seconds if it only needs longer"
      case .chooseEngine(let usable, let refused):
        "tessera list shows \(Remedy.engineCount(usable, refused))"
      case .trustLibrary(let path, let allowlist):
        "if you trust it, run tessera trust add --allowlist \(allowlist) \(path)"
      case .diagnoseMachine: "tessera doctor shows what this machine offers"
      case .locateWorker: "install it there, or set TESSERA_WORKER to its path"
      }
    }
  }
}

extension HostError.Kind {
  /// The exit status that tells this kind from the others.
  var status: CommandFailure.Status {
    switch self {
    case .invalidInput: .data
    case .notFound: .noInput
    case .refused: .refused
    case .brokenContract, .died, .cancelled: .software
    case .cannotLoad: .cannotLoad
    case .notAllowed: .notAllowed
    case .cannotWrite: .cannotCreate
    }
  }
}

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
