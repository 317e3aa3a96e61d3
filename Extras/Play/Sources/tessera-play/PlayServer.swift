import FoundationEssentials
import Glibc
import Synchronization
import TesseraCommand
import TesseraDrawing
import TesseraHost

/// Serves the playground on the loopback address.
///
/// The address gives the right to run engines. So it contains a secret, and the server refuses
/// other host names (a website can make a browser send them here) and other origins.
///
/// A page opens an event stream, which has the initial state and later library changes. It posts
/// messages and gets answers as responses. Each request has a thread. HTTP libraries would link
/// Foundation's networking, loaded at each start of any command; statically linked it needs
/// libcurl.
final class PlayServer: Sendable {
  private let start: PlayStart
  private let secret: String
  private let listener: Int32
  private let address: String
  /// Open pages by id, the number of connections, and incomplete requests from the oldest.
  private let open = Mutex((pages: [String: Playground](), connections: 0, silent: [Connection]()))
  /// Beyond this, the oldest incomplete request is closed: clients without the address can't block
  /// pages.
  private static let mostConnections = 512

  /// Listens on a loopback port, or on a free one for 0.
  ///
  /// - Throws: A failure if the port can't be used.
  init(_ start: PlayStart, port: UInt16) throws {
    self.start = start
    secret = Self.randomText()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let listens = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard listens else {
      throw HostError(
        .workerNotStarted,
        "port \(port) of 127.0.0.1 cannot be used; give another one with --port, or none")
    }
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/\(secret)/"
  }

  /// 128 random bits as text.
  private static func randomText() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Serves until the process ends.
  ///
  /// - Parameter started: Called with the page's address.
  func run(_ started: (_ address: String) -> Void) {
    started(address)
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        // Out of descriptors, or a closed connection.
        usleep(10_000)
        continue
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let connection = Connection(descriptor)
      let isAccepted = open.withLock { open in
        if open.connections >= Self.mostConnections {
          guard !open.silent.isEmpty else { return false }
          open.silent.removeFirst().end()
        }
        open.connections += 1
        open.silent.append(connection)
        return true
      }
      guard isAccepted else { continue }
      CommandProgram.detach {
        self.answer(connection)
        self.open.withLock { $0.connections -= 1 }
      }
    }
  }

  private func answer(_ connection: Connection) {
    // Browsers open spare connections. Close a silent one without a response, so that the browser
    // retries on another one.
    let first = connection.readOfHead()
    let request = first.isEmpty ? nil : Request(connection, after: first)
    open.withLock { $0.silent.removeAll { $0 === connection } }
    guard !first.isEmpty else { return }
    guard let request else {
      return connection.respond("400 Bad Request", text: "this is no request of a page")
    }
    guard let host = request.headers["host"], isThisMachine(host) else {
      return connection.respond("403 Forbidden", text: "this address is not served")
    }
    let root = "/\(secret)/"
    guard request.path.hasPrefix(root) else {
      return connection.respond(
        "404 Not Found", text: "the address is not complete; copy it from the terminal")
    }
    let name = String(request.path.dropFirst(root.utf8.count))
    let isMessage = name.hasPrefix("ask/")
    guard request.method == (isMessage ? "POST" : "GET") else {
      return connection.respond(
        "405 Method Not Allowed", text: "GET is for files, and POST for messages")
    }
    // Browsers send the origin with each POST, and with cross-origin requests.
    guard request.headers["origin"].map({ $0 == "http://\(host)" }) ?? !isMessage else {
      return connection.respond("403 Forbidden", text: "only the playground's own page may connect")
    }
    let script = "text/javascript; charset=utf-8"
    let style = "text/css; charset=utf-8"
    switch name {
    case "":
      connection.respond(type: "text/html; charset=utf-8", body: PackageResources.play_html)
    case "play.js": connection.respond(type: script, body: PackageResources.play_js)
    case "controls.js": connection.respond(type: script, body: PackageResources.controls_js)
    case "actions.js": connection.respond(type: script, body: PackageResources.actions_js)
    case "code.js": connection.respond(type: script, body: PackageResources.code_js)
    case "elements.js": connection.respond(type: script, body: HTMLPage.script)
    case "play.css": connection.respond(type: style, body: PackageResources.play_css)
    case "elements.css": connection.respond(type: style, body: HTMLPage.style)
    case "events": sendEvents(to: connection)
    case let name where isMessage:
      guard let page = open.withLock({ $0.pages[String(name.dropFirst(4))] }) else {
        return connection.respond("404 Not Found", text: "there is no such page")
      }
      guard let message = request.body(from: connection) else {
        return connection.respond(
          "400 Bad Request", text: "the message has no length, is over 256 MiB, or came too late")
      }
      let answer = page.answer(message)
      connection.respond(type: answer.type, body: answer.bytes)
    case let name where name.hasPrefix("picture/"):
      let engine = Self.unescaped(name.dropFirst(8)) ?? ""
      guard let picture = try? start.picture(of: engine) else {
        return connection.respond("404 Not Found", text: "there is no picture of it")
      }
      connection.respond(type: "image/svg+xml", body: picture)
    case let name where name.hasPrefix("image/"):
      guard let image = start.image(at: name.dropFirst(6)) else {
        return connection.respond("404 Not Found", text: "there is no picture of this item")
      }
      connection.respond(type: image.type, body: image.bytes)
    default: connection.respond("404 Not Found", text: "there is no such file")
    }
  }

  /// Percent-decoded; nil if not UTF-8.
  private static func unescaped(_ text: Substring) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else if let byte = UInt8(Substring(rest.prefix(2)), radix: 16), rest.count >= 2 {
        bytes.append(byte)
        rest = rest.dropFirst(2)
      } else {
        return nil
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Rejects other names for this machine, against DNS rebinding.
  private func isThisMachine(_ host: String) -> Bool {
    let name = host.split(separator: ":", maxSplits: 1).first ?? ""
    return name == "127.0.0.1" || name == "localhost"
  }

  private func sendEvents(to connection: Connection) {
    let id = Self.randomText()
    connection.writeHead("200 OK", ["Content-Type: text/event-stream"])
    // Locked until the page is registered, as a browser posts at once after the first event.
    let playground = open.withLock { open in
      let playground = Playground(start, id: id) { event in
        connection.write(Array("data: \(event.line)\n\n".utf8))
      }
      open.pages[id] = playground
      return playground
    }
    connection.wait(seconds: 0)
    while !connection.read(upTo: 1024).isEmpty {}
    open.withLock { $0.pages[id] = nil }
    playground.close()
  }
}

