import TesseraHost
import TesseraScenario

extension Listing {
  /// The listing for a program.
  var json: JSON {
    .object([
      ("engines", .list(engines.map(\.json))),
      ("refused", .list(refused.map(\.json))),
    ])
  }
}

extension Listing.Entry {
  fileprivate var json: JSON {
    .object([
      ("id", .text(description.id)), ("name", .text(description.name)),
      ("version", .text(description.version)), ("library", .text(library)),
      ("abi", .text("\(abi)")), ("base", .optional(description.base)),
      ("traits", .list(description.traits.names.map(JSON.text))),
      ("shadowedBy", .optional(shadowedBy)),
    ])
  }
}

extension Listing.Refusal {
  /// The status is the one with which the command would end if the file were named outright.
  var json: JSON {
    .object([
      ("file", .text(file)), ("reason", .text(reason)),
      ("status", .integer(Int(kind.status.rawValue))),
    ])
  }
}
