import ArgumentParser
import TesseraHost

/// Which part of a layout is returned, and whether calls are logged.
public struct PartOptions: ParsableArguments {
  /// Options for the parser to fill.
  public init() {}

  /// The rectangle whose elements are returned.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Return only the elements that intersect this rectangle of the content.", valueName: "x,y,w,h"
    ))
  public var rect: String?

  /// Whether only the elements in the viewport are returned.
  @Flag(name: .long, help: "Return only the elements that intersect the viewport.")
  public var visible = false

  /// Whether calls are logged.
  @Flag(name: .long, help: "Log every engine call to standard error.")
  public var trace = false

  /// Rejects a rectangle together with the viewport.
  public mutating func validate() throws {
    guard rect == nil || !visible else {
      throw ValidationError("give --rect or --visible, not both")
    }
  }

  /// The keys of a scenario that the options set, as JSON.
  public var keys: [String: JSON?] { ["rect": rect.map(\.vectorJSON)] }
}
