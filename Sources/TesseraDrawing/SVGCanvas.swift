import TesseraGeometry
import TesseraHost

/// Draws shapes and images as SVG, shifted near 0: viewers use 32-bit numbers.
public struct SVGCanvas {
  /// Pixels per point.
  public let scale: Double
  /// The drawn part, shifted; nil to draw everything.
  public let region: Rect?
  /// Added to content coordinates.
  public let shift: Point
  /// Coordinates outside are too large for viewers.
  private let near: Rect

  /// The lowest magnification; text enlarged further is too large for viewers.
  public static var leastMagnification: Double { 1e-4 }

  /// Creates a canvas for a part of the content.
  public init(region: Rect, scale: Double, isWhole: Bool) {
    let shift = region.shift
    (self.shift, self.scale) = (shift, scale)
    self.region = isWhole ? nil : region.offset(by: shift)
    let margin = max(region.width, region.height) + 65_536 / scale
    near = Rect(
      x: region.x - margin, y: region.y - margin, width: region.width + 2 * margin,
      height: region.height + 2 * margin
    ).offset(by: shift)
  }

  /// Shifts an element, clips distant parts, and returns whether it is near enough to be drawn.
  ///
  /// - Parameter keepsFrame: Prevents clipping, for something placed in the frame.
  public func place(_ element: inout Element, keepsFrame: Bool) -> Bool {
    element.frame = element.frame.offset(by: shift)
    guard element.transform == .identity else { return true }
    guard let frame = element.frame.clipped(to: near) else { return false }
    if !keepsFrame { element.frame = frame }
    return true
  }

  /// Whether a shifted rectangle is visible.
  public func shows(_ rect: Rect) -> Bool { region.map { rect.clipped(to: $0) != nil } ?? true }

  /// The visible part of a shifted rectangle.
  public func seen(_ rect: Rect) -> Rect { region.flatMap { rect.clipped(to: $0) } ?? rect }

  /// A polygon, or a rectangle if the outline is nil.
  public func shape(
    _ frame: Rect, _ outline: [Point]?, look: SVGLook, _ content: Markup = ""
  ) -> Markup {
    outline.map { polygon($0, look: look, content) } ?? rectangle(frame, look: look, content)
  }

  /// A rectangle with the look's corners; `rounded` is the size for their radius.
  public func rectangle(
    _ frame: Rect, look: SVGLook, rounded: Size? = nil, _ content: Markup = ""
  ) -> Markup {
    var text = TextBuffer(capacity: 256)
    write(frame, look: look, rounded: rounded, content, into: &text)
    return text.withBytes { Markup(Array($0)) }
  }

  func write(
    _ frame: Rect, look: SVGLook, rounded: Size? = nil, _ content: Markup = "",
    into text: inout TextBuffer
  ) {
    let size = rounded ?? frame.size
    let side = min(size.width, size.height)
    let radius = side * scale < 6 ? 0 : min(side * 0.12, look.radius / scale)
    text.append("<rect class=\"" as StaticString)
    text.append(look.name)
    text.append("\" " as StaticString)
    text.append(
      place: Rect(
        x: frame.x, y: frame.y, width: max(0, frame.width), height: max(0, frame.height)))
    if radius > 0 {
      text.append(" rx=\"" as StaticString)
      text.append(rounded: radius)
      text.append(UInt8(ascii: "\""))
    }
    text += look.paint
    text.append(UInt8(ascii: ">"))
    text += content
    text.append("</rect>" as StaticString)
  }

  /// A polygon.
  public func polygon(_ outline: [Point], look: SVGLook, _ content: Markup = "") -> Markup {
    """
    <polygon class="\(look.name)" points="\(Self.points(outline))" stroke-linejoin="round"\
    \(look.paint)>\(content)</polygon>
    """
  }

  static func points(_ outline: [Point]) -> Markup {
    var points: Markup = ""
    for point in outline {
      points += points.isEmpty ? "\(point.x),\(point.y)" : " \(point.x),\(point.y)"
    }
    return points
  }

  /// An image, relative to the frame's corner.
  ///
  /// SVG has no perspective: a transformed image is a row of strips, each with an affine map.
  public func image(
    _ image: CellImage, in place: Rect, of frame: Rect, _ fit: ImageFit, projection: Projection?
  ) -> Markup {
    guard let projection else { return self.image(image, place.offset(by: frame.origin), fit) }
    let strips = 16
    let width = place.width / Double(strips)
    var markup: Markup = ""
    for strip in 0..<strips {
      let part = Rect(
        x: place.x + width * Double(strip), y: place.y, width: width, height: place.height)
      let corners = projection.outline(of: part.corners)
      guard corners.count == 4, width > 0, place.height > 0 else { return "" }
      func middle(_ one: Point, _ other: Point) -> Point {
        Point(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
      }
      let (left, right) = (middle(corners[0], corners[3]), middle(corners[1], corners[2]))
      let (top, bottom) = (middle(corners[0], corners[1]), middle(corners[3], corners[2]))
      let across = Point(x: (right.x - left.x) / width, y: (right.y - left.y) / width)
      let down = Point(x: (bottom.x - top.x) / place.height, y: (bottom.y - top.y) / place.height)
      let origin = Point(
        x: left.x - across.x * part.x - down.x * place.midY,
        y: left.y - across.y * part.x - down.y * place.midY)
      // Hides gaps between strips.
      let wide = min(width * 1.1, place.maxX - part.x)
      markup += """
        <svg x="\(exact: part.x)" y="\(exact: part.y)" width="\(exact: wide)" \
        height="\(exact: part.height)" viewBox="\(exact: part.x) \(exact: part.y) \(exact: wide) \
        \(exact: part.height)" transform="matrix(\(exact: across.x) \(exact: across.y) \
        \(exact: down.x) \(exact: down.y) \(exact: origin.x) \(exact: origin.y))">\
        \(self.image(image, place, fit))</svg>
        """
    }
    return markup
  }

  private func image(_ image: CellImage, _ place: Rect, _ fit: ImageFit) -> Markup {
    """
    <image class="image" \(place: place) href="\(image.markup)" \
    preserveAspectRatio="\(fit.aspectRatio)" pointer-events="none"></image>
    """
  }
}

/// The look of a shape.
public struct SVGLook {
  let name: String
  let paint: Markup
  let ink: String
  /// Pixels.
  let radius: Double

  /// Creates a look; each attribute of `paint` follows a space.
  public init(name: String, paint: Markup, ink: String = "", radius: Double = 0) {
    (self.name, self.paint, self.ink, self.radius) = (name, paint, ink, radius)
  }

  /// A mask that dims an element.
  public static func mask(_ colour: Colour, opacity: Double, radius: Double) -> SVGLook {
    SVGLook(
      name: "mask",
      paint: " fill=\"\(colour.hex)\" fill-opacity=\"\(opacity)\" pointer-events=\"none\"",
      ink: colour.hex, radius: radius)
  }
}