/// Closes on deinit.
private final class Connection: Sendable {
  private let descriptor: Int32
  private let headDeadline: Int64

  /// Limit for a request's head from the start, and for each part of a body.
  private static let seconds = 10

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    headDeadline = monotonicTime() + Int64(Self.seconds) * 1_000_000_000
    wait(seconds: Self.seconds)
  }

  deinit { close(descriptor) }

  /// Unblocks a reading thread.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Read timeout; 0 is unlimited.
  func wait(seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Reads up to `count` bytes; empty at the end or on timeout.
  func read(upTo count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, recv(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// One byte of the head; empty at the end or after the limit.
  func readOfHead() -> [UInt8] {
    while true {
      let left = headDeadline - monotonicTime()
      guard left > 0 else { return [] }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&state, 1, Int32(left / 1_000_000) + 1)
      if count > 0 { return read(upTo: 1) }
    }
  }

  /// Nil if incomplete.
  func read(exactly count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = read(upTo: min(count - bytes.count, 1 << 16))
      guard !more.isEmpty else { return nil }
      bytes += more
    }
    return bytes
  }

  /// Returns false if the peer is gone.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var start = 0
    return bytes.withUnsafeBytes { buffer in
      while start < buffer.count {
        let count = Glibc.send(
          descriptor, buffer.baseAddress! + start, buffer.count - start, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        start += count
      }
      return true
    }
  }

  func respond(_ status: String, text: String) {
    respond(status, type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
  }

  func respond(_ status: String = "200 OK", type: String, body: [UInt8]) {
    writeHead(status, ["Content-Type: \(type)", "Content-Length: \(body.count)"])
    write(body)
  }

  func writeHead(_ status: String, _ headers: [String]) {
    let head =
      ["HTTP/1.1 \(status)"] + headers + [
        "Connection: close", "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
          + "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin",
      ]
    write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }
}

private struct Request {
  let method: String
  let path: String
  private(set) var headers: [String: String] = [:]

  private static let longestHead = 16_384
  /// Longest message: a dropped table.
  private static let longestBody = 256 << 20

  /// Parses the head; nil if malformed, too long or too late.
  init?(_ connection: Connection, after first: [UInt8]) {
    var bytes = first
    let end = Array("\r\n\r\n".utf8)
    while bytes.count < Self.longestHead, !bytes.suffix(4).elementsEqual(end) {
      // Byte by byte, to leave the body unread.
      let more = connection.readOfHead()
      guard !more.isEmpty else { return nil }
      bytes += more
    }
    guard bytes.suffix(4).elementsEqual(end),
      let text = String(validating: bytes.dropLast(4), as: UTF8.self)
    else { return nil }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
      return nil
    }
    method = String(words[0])
    path = String(words[1])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let name = line[..<colon].lowercased()
      // Proxies could read duplicate headers differently.
      guard headers.updateValue(String(value), forKey: name) == nil else { return nil }
    }
  }
  /// Nil if too long or too late.
  func body(from connection: Connection) -> [UInt8]? {
    guard let text = headers["content-length"],
      text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let length = Int(text), length <= Self.longestBody
    else { return nil }
    return connection.read(exactly: length)
  }
}

/// Monotonic time in nanoseconds.
private func monotonicTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
