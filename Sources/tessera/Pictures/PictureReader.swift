import FoundationEssentials
import TesseraHost

/// Reads picture files with `tessera-pictures`, many at a time.
///
/// If that program ends in the middle, it was the fault of the first file that has no answer; the rest
/// is asked of another process.
struct PictureReader {
  private let program: PictureProgram

  init() throws { program = try PictureProgram() }

  /// The size of a picture file, or why it is of no use.
  typealias ReadSize = Result<Size, CommandFailure>

  /// The sizes of pictures as they are shown, in the order of the files.
  func sizes(of files: [String]) throws -> [ReadSize] {
    var sizes: [ReadSize] = []
    try ask("sizes", files, atMost: 20_000, "reading pictures") { answers in
      guard let line = answers.takeLine() else { return false }
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      if numbers.count == 2 {
        sizes.append(.success(Size(width: numbers[0], height: numbers[1])))
      } else {
        sizes.append(.failure(CommandFailure(.noInput, line.withoutMark)))
      }
      return true
    } failed: { reason in
      sizes.append(.failure(CommandFailure(.noInput, reason)))
    }
    return sizes
  }

  /// A picture that was made smaller: `jpeg` or `png`, and its bytes.
  typealias Thumbnail = (type: String, bytes: Data)

  /// Pictures, upright and as small as still covers rectangles.
  ///
  /// Reports the files for which there is none.
  func thumbnails(of files: [(path: String, size: Size)]) throws -> [Thumbnail?] {
    var thumbnails: [Thumbnail?] = []
    func report(_ problem: String) {
      Diagnostics.say("\(files[thumbnails.count].path) is not embedded: \(problem)")
      thumbnails.append(nil)
    }
    let requests = files.map { file in
      "\(max(1, file.size.width.rounded(.up))) \(max(1, file.size.height.rounded(.up))) \(file.path)"
    }
    try ask("thumbnails", requests, atMost: 50, "embedding pictures") { answers in
      guard let line = answers.peekLine() else { return false }
      let parts = line.split(separator: " ")
      guard parts.count == 2, parts[0] != "!", let count = Int(parts[1]) else {
        _ = answers.takeLine()
        report(line.withoutMark)
        return true
      }
      guard answers.count >= line.utf8.count + 1 + count else { return false }
      _ = answers.takeLine()
      thumbnails.append((String(parts[0]), answers.take(count)))
      return true
    } failed: { reason in
      report(reason)
    }
    return thumbnails
  }

  /// Asks for an answer to each text.
  ///
  /// - Parameters:
  ///   - most: The texts for one process, which has a limited time.
  ///   - next: Takes the next answer; returns false if it is not complete.
  ///   - failed: Receives why the next text has no answer.
  private func ask(
    _ request: String, _ texts: [String], atMost most: Int, _ title: String,
    next: (inout Answers) -> Bool, failed: (String) -> Void
  ) throws {
    let progress = ProgressLine(title)
    defer { progress.erase() }
    var done = 0
    while done < texts.count {
      let end = min(done + most, texts.count)
      var answers = Answers()
      do {
        try program.answer(to: [request]) { input in
          for text in texts[done..<end] { try input.write(text + "\0") }
        } received: { data in
          answers.append(data)
          while done < end, next(&answers) { done += 1 }
          progress.update(Double(done) / Double(texts.count))
        }
        guard done == end else {
          throw CommandFailure(.software, "tessera-pictures gave too few answers")
        }
      } catch let error as CommandFailure where error.status == .software && done < end {
        failed(error.message)
        done += 1
      }
    }
  }
}

/// What has been received and not been read.
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

  func peekLine() -> String? {
    guard let end = bytes[(bytes.startIndex + start)...].firstIndex(of: 0x0A) else { return nil }
    return String(decoding: bytes[(bytes.startIndex + start)..<end], as: UTF8.self)
  }

  mutating func takeLine() -> String? {
    guard let line = peekLine() else { return nil }
    let end = bytes[(bytes.startIndex + start)...].firstIndex(of: 0x0A) ?? bytes.endIndex
    start = end + 1 - bytes.startIndex
    return line
  }

  mutating func take(_ count: Int) -> Data {
    defer { start += count }
    return Data(bytes[(bytes.startIndex + start)..<(bytes.startIndex + start + count)])
  }
}

extension String {
  /// A sentence without the mark of a file that is of no use.
  fileprivate var withoutMark: String { hasPrefix("! ") ? String(dropFirst(2)) : self }
}
