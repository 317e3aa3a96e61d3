/// An optional program on PATH.
package enum Tool {
  package static func isPresent(_ name: String) -> Bool {
    (try? Program.run("bash", ["-c", "command -v \"$0\"", name]).status) == 0
  }
}
