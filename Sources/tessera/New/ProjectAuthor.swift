import Foundation

/// Who writes the engines here, where nobody says so.
enum ProjectAuthor {
  /// The name that git signs commits with, else that of the login.
  static var standard: String {
    for name in [gitName, NSFullUserName(), NSUserName()] {
      let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
      if !name.isEmpty { return name }
    }
    return "unknown"
  }

  private static var gitName: String {
    let git = Process()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = ["git", "config", "--get", "user.name"]
    let output = Pipe()
    git.standardInput = FileHandle.nullDevice
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return "" }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    return git.terminationStatus == 0 ? String(decoding: text, as: UTF8.self) : ""
  }
}
