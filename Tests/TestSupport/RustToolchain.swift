import Foundation

/// The optional Rust compiler.
package enum RustToolchain {
  package static let compiler = "rustc"

  package static let isPresent =
    (try? Program.run(compiler, ["-vV"], environment: environment))?.status == 0

  /// In the first ring if present, in the second always.
  package static let isExpected = Ring.isSecond || isPresent

  /// rustup's rustc looks for its toolchain in HOME.
  package static let environment: [String: String] = {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["RUSTUP_HOME"] ?? environment["HOME"].map { "\($0)/.rustup" }
    guard let home, FileManager.default.fileExists(atPath: home) else { return [:] }
    return ["RUSTUP_HOME": home]
  }()
}
