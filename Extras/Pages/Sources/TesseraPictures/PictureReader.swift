import FoundationEssentials
import TesseraCommand
import TesseraHost
import TesseraScenario

/// Reads picture files with `tessera-pictures`, many per process.
///
/// If the program dies, the first file without an answer is to blame; a new process reads the rest.
package struct PictureReader {
  private let program: PictureProgram

  package init() throws { program = try PictureProgram() }

  package typealias ReadPicture = Result<ItemPicture, HostError>

  /// Sizes as shown, with metadata, in file order.
  package func pictures(of files: [String]) throws -> [ReadPicture] {
    var pictures: [ReadPicture] = []
    let progress = ProgressLine("reading pictures")
    defer { progress.erase() }
    try ask(["sizes"], files, atMost: 20_000) { answers in
      progress.update(Double(pictures.count) / Double(files.count))
      guard let line = try answers.takeLine() else { return false }
      if line.hasPrefix("! ") {
        pictures.append(.failure(HostError(.fileNotFound, line.withoutMark)))
        return true
      }
      let texts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      let words = texts[0].split(separator: " ", omittingEmptySubsequences: false)
      let numbers = words.prefix(2).map { $0.number(upTo: Self.mostPixels) }
      guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
        width <= Self.mostPixels / height,
        words.count == 2 || Self.hiddenFormats.contains(words[2]),
        words.count <= 3, texts.count != 2
      else { throw wrongAnswer(line, "the width and height of a picture") }
      var picture = ItemPicture(
        source: files[pictures.count], size: Size(width: Double(width), height: Double(height)))
      if words.count == 3 { picture.hiddenFormat = String(words[2]) }
      if texts.count == 3 {
        picture.date = UntrustedText.onOneLine(String(texts[1]))
        picture.caption = UntrustedText.onOneLine(String(texts[2]))
      }
      pictures.append(.success(picture))
      return true
    } failed: { reason in
      pictures.append(.failure(HostError(.fileNotFound, reason)))
    }
    return pictures
  }

  /// Not supported by browsers.
  private static let hiddenFormats: Set<Substring> = ["heif", "tiff", "raw"]
  private static let mostPixels = 268_435_456
  /// Most bytes of a thumbnail.
  private static let mostBytes = 256 << 20

  private func wrongAnswer(_ line: String, _ expected: String) -> HostError {
    HostError(
      .crashed,
      "tessera-pictures answered \"\(line.prefix(60))\"; expected \(expected). Install it again, or "
        + "leave this file out")
  }

  /// `jpeg`, `png` or `webp`, and the bytes.
  package typealias Thumbnail = (type: String, bytes: Data)

  /// Upright pictures, as small as still covers the rectangles, or the problem.
  ///
  /// - Parameters:
  ///   - isForBrowsers: Allows WebP, if this machine writes it.
  ///   - made: Called after each.
  package func thumbnails(
    of files: [(path: String, size: Size)], isForBrowsers: Bool = false, made: () -> Void
  ) throws -> [Result<Thumbnail, HostError>] {
    var thumbnails: [Result<Thumbnail, HostError>] = []
    func add(_ thumbnail: Result<Thumbnail, HostError>) {
      thumbnails.append(thumbnail)
      made()
    }
    let requests = files.map { file in
      "\(max(1, file.size.width.rounded(.up))) \(max(1, file.size.height.rounded(.up))) \(file.path)"
    }
    let request = ["thumbnails", isForBrowsers ? "webp" : "jpeg"]
    try ask(request, requests, atMost: 50) { answers in
      guard let (line, length) = try answers.peekLine() else { return false }
      if line.hasPrefix("! ") {
        _ = try answers.takeLine()
        add(.failure(HostError(.fileNotFound, line.withoutMark)))
        return true
      }
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, ["jpeg", "png", "webp"].contains(parts[0]),
        let count = parts[1].number(upTo: Self.mostBytes)
      else { throw wrongAnswer(line, "jpeg, png or webp and a number of bytes") }
      guard answers.count >= length + 1 + count else { return false }
      _ = try answers.takeLine()
      add(.success((String(parts[0]), answers.take(count))))
      return true
    } failed: { reason in
      add(.failure(HostError(.fileNotFound, reason)))
    }
    return thumbnails
  }

  /// Timeout per file, and how many are tolerated.
  private static let (secondsForFile, mostTimeouts) = (20, 3)

  /// Asks for an answer to each text.
  ///
  /// - Parameters:
  ///   - most: Texts per process, which has limited time.
  ///   - next: Takes the next answer; returns false if incomplete, throws if wrong.
  ///   - failed: Receives the next text's problem.
  private func ask(
    _ request: [String], _ texts: [String], atMost most: Int,
    next: (inout Answers) throws -> Bool, failed: (String) -> Void
  ) throws {
    var (done, timeouts) = (0, 0)
    while done < texts.count {
      let end = min(done + most, texts.count)
      var answers = Answers()
      let deadline = ChildProcess.Deadline(seconds: Self.secondsForFile)
      do {
        let asked = texts[done..<end]
        try program.answer(
          to: request,
          input: { input in for text in asked { try input.write(text + "\0") } },
          deadline: deadline
        ) { data in
          answers.append(data)
          while done < end, try next(&answers) {
            done += 1
            deadline.renew()
          }
          guard done < end || answers.count == 0 else {
            throw HostError(.crashed, "tessera-pictures answers more than it is asked")
          }
        }
        guard done == end else {
          throw HostError(.crashed, "tessera-pictures gave too few answers")
        }
      } catch let error as POSIXError where error.code == .ETIMEDOUT && done < end {
        timeouts += 1
        guard timeouts < Self.mostTimeouts else {
          throw HostError(
            .crashed,
            "tessera-pictures has not answered within \(Self.secondsForFile) s for \(timeouts) files; "
              + "leave those out, or install it again")
        }
        failed("it was not read within \(Self.secondsForFile) s")
        done += 1
      } catch let error as HostError where error.kind.status == 70 && done < end {
        failed(error.message)
        done += 1
      } catch  where done == end {
        // All answers are complete, so the exit status doesn't matter.
      }
    }
  }
}

