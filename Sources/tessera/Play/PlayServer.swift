import FoundationEssentials
import Glibc
import Synchronization
import TesseraDrawing
import TesseraHost

/// Serves the playground on the loopback address.
///
/// Whoever has the address may run the engines that the command may run. So the address contains a
/// secret, requests for other host names are refused (a page of another site can make a browser send
/// them here), and so are sockets from pages of other origins.
///
/// It answers GET only, one request per connection, with a thread for each: a page needs a few files
/// and one socket. The libraries for HTTP link Foundation's networking, which each start of any command
/// would load; linked statically, as in an installed command, it needs libcurl.
struct PlayServer: Sendable {
  private let start: PlayStart
  private let secret: String
  private let listener: Int32
  private let address: String
  private let connections = Connections()

  /// Listens on a port of the loopback address, or on a free one if it is 0.
  ///
  /// - Throws: A failure if the port cannot be used.
  init(_ start: PlayStart, port: UInt16) throws {
    self.start = start
    var random = SystemRandomNumberGenerator()
    secret = (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
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
      throw CommandFailure(
        .refused, "port \(port) of 127.0.0.1 cannot be used; give another one with --port, or none")
    }
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/\(secret)/"
  }

  /// Serves until the process ends.
  ///
  /// - Parameter started: Called with the page's address.
  func run(_ started: (_ address: String) -> Void) {
    started(address)
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        // Out of descriptors, or a connection that is gone again.
        usleep(10_000)
        continue
      }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      guard connections.begin() else {
        close(connection)
        continue
      }
      DetachedThread.start {
        answer(Connection(connection))
        connections.end()
      }
    }
  }

  private func answer(_ connection: Connection) {
    guard let request = Request(connection) else {
      return connection.respond("400 Bad Request", text: "this is no request of a page")
    }
    guard let host = request.headers["host"], isThisMachine(host) else {
      return connection.respond("403 Forbidden", text: "this address is not served")
    }
    guard request.method == "GET" else {
      return connection.respond("405 Method Not Allowed", text: "only GET is answered")
    }
    let root = "/\(secret)/"
    guard request.path.hasPrefix(root) else {
      return connection.respond(
        "404 Not Found", text: "the address is not complete; copy it from the terminal")
    }
    let script = "text/javascript; charset=utf-8"
    let style = "text/css; charset=utf-8"
    switch String(request.path.dropFirst(root.utf8.count)) {
    case "":
      connection.respond(type: "text/html; charset=utf-8", body: PackageResources.play_html)
    case "play.js": connection.respond(type: script, body: PackageResources.play_js)
    case "controls.js": connection.respond(type: script, body: PackageResources.controls_js)
    case "actions.js": connection.respond(type: script, body: PackageResources.actions_js)
    case "elements.js": connection.respond(type: script, body: ElementPage.script)
    case "play.css": connection.respond(type: style, body: PackageResources.play_css)
    case "elements.css": connection.respond(type: style, body: ElementPage.style)
    case "socket":
      guard request.headers["origin"] == "http://\(host)" else {
        return connection.respond(
          "403 Forbidden", text: "only the playground's own page may connect")
      }
      guard let socket = WebSocket(accepting: request, on: connection) else {
        return connection.respond("400 Bad Request", text: "this is no request for a socket")
      }
      serve(socket)
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

  /// A part of an address without escapes; nil if it is not UTF-8.
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

  /// Whether a host name with a port stands for this machine, so that no other name leads here.
  private func isThisMachine(_ host: String) -> Bool {
    let name = host.split(separator: ":", maxSplits: 1).first ?? ""
    return name == "127.0.0.1" || name == "localhost"
  }

  /// Connects a page's socket to a playground of its own.
  private func serve(_ socket: WebSocket) {
    let playground = Playground(start) { reply in
      switch reply {
      case .text(let text): socket.send(.text, Array(text.utf8))
      case .bytes(let bytes): socket.send(.binary, bytes)
      }
    }
    while let text = socket.receive() { playground.receive(text) }
    playground.close()
  }
}

/// Counts the open connections, of which there is a limit.
private final class Connections: Sendable {
  private let count = Mutex(0)
  private static let limit = 512

  func begin() -> Bool {
    count.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
  }

  func end() { count.withLock { $0 -= 1 } }
}

/// A connection of a browser, which is closed when nobody refers to it any more.
private final class Connection: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    wait(seconds: 10)
  }

  deinit { close(descriptor) }

  /// Limits how long reading waits; 0 is without a limit.
  func wait(seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Reads what there is, up to a number of bytes; empty at the end, or if nothing comes in time.
  func read(upTo count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, recv(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// Reads a number of bytes; nil if they do not come.
  func read(exactly count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = read(upTo: min(count - bytes.count, 1 << 16))
      guard !more.isEmpty else { return nil }
      bytes += more
    }
    return bytes
  }

  /// Writes all bytes; false if the other side is gone.
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
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.count)",
      "Connection: close", "Cache-Control: no-store",
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
        + "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'",
      "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
      "Cross-Origin-Resource-Policy: same-origin",
    ]
    write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }
}

