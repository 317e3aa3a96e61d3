/// Writes an animation as JSON; numbers read back as the same doubles.
public struct TrackWriter {
  private let engines: [(key: String, id: String)]
  private let animation: LayoutAnimation

  /// Creates a writer for changes in one engine's layout.
  public init(engine: String, animation: LayoutAnimation) {
    engines = [("engine", engine)]
    self.animation = animation
  }

  /// Creates a writer for a transition between two engines.
  public init(from: String, to: String, animation: LayoutAnimation) {
    engines = [("from", from), ("to", to)]
    self.animation = animation
  }

  init(_ animation: LayoutAnimation) {
    engines = []
    self.animation = animation
  }

  /// Calls `sink` with UTF-8 chunks of about 64 KiB, one track per line; O(n).
  public func write(to sink: ([UInt8]) throws -> Void) rethrows {
    var output = TextBuffer()
    output.append(UInt8(ascii: "{"))
    for engine in engines {
      output.append(json: engine.key)
      output.append(UInt8(ascii: ":"))
      output.append(json: engine.id)
      output.append(UInt8(ascii: ","))
    }
    appendViewport(to: &output)
    output.append(",\"tracks\":[" as StaticString)
    for (index, track) in animation.tracks.enumerated() {
      output.append(index == 0 ? "\n" as StaticString : ",\n" as StaticString)
      append(track, to: &output)
      try output.flush(to: sink)
    }
    output.append(animation.tracks.isEmpty ? "]}\n" as StaticString : "\n]}\n" as StaticString)
    try output.flush(to: sink, whole: true)
  }

  private func appendViewport(to output: inout TextBuffer) {
    for (key, size) in [
      ("contentSizeBefore", animation.contentSizeBefore),
      ("contentSizeAfter", animation.contentSizeAfter),
    ] {
      output.append(json: key)
      output.append(UInt8(ascii: ":"))
      output.append(list: [size.width, size.height])
      output.append(UInt8(ascii: ","))
    }
    output.append("\"offsetBefore\":" as StaticString)
    output.append(list: [animation.offsetBefore.x, animation.offsetBefore.y])
    output.append(",\"offsetAfter\":" as StaticString)
    output.append(list: [animation.offsetAfter.x, animation.offsetAfter.y])
  }

  private func append(_ track: AnimationTrack, to output: inout TextBuffer) {
    output.append("{\"before\":" as StaticString)
    append(track.before, to: &output)
    output.append(",\"after\":" as StaticString)
    append(track.after, to: &output)
    output.append(",\"from\":{" as StaticString)
    output.appendMembers(of: track.from, attributes: animation.attributes)
    output.append("},\"to\":{" as StaticString)
    output.appendMembers(of: track.to, attributes: animation.attributes)
    output.append("}}" as StaticString)
  }

  private func append(_ identity: ElementIdentity?, to output: inout TextBuffer) {
    guard let identity else { return output.append("null" as StaticString) }
    output.append(UInt8(ascii: "{"))
    output.appendMembers(of: identity)
    output.append(UInt8(ascii: "}"))
  }
}
