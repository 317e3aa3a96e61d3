import Dispatch
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization
import TesseraDrawing
import TesseraHost

/// Serves the playground on the loopback address.
///
/// Whoever has the address may run the engines that the command may run. So the address contains a
/// secret, requests for other host names are refused (a page of another site can make a browser send
/// them here), and so are sockets from pages of other origins.
struct PlayServer {
  private let start: PlayStart
  private let port: UInt16
  private let secret: String

  init(_ start: PlayStart, port: UInt16) {
    (self.start, self.port) = (start, port)
    var random = SystemRandomNumberGenerator()
    secret = (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Serves until the process ends.
  ///
  /// - Parameter started: Called with the page's address when it can be opened.
  /// - Throws: `.unavailable` if the port cannot be used.
  func run(_ started: @escaping @Sendable (_ address: String) -> Void) throws {
    let outcome = Outcome()
    let (start, port, secret) = (start, port, secret)
    Task.detached {
      do {
        let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
        let server = HTTPServer(
          config: .init(address: address, logger: .disabled),
          handler: PlayHandler(start: start, secret: secret))
        let serving = Task { try await server.run() }
        Task {
          try await server.waitUntilListening()
          if case .ip4(_, let port)? = await server.listeningAddress {
            started("http://127.0.0.1:\(port)/\(secret)/")
          }
        }
        try await serving.value
      } catch {
        outcome.hasFailed.withLock { $0 = true }
      }
      outcome.end.signal()
    }
    outcome.end.wait()
    if outcome.hasFailed.withLock({ $0 }) {
      throw CommandFailure(
        .refused, "port \(port) of 127.0.0.1 cannot be used; give another one with --port, or none")
    }
  }
}

/// How serving ended.
private final class Outcome: Sendable {
  let end = DispatchSemaphore(value: 0)
  let hasFailed = Mutex(false)
}

/// Answers requests: the page's files, and one socket per page.
private struct PlayHandler: HTTPHandler {
  let start: PlayStart
  let secret: String

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let host = request.headers[.host], isThisMachine(host) else {
      return refusal(.forbidden, "this address is not served")
    }
    guard request.method == .GET else {
      return refusal(.methodNotAllowed, "only GET is answered")
    }
    // The server removes a slash at the end of a path.
    let path = request.path + (request.path.hasSuffix("/") ? "" : "/")
    guard path.hasPrefix("/\(secret)/") else {
      return refusal(.notFound, "the address is not complete; copy it from the terminal")
    }
    switch path.dropFirst(secret.utf8.count + 2).dropLast() {
    case "": return file(PackageResources.play_html, "text/html; charset=utf-8")
    case "play.js": return file(PackageResources.play_js, "text/javascript; charset=utf-8")
    case "play.css": return file(PackageResources.play_css, "text/css; charset=utf-8")
    case "elements.js": return file(ElementPage.script, "text/javascript; charset=utf-8")
    case "elements.css": return file(ElementPage.style, "text/css; charset=utf-8")
    case "socket":
      guard request.headers[HTTPHeader("Origin")] == "http://\(host)" else {
        return refusal(.forbidden, "only the playground's own page may connect")
      }
      return try await WebSocketHTTPHandler(
        handler: MessageFrameWSHandler(handler: PlaySocket(start: start), frameSize: 1 << 20)
      ).handleRequest(request)
    case let name where name.hasPrefix("picture/"): return await picture(name.dropFirst(8))
    default: return refusal(.notFound, "there is no such file")
    }
  }

  /// The picture of a listed engine, drawn away from the tasks that serve.
  private func picture(_ name: Substring) async -> HTTPResponse {
    let id = String(name)
    let start = start
    let bytes: [UInt8]? = await withCheckedContinuation { result in
      DispatchQueue.global().async { result.resume(returning: try? start.picture(of: id)) }
    }
    guard let bytes else { return refusal(.notFound, "there is no picture of it") }
    return file(bytes, "image/svg+xml")
  }

  /// Whether a host name with a port stands for this machine, so that no other name leads here.
  private func isThisMachine(_ host: String) -> Bool {
    let name = host.split(separator: ":", maxSplits: 1).first ?? ""
    return name == "127.0.0.1" || name == "localhost"
  }

  private func file(_ bytes: [UInt8], _ type: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: Self.headers(type: type), body: Data(bytes))
  }

  private func refusal(_ status: HTTPStatusCode, _ sentence: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: status, headers: Self.headers(type: "text/plain; charset=utf-8"),
      body: Data("\(sentence)\n".utf8))
  }

  private static func headers(type: String) -> HTTPHeaders {
    [
      .contentType: type,
      .cacheControl: "no-store",
      HTTPHeader("Content-Security-Policy"):
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
    ]
  }
}

/// Connects a page's socket to a playground of its own.
private struct PlaySocket: WSMessageHandler {
  let start: PlayStart

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, output) = AsyncStream<WSMessage>.makeStream()
    let playground = Playground(start) { reply in
      switch reply {
      case .text(let text): output.yield(.text(text))
      case .bytes(let bytes): output.yield(.data(Data(bytes)))
      }
    }
    let reading = Task {
      for await message in client {
        switch message {
        case .text(let text): playground.receive(text)
        case .data: continue
        case .close: break
        }
      }
      playground.close()
      output.finish()
    }
    output.onTermination = { _ in
      reading.cancel()
      playground.close()
    }
    return messages
  }
}