/// The head of a request; a body is not read.
private struct Request {
  let method: String
  let path: String
  /// The headers, their names in lower case.
  private(set) var headers: [String: String] = [:]

  private static let longest = 16_384

  /// Reads the head; nil if it is malformed, too long or not complete in time.
  init?(_ connection: Connection) {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while bytes.count < Self.longest, !bytes.suffix(4).elementsEqual(end) {
      // One by one, so that nothing after the head is read.
      let more = connection.read(upTo: 1)
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
      // Two of one name could be read differently by what comes before.
      guard headers.updateValue(String(value), forKey: name) == nil else { return nil }
    }
  }
}

/// A socket of a page (RFC 6455), as far as browsers need it.
private final class WebSocket: Sendable {
  enum Kind: UInt8 {
    case more = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  private let connection: Connection
  private let writing = Mutex(())

  /// The longest message of a page: a table of items that is dropped onto it.
  private static let longest = 256 << 20

  /// Answers the request for a socket; nil if it is none.
  init?(accepting request: Request, on connection: Connection) {
    guard request.headers["upgrade"]?.lowercased() == "websocket",
      request.headers["sec-websocket-version"] == "13",
      let key = request.headers["sec-websocket-key"], key.utf8.count == 24
    else { return nil }
    self.connection = connection
    let digest = SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    connection.write(
      Array(
        """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Accept: \(Data(digest).base64EncodedString())\r
        \r

        """.utf8))
    connection.wait(seconds: 0)
  }

  /// Sends a message; if the page is gone, it is lost.
  func send(_ kind: Kind, _ bytes: [UInt8]) {
    var head = [0x80 | kind.rawValue]
    switch bytes.count {
    case 0...125: head.append(UInt8(bytes.count))
    case 126...0xFFFF:
      head += [126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    default:
      head.append(127)
      head += (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (56 - 8 * $0)) }
    }
    writing.withLock { _ in _ = connection.write(head + bytes) }
  }

  /// The next text; nil if the page is gone or breaks the protocol.
  func receive() -> String? {
    var message: [UInt8] = []
    while let frame = frame(room: Self.longest - message.count) {
      switch frame.kind {
      case .text, .more:
        message += frame.bytes
        if frame.isLast { return String(decoding: message, as: UTF8.self) }
      case .ping: send(.pong, frame.bytes)
      case .pong, .binary: continue
      case .close:
        send(.close, Array(frame.bytes.prefix(2)))
        return nil
      }
    }
    return nil
  }

  private func frame(room: Int) -> (kind: Kind, isLast: Bool, bytes: [UInt8])? {
    guard let head = connection.read(exactly: 2), let kind = Kind(rawValue: head[0] & 0x0F),
      // Pages mask what they send.
      head[1] & 0x80 != 0
    else { return nil }
    var length = UInt64(head[1] & 0x7F)
    if length > 125 {
      guard let more = connection.read(exactly: length == 126 ? 2 : 8) else { return nil }
      length = more.reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard length <= UInt64(max(0, room)), let mask = connection.read(exactly: 4),
      var bytes = connection.read(exactly: Int(length))
    else { return nil }
    for index in bytes.indices { bytes[index] ^= mask[index & 3] }
    return (kind, head[0] & 0x80 != 0, bytes)
  }
}

/// SHA-1, which the handshake of a socket uses; not for security.
enum SHA1 {
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(padded[start + 4 * word + $1]) }
      }
      for index in 16..<80 {
        words.append(
          rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let (mixed, constant): (UInt32, UInt32) =
          switch index {
          case 0..<20: (b & c | ~b & d, 0x5A82_7999)
          case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
        (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
