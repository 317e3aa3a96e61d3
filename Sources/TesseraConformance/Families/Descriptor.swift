import TesseraHost

/// Cases about descriptions, which the host checks; each owns its error codes.
let descriptorCases: [ConformanceCase] = [
  checkedByHost(
    "descriptor-id-is-reverse-dns", [.invalidID],
    "The id is reverse-DNS, like org.example.spiral",
    why: "Two authors could otherwise give their engines the same id",
    remedy: "Begin the id with a domain of yours, reversed; use letters, digits, hyphens and dots"),
  checkedByHost(
    "descriptor-ids-are-unique", [.duplicateID],
    "The engines of a library have different ids",
    why: "An id must identify one engine",
    remedy: "Give each engine that tessera_register adds its own id"),
  checkedByHost(
    "descriptor-version-is-semantic", [.invalidVersion],
    "The version is semantic: three numbers, like 1.2.3",
    why: "Derived engines declare the lowest version of their base that they support",
    remedy: "Write the version as MAJOR.MINOR.PATCH"),
  checkedByHost(
    "descriptor-names-are-lower-camel-case", [.invalidName],
    "Names of parameters, values, functions, attributes and kinds are lowerCamelCase",
    why: "People write these names in scenarios, on command lines and in programs",
    remedy: "Start the name with a lower-case letter, and use only letters and digits"),
  checkedByHost(
    "descriptor-names-are-unique", [.duplicateName],
    "No name is declared twice in one engine",
    why: "A name must identify one declaration",
    remedy: "Rename one of the two"),
  checkedByHost(
    "descriptor-choices-are-unique", [.invalidChoices],
    "An enum has at least one choice, and all choices differ",
    why: "A choice is set by its name",
    remedy: "List each choice once, and set choice_count to their number"),
  checkedByHost(
    "descriptor-types-are-known", [.unknownType],
    "Types, scopes, categories, roles and interpolations are ones that the contract defines",
    why: "The host does not know the size of any other type",
    remedy: "Use the macros of tessera.h"),
  checkedByHost(
    "descriptor-unknown-bits-are-zero", [.unknownBits],
    "Reserved members and bits that the contract does not define are 0",
    why: "A later version of the contract may give them a meaning",
    remedy:
      "Initialize every member of a struct, and combine flags only from the macros of tessera.h"),
  checkedByHost(
    "descriptor-tables-have-their-size", [.invalidExtension],
    "The table of an extension has exactly the size of its struct, and names what the engine declares",
    why: "The host would read beyond a shorter table, and would not know the rest of a longer one",
    remedy: "Set struct_size to the sizeof the table's type"),
  checkedByHost(
    "descriptor-defaults-are-in-range", [.invalidDefault],
    "The initial value of a parameter or attribute is valid for it",
    why: "A layout with default settings would be refused",
    remedy:
      "Put `initial` between `minimum` and `maximum`, or among the choices; for no upper limit write "
      + "INFINITY or INT64_MAX, and leave out both limits with zeros"),
  checkedByHost(
    "descriptor-fallbacks-are-parameters", [.invalidFallback],
    "The fallback of a value is a parameter of its type",
    why: "A value that nobody sets would be undefined",
    remedy: "Name a parameter of the same engine and type; an enum value needs a fallback"),
  checkedByHost(
    "descriptor-signatures-parse", [.invalidFunction],
    "Every function signature is valid",
    why: "Host and engine would call each other with different arguments",
    remedy: "Write result(argument,…) with the types that tessera.h lists"),
  checkedByHost(
    "descriptor-arrays-are-there", [.invalidArray],
    "Every array has the declared number and size of entries",
    why: "The host would read unrelated memory",
    remedy: "Set each count to the number of entries, and each size to the sizeof one entry"),
  checkedByHost(
    "descriptor-texts-are-utf8", [.invalidText],
    "Every text is present, null-terminated and UTF-8",
    why: "Texts are shown to people and written to files",
    remedy: "Save the source as UTF-8, and set every text that may not be null"),
  checkedByHost(
    "descriptor-texts-are-printable", [.unprintableText],
    "No text of a description contains a control character",
    why: "Texts are shown in lists and tables with one line per entry",
    remedy: "Write one line of text, without tabs or line breaks"),
  checkedByHost(
    "descriptor-traits-fit-functions", [.unfitTraits],
    "The declared traits match the functions that are set",
    why: "The host calls the functions that the traits announce",
    remedy:
      "Declare lazy with elements_in_rect and element, viewport with adjust, and set prepare or a "
      + "base"),
  checkedByHost(
    "descriptor-base-is-found", [.baseNotFound, .unfitBase],
    "The base exists in a compatible version and accepts the defaults",
    why: "A derived engine cannot lay out anything without its base",
    remedy:
      "Put the base's library into the same folder or on the search path; set only parameters that "
      + "the base has"),
  checkedByHost(
    "descriptor-bases-end", [.cyclicBases],
    "The chain of base engines does not contain a cycle",
    why: "An engine that is its own base would call itself forever",
    remedy: "Use a different base, or none"),
  ConformanceCase(
    "descriptor-declarations-are-used", .descriptor,
    rule:
      "Every declared kind, attribute, column, published function and extension is used in some "
      + "layout",
    why: "A program makes views, memory and menus for everything that an engine declares",
    remedy:
      "Remove the declaration, or use it: add elements of the kind, write the column, implement the "
      + "function", examine: declarationsAreUsed),
  ConformanceCase(
    "descriptor-never-changes", .descriptor,
    rule: "A description is the same every time it is read",
    why: "The host remembers it and arranges memory by it",
    remedy: "Make the structs and everything that they point to constant",
    needs: .process
  ) { trial in
    let problem = try trial.processReport().descriptionProblem
    try trial.require(
      problem == nil,
      expected: "the registered description after layouts were created and destroyed",
      found: problem ?? "")
  },
]

private func checkedByHost(
  _ id: String, _ codes: Set<HostError.Code>, _ rule: String, why: String, remedy: String
) -> ConformanceCase {
  ConformanceCase(
    id, .descriptor, rule: rule, why: why, remedy: remedy, owns: codes,
    examine: { trial in _ = try trial.engine })
}
