import FoundationEssentials
import Glibc
import TesseraHost

extension Backtrace {
  /// Runs the symbolizers.
  var text: String {
    var calls: [(text: String, count: Int)] = []
    let found = functions
    for (number, frame) in frames.enumerated() {
      let unknown = Function(name: frame.function, place: nil)
      for function in found[number] ?? [unknown] {
        let name = function.name ?? frame.function ?? Self.hexadecimal(frame.address)
        let place = function.place.map { " at \($0)" } ?? ""
        let text = "\(name) in \(frame.library)\(place)"
        if calls.last?.text == text {
          calls[calls.count - 1].count += 1
        } else {
          calls.append((text, 1))
        }
      }
    }
    return calls.enumerated().reduce(into: "backtrace, the last call first:\n") { text, call in
      let repeated = call.element.count == 1 ? "" : " (\(call.element.count) times)"
      text += "  \(call.offset)  \(call.element.text)\(repeated)\n"
    }
  }

  /// Inlined functions share an address.
  private typealias Function = (name: String?, place: String?)

  /// By frame number.
  private var functions: [Int: [Function]] {
    var functions: [Int: [Function]] = [:]
    let engines = frames.indices.filter { frames[$0].engineFile != nil }
    for (file, numbers) in Dictionary(grouping: engines, by: { frames[$0].engineFile! }) {
      let addresses = numbers.map { Self.hexadecimal(frames[$0].address) }
      for (number, found) in zip(numbers, Self.symbolize(file, addresses)) {
        functions[number] = found
      }
    }
    return Self.demangled(functions)
  }

  private static func symbolize(_ file: String, _ addresses: [String]) -> [[Function]] {
    let output =
      output(
        of: "llvm-symbolizer",
        ["--output-style=GNU", "--addresses", "--inlines", "--obj=\(file)"] + addresses)
      ?? output(of: "addr2line", ["-f", "-C", "-i", "-a", "-e", file] + addresses)
    var groups: [[String]] = []
    for line in (output ?? "").split(separator: "\n").map(readable) {
      if line.hasPrefix("0x") {
        groups.append([])
      } else if !groups.isEmpty {
        groups[groups.count - 1].append(line)
      }
    }
    guard groups.count == addresses.count else { return [] }
    return groups.map { lines in
      stride(from: 0, to: lines.count - 1, by: 2).map { index in
        let place = lines[index + 1].replacing(#/ \(discriminator \d+\)$/#, with: "")
        // "??:0" or "??:?" if unknown.
        let isKnown = !place.hasPrefix("??") && !place.contains("<compiler-generated>")
        return Function(
          name: lines[index].hasPrefix("??") ? nil : lines[index], place: isKnown ? place : nil)
      }
    }
  }

  private static func demangled(_ functions: [Int: [Function]]) -> [Int: [Function]] {
    let names = Set(functions.values.joined().compactMap(\.name)).filter { $0.hasPrefix("$s") }
      .sorted()
    guard !names.isEmpty,
      let output = output(of: "swift-demangle", ["--compact", "--simplified"] + names)
    else { return functions }
    let lines = output.split(separator: "\n").map(readable)
    guard lines.count == names.count else { return functions }
    let declarations = Dictionary(uniqueKeysWithValues: zip(names, lines))
    return functions.mapValues { list in
      list.map { ($0.name.map { declarations[$0] ?? $0 }, $0.place) }
    }
  }

  private static func readable(_ line: Substring) -> String {
    String(UntrustedText.onOneLine(String(line)).prefix(400))
  }

  private static func hexadecimal(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

  private static func output(of name: String, _ arguments: [String]) -> String? {
    let folders = (ProcessEnvironment.values["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let files = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    guard let file = files.first(where: { access($0, X_OK) == 0 }) else { return nil }
    var bytes: [UInt8] = []
    // The variables would make it query a server.
    let ending = try? ChildProcess.run(
      file, arguments, environment: [:], deadline: .init(seconds: Self.seconds)
    ) {
      bytes += $0
      guard bytes.count < Self.outputLimit else { throw POSIXError(.EFBIG) }
    }
    guard ending == .status(0) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The program reads an untrusted file.
  private static let seconds = 10
  private static let outputLimit = 1 << 20
}
