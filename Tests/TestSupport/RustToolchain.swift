import Foundation

/// The Rust compiler, which is optional: building this project does not need it.
public enum RustToolchain {
  /// The compiler's command.
  public static let compiler = "rustc"

  /// Whether the compiler runs.
  public static let isPresent = version != nil

  /// Whether tests use it: in the first ring where it runs, in the second always.
  public static let isExpected = Ring.isSecond || isPresent

  /// The compiler's version, commit and host, or nil if it does not run.
  static let version: String? = {
    let result = try? Program.run(compiler, ["-vV"], environment: environment)
    return result.flatMap { $0.status == 0 ? $0.output : nil }
  }()

  /// The variables that it needs: the rustc of rustup looks for its toolchain in the home folder.
  public static let environment: [String: String] = {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["RUSTUP_HOME"] ?? environment["HOME"].map { "\($0)/.rustup" }
    guard let home, FileManager.default.fileExists(atPath: home) else { return [:] }
    return ["RUSTUP_HOME": home]
  }()
}
