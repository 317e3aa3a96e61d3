import TesseraHost

extension Listing {
  /// The listing as JSON.
  public var json: JSON {
    .object([
      ("engines", .list(engines.map(\.json))),
      ("refused", refusedJSON),
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
      ("laws", .list(description.laws.names.map(JSON.text))),
      ("shadowedBy", .optional(shadowedBy)),
    ])
  }
}

extension Listing {
  /// The refused files as JSON; each status is the exit status of a command that is given the file.
  public var refusedJSON: JSON {
    .list(
      refused.map { file, error in
        .object([
          ("file", .text(file)), ("reason", .text(error.commandMessage)),
          ("status", .integer(Int(error.kind.status))),
        ])
      })
  }
}
