import Foundation

/// The Rust compiler, which is optional: building this project does not need it.
public enum RustToolchain {
  /// Whether rustc runs.
  public static let isPresent =
    (try? Program.run("rustc", ["--version"], environment: environment).status) == 0

  /// The variables that it needs: the rustc of rustup looks for its toolchain in the home folder.
  public static let environment: [String: String] = {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["RUSTUP_HOME"] ?? environment["HOME"].map { "\($0)/.rustup" }
    guard let home, FileManager.default.fileExists(atPath: home) else { return [:] }
    return ["RUSTUP_HOME": home]
  }()
}