private struct Answers {
  private var bytes = Data()
  private var start = 0

  var count: Int { bytes.count - start }

  mutating func append(_ data: UnsafeRawBufferPointer) {
    if start > 1 << 20 || start == bytes.count {
      bytes.removeFirst(start)
      bytes = Data(bytes)
      start = 0
    }
    bytes.append(contentsOf: data)
  }

  /// The next line and its byte count; nil if incomplete.
  ///
  /// - Throws: If it is too long.
  func peekLine() throws -> (text: String, count: Int)? {
    let rest = bytes[(bytes.startIndex + start)...].prefix(Self.longestLine + 1)
    if let end = rest.firstIndex(of: 0x0A) {
      return (String(decoding: rest[..<end], as: UTF8.self), end - rest.startIndex)
    }
    guard rest.count <= Self.longestLine else {
      throw HostError(
        .crashed, "tessera-pictures answered a line of more than \(Self.longestLine) bytes")
    }
    return nil
  }

  private static let longestLine = 1000

  mutating func takeLine() throws -> String? {
    guard let line = try peekLine() else { return nil }
    start += line.count + 1
    return line.text
  }

  mutating func take(_ count: Int) -> Data {
    defer { start += count }
    return Data(bytes[(bytes.startIndex + start)..<(bytes.startIndex + start + count)])
  }
}

extension Substring {
  /// Digits in 1...most; otherwise nil.
  fileprivate func number(upTo most: Int) -> Int? {
    guard allSatisfy({ "0"..."9" ~= $0 }), let number = Int(self), 1...most ~= number else {
      return nil
    }
    return number
  }
}

extension String {
  fileprivate var withoutMark: String { UntrustedText.onOneLine(String(dropFirst(2))) }
}
