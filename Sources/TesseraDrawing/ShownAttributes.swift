import TesseraGeometry
import TesseraHost

/// The attributes of any engine that pictures show, if they have the expected type.
///
/// `maskingValue`, a number clamped to 0...1, dims its element. `contentRect`, a rect relative to
/// the frame's corner, is the place of a cell's picture, clipped to the frame.
public struct ShownAttributes {
  private let attributes: [AttributeDescription]
  private let masking: Int?
  private let content: Int?

  /// Finds the attributes by name.
  public init(names: [String]) {
    attributes = []
    masking = names.firstIndex(of: "maskingValue")
    content = names.firstIndex(of: "contentRect")
  }

  /// How strongly an element is dimmed, 0...1.
  public func masking(of element: Element) -> Double {
    guard case .number(let value) = value(masking, of: element), value > 0 else { return 0 }
    return min(value, 1)
  }

  /// The place of a cell's picture, in points from the frame's corner.
  public func content(of element: Element) -> Rect? {
    guard element.identity.category == .cell,
      let rect = value(content, of: element).flatMap({ Rect($0) }), rect.isFinite,
      let seen = rect.clipped(to: Rect(origin: .zero, size: element.frame.size)),
      seen.width > 0, seen.height > 0
    else { return nil }
    return seen
  }

  private func value(_ index: Int?, of element: Element) -> Value? {
    guard let index, element.attributes.indices.contains(index) else { return nil }
    return element.attributes[index]
  }
}

extension ShownAttributes {
  init(_ attributes: [AttributeDescription]) {
    self.attributes = attributes
    let names = ShownAttributes(names: attributes.map(\.name))
    (masking, content) = (names.masking, names.content)
  }

  /// Before and after if linear, else at `AnimatedPicture.samples`; empty if never dimmed.
  func maskings(of track: AnimationTrack) -> [Double] {
    let ends = [track.from, track.to].map(masking)
    guard let masking, ends != [0, 0] else { return [] }
    return values(of: track, masking, ends.map(Value.number)).compactMap(\.numbers.first)
  }

  /// As many values as `maskings(of:)`; a picture at one end only fills its cell at the other.
  func contents(of track: AnimationTrack, isSampled: Bool = false) -> [Rect] {
    let ends = [track.from, track.to].map { ($0.frame.size, content(of: $0)) }
    guard let content, ends.contains(where: { $0.1 != nil }) else { return [] }
    let rects = ends.map { Value.rect($1 ?? Rect(origin: .zero, size: $0)) }
    return values(of: track, content, rects, isSampled: isSampled).compactMap { Rect($0) }
  }

  private func values(
    of track: AnimationTrack, _ index: Int, _ ends: [Value], isSampled: Bool = false
  ) -> [Value] {
    let elements = ends.map { Element(identity: track.identity, frame: .zero, attributes: [$0]) }
    let track = AnimationTrack(before: nil, after: nil, from: elements[0], to: elements[1])
    let attribute = attributes[index]
    let isLinear = attribute.interpolation == .linear && !isSampled
    let steps = isLinear ? [0, 1] : AnimatedPicture.samples
    return steps.map { track.element(at: $0, attributes: [attribute]).attributes[0] }
  }
}
