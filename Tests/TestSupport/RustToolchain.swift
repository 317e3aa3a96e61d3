import Foundation

/// The compiler of Rust, which a machine need not have: building this project takes none.
public enum RustToolchain {
  /// Whether rustc runs.
  public static let isPresent =
    (try? Program.run("rustc", ["--version"], environment: environment).status) == 0

  /// The variables that it needs; a rustc that rustup chooses looks for its toolchain at home.
  public static let environment: [String: String] = {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["RUSTUP_HOME"] ?? environment["HOME"].map { "\($0)/.rustup" }
    guard let home, FileManager.default.fileExists(atPath: home) else { return [:] }
    return ["RUSTUP_HOME": home]
  }()
}
