import TesseraHost

/// What an engine says about itself.
///
/// The host refuses a library whose descriptions break the contract; each case knows the sentences that
/// are about its rule.
let descriptorCases: [ConformanceCase] = [
  told(
    "descriptor-id-is-reverse-dns", "The id is reverse-DNS, like org.example.spiral",
    why: "Two authors would give their engines one id",
    remedy: "Begin the id with a domain of yours, reversed; letters, digits, hyphens and dots",
    ["is not reverse-DNS", "is no engine id"]),
  told(
    "descriptor-ids-are-unique", "The engines of one library have ids of their own",
    why: "Nobody could say which of two is meant",
    remedy: "Give each engine that tessera_register adds another id",
    ["registers the id"]),
  told(
    "descriptor-version-is-semantic", "The version is semantic: three numbers, like 1.2.3",
    why: "Derived engines name the lowest version of their base that suits",
    remedy: "Write the version as MAJOR.MINOR.PATCH",
    ["is not semantic", "base_version is"]),
  told(
    "descriptor-names-are-lower-camel-case",
    "Names of parameters, values, functions, attributes and kinds are lowerCamelCase",
    why: "Scenarios and command lines write them, in every language",
    remedy: "Rename to a lower-case letter that letters and digits follow",
    ["is not lowerCamelCase"]),
  told(
    "descriptor-names-are-unique", "No name is declared twice in one engine",
    why: "Whoever sets it could not say which is meant",
    remedy: "Rename one of the two",
    ["is declared twice"], except: ["the choice of"]),
  told(
    "descriptor-choices-are-unique", "The choices of an enum differ, and there is at least one",
    why: "A choice is set by its name",
    remedy: "Name each choice once; choice_count is their count",
    ["the choice of", "choices; declare at least one", "choices; an enum has"]),
  told(
    "descriptor-types-are-known", "Types, scopes, categories and interpolations are the contract's",
    why: "A host does not know how many bytes anything else takes",
    remedy: "Use the macros of tessera.h",
    [
      "expected one of 1 to 8", "has the scope", "has interpolation", "has the category",
      "is one of cells",
    ]),
  told(
    "descriptor-defaults-are-in-range",
    "What a parameter or attribute starts as is a value that it takes",
    why: "A layout that nobody has set anything for would be refused",
    remedy:
      "Put `initial` between `minimum` and `maximum`, or among the choices; leave out limits with "
      + "zeros",
    ["the initial value of", "the limits of"]),
  told(
    "descriptor-fallbacks-are-parameters", "The fallback of a value is a parameter of its type",
    why: "A value that nobody gives would be nothing",
    remedy: "Name a parameter of the same engine and type; an enum value needs one",
    ["falls back on", "needs a fallback", "are not those of its fallback"]),
  told(
    "descriptor-signatures-parse", "Every signature of a function is one of the contract's",
    why: "Host and engine would call each other with other arguments",
    remedy: "Write result(argument,…) of the types that tessera.h lists, without spaces in names",
    [": the function "]),
  told(
    "descriptor-arrays-are-there", "Every array has the entries and sizes that are declared",
    why: "A host would read memory that is something else",
    remedy: "Fill in counts with the count of entries, and sizes with sizeof one entry",
    ["are declared at a null pointer", "bytes each are declared", "struct_size is"]),
  told(
    "descriptor-texts-are-utf8", "Every text is there, ends with a zero byte and is UTF-8",
    why: "A text is shown to people, and goes into files of others",
    remedy: "Save the source as UTF-8, and leave no text that is not nullable out",
    ["is not UTF-8", "does not end within", "is null; the contract"]),
  told(
    "descriptor-texts-are-printable", "No text of a description holds a control character",
    why: "Texts are shown in lists and tables of one line an entry",
    remedy: "Write one line of text without tabs and line breaks",
    ["holds control characters"]),
  told(
    "descriptor-traits-fit-functions", "Traits are declared exactly where the functions are there",
    why: "A host asks for what is declared",
    remedy:
      "Declare lazy with elements_in_rect and element, viewport with adjust, and have a prepare or a "
      + "base",
    ["it must declare the viewport", "it declares that it is lazy, but", "neither a base nor"]),
  told(
    "descriptor-base-is-found",
    "The base is there, of a version that suits, and takes the defaults",
    why: "A derived engine alone lays nothing out",
    remedy:
      "Put the base's library into the same folder or on the search path; name parameters that it "
      + "has",
    [
      "which is not on the search path", "or newer of the same", "a lazy engine needs lazy bases",
      "gives its base", "defaults for a base but names",
    ]),
  told(
    "descriptor-bases-end", "The bases of an engine come to an end",
    why: "An engine that is its own base asks itself for ever",
    remedy: "Name another engine as the base, or none",
    ["go round in a circle"]),
  ConformanceCase(
    "descriptor-never-changes", .descriptor,
    rule: "A description is the same whenever it is read",
    why: "Hosts remember it, and lay memory out by it",
    remedy: "Make the structs and all that they point to constant",
    needs: .process
  ) { trial in
    let problem = try trial.processReport().descriptionProblem
    try trial.require(
      problem == nil, expected: "the description of the registration after layouts came and went",
      found: problem ?? "")
  },
]

/// A case whose rule the host checks when it loads a library.
private func told(
  _ id: String, _ rule: String, why: String, remedy: String, _ sentences: [String],
  except others: [String] = []
) -> ConformanceCase {
  ConformanceCase(
    id, .descriptor, rule: rule, why: why, remedy: remedy,
    owns: { error in
      [.cannotLoad, .notFound].contains(error.kind)
        && sentences.contains(where: error.message.contains)
        && !others.contains(where: error.message.contains)
    },
    examineOnce: { trial in _ = try trial.engine })
}
