import Foundation

/// Writes the manual pages of a command into a folder.
///
/// Its description, as `--experimental-dump-help` prints it, comes on standard input, so a page says
/// what the command's own help says.
func writePages() throws {
  let arguments = CommandLine.arguments
  guard arguments.count == 4 else {
    throw Complaint("expected VERSION DATE FOLDER, and the command's description as input")
  }
  let input = FileHandle.standardInput.readDataToEndOfFile()
  let commands = try JSONDecoder().decode(Dump.self, from: input).command.all
  for command in commands {
    let page = Page(
      command: command, others: commands.map(\.words).filter { $0 != command.words },
      version: arguments[1], date: arguments[2])
    let file = URL(fileURLWithPath: arguments[3]).appendingPathComponent("\(page.name).1")
    try Data(page.text.utf8).write(to: file)
  }
}

struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

do { try writePages() } catch {
  FileHandle.standardError.write(Data("manual-pages: \(error)\n".utf8))
  exit(1)
}
