import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TesseraCommand
import TesseraHost
import TesseraPictures
import TesseraScenario

/// A folder with smaller copies of pictures, which several pages can share.
///
/// A copy's name has the picture's name, a digest of its path, and the width. Copies are reused
/// unless older than their picture.
struct ThumbnailFolder {
  let path: String
  /// Width of a copy that replaces the file in the large view, or nil.
  var large: Double?

  /// Widths in pixels.
  ///
  /// Pictures have smaller copies, and a full-size one if browsers don't support the format.
  private static let widths = [320.0, 640, widest]
  static let widest = 1280.0

  /// Copies per process.
  private static let chunk = 24

  typealias Copy = (path: String, size: Size)

  /// Copies of each picture by width.
  ///
  /// Makes missing or outdated ones on all processors, and reports failures.
  func files(of pictures: [ItemPicture]) throws -> [[Copy]] {
    var missing: [(picture: Int, copy: Copy)] = []
    var found = pictures.enumerated().map { number, picture in
      sizes(of: picture).compactMap { size -> Copy? in
        let copy = (path: stem(picture, size), size: size)
        if let known = kept(copy.path, picture) { return (known, size) }
        missing.append((number, copy))
        return nil
      }
    }
    let (made, problems) = try make(missing.map { (pictures[$0.picture].source, $0.copy) })
    var reported = Set<Int>()
    for (place, (number, copy)) in missing.enumerated() {
      if let path = made[place] {
        found[number].append((path, copy.size))
      } else if reported.insert(number).inserted {
        Diagnostics.say("\(pictures[number].source) has no thumbnails: \(problems[place] ?? "")")
      }
    }
    return found.map { copies in copies.sorted { $0.size.width < $1.size.width } }
  }

  private func sizes(of picture: ItemPicture) -> [Size] {
    guard let size = picture.size, size.width > 0 else { return [] }
    var widths = Self.widths.filter { $0 < min(size.width, large ?? .infinity) }
    if let large {
      widths.append(min(size.width, large))
    } else if picture.hiddenFormat != nil, size.width <= Self.widest {
      // Browsers don't support the format, so add a full-size copy.
      widths.append(size.width)
    }
    return widths.map {
      Size(width: $0, height: max(1, ($0 * size.height / size.width).rounded()))
    }
  }

  private func stem(_ picture: ItemPicture, _ size: Size) -> String {
    let whole = URL(fileURLWithPath: picture.source).standardizedFileURL.path
    let digest = SHA256Digest(of: Array(whole.utf8)).description.prefix(8)
    return "\(path)/\(picture.label.prefix(60))-\(digest)-\(Int(size.width))"
  }

  /// An up-to-date copy in the folder, or nil.
  private func kept(_ stem: String, _ picture: ItemPicture) -> String? {
    func changed(_ path: String) -> (Int, Int)? {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
        return nil
      }
      return (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
    guard let original = changed(picture.source) else { return nil }
    return ["\(stem).webp", "\(stem).jpg", "\(stem).png"].first {
      changed($0).map { $0 >= original } ?? false
    }
  }

  private func make(
    _ wanted: [(source: String, copy: Copy)]
  ) throws -> (paths: [Int: String], problems: [Int: String]) {
    let progress = ProgressLine("making thumbnails")
    defer { progress.erase() }
    let state = Mutex<([Int: String], [Int: String], failure: (any Error)?)>(([:], [:], nil))
    let next = Atomic(0)
    let done = Atomic(0)
    let chunks = (wanted.count + Self.chunk - 1) / Self.chunk
    let processors = ProcessInfo.processInfo.activeProcessorCount
    DispatchQueue.concurrentPerform(iterations: min(processors, chunks)) { _ in
      while state.withLock({ $0.failure == nil }) {
        let chunk = next.add(1, ordering: .relaxed).oldValue
        guard chunk < chunks else { return }
        let places = chunk * Self.chunk..<min((chunk + 1) * Self.chunk, wanted.count)
        do {
          let files = places.map { (path: wanted[$0].source, size: wanted[$0].copy.size) }
          let thumbnails = try PictureReader().thumbnails(of: files, isForBrowsers: true) {
            let count = done.add(1, ordering: .relaxed).newValue
            progress.update(Double(count) / Double(wanted.count))
          }
          // Serialised, so that an interrupted command leaves no partial file.
          try state.withLock { state in
            for (place, thumbnail) in zip(places, thumbnails) {
              switch thumbnail {
              case .success(let thumbnail):
                let ending = thumbnail.type == "jpeg" ? "jpg" : thumbnail.type
                let path = "\(wanted[place].copy.path).\(ending)"
                try BufferedOutput.write(to: path) { output in
                  try thumbnail.bytes.withUnsafeBytes { try output.write($0) }
                }
                state.0[place] = path
              case .failure(let failure): state.1[place] = failure.message
              }
            }
          }
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    let (paths, problems, failure) = state.withLock { $0 }
    if let failure { throw failure }
    return (paths, problems)
  }
}
