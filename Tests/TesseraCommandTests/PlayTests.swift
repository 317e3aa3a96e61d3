import Foundation
import Glibc
import TestSupport
import Testing

/// `tessera play`: what a browser shows, and what the server refuses.
@Suite struct PlayTests {
  /// What drives the browser; Tools/setup --tests installs it.
  private static let python = BuiltProducts.repository.appendingPathComponent(
    ".build/browser/bin/python")
  private static let isBrowserPresent =
    (try? Program.run("chromium", ["--version"]).status) == 0
    && FileManager.default.isExecutableFile(
      atPath: python.deletingLastPathComponent().appendingPathComponent("playwright").path)

  // The oracle is the command: the page exports its state as a scenario file, and `tessera layout`
  // gives the frames. The script compares them after each use of a control, and replaces a library
  // while it is shown.
  @Test(
    .enabled(
      if: isBrowserPresent, "no chromium with Playwright; Tools/setup --tests installs both"))
  func whatTheBrowserShowsIsWhatTheCommandGives() throws {
    let script = BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/play/browser.py")
    let result = try Program.run(
      Self.python.path,
      [
        script.path, BuiltProducts.command.path, BuiltProducts.folder.path,
        BuiltProducts.repository.path,
      ])
    #expect(result.status == 0, "\(result.output)\n\(result.errors)")
    print(result.output)
  }

  @Test(
    .enabled(if: Tool.isPresent("python3"), "no python3"),
    arguments: [
      "idle-connections", "slow-head", "secret", "option-as-engine", "early-message",
      "leaves-nothing", "wild-messages",
    ])
  func serverHoldsAgainst(_ attack: String) throws {
    let script = BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/play/server.py")
    let result = try Program.run(
      "python3", [script.path, BuiltProducts.command.path, attack])
    #expect(result.status == 0, "\(result.output)\n\(result.errors)")
  }

  @Test func unknownEngineIsReported() throws {
    let result = try Program.run(
      BuiltProducts.command.path, ["play", "flaw", "--no-open"])
    #expect(result.status == 66)
    #expect(result.errors.contains("flow"))
  }

  @Test func engineInsideTheServerIsRefused() throws {
    let result = try Program.run(
      BuiltProducts.command.path, ["play", "flow", "--no-open", "--isolation", "none"])
    #expect(result.status == 64)
    #expect(result.errors.contains("give sandbox or process"))
  }

  @Test func portInUseIsReported() throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(socket, $0, length)
        _ = listen(socket, 1)
        _ = getsockname(socket, $0, &length)
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    let result = try Program.run(
      BuiltProducts.command.path, ["play", "--no-open", "--port", "\(port)"])
    #expect(result.status == 69)
    #expect(result.errors.contains("port \(port) of 127.0.0.1 cannot be used"))
  }
}
