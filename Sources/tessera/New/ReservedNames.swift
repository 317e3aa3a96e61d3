/// Words that cannot name an engine's type in one of the languages, or that its source needs for
/// something else; in small letters, without what separates their parts.
enum ReservedNames {
  static let all = Set(
    [cAndCpp, rust, swift, modules, vocabulary].flatMap { $0.split(separator: " ") }
  )
  .reduce(into: Set<String>()) { $0.insert(String($1)) }

  private static let cAndCpp = """
    alignas alignof and andeq asm auto bitand bitor bool break case catch char class compl concept \
    const consteval constexpr constinit continue default delete do double else enum explicit export \
    extern false float for friend goto if inline int long mutable namespace new noexcept not noteq \
    nullptr operator or oreq private protected public register reinterpretcast requires restrict \
    return short signed sizeof static staticassert staticcast struct switch template this throw true \
    try typedef typeid typename union unsigned using virtual void volatile while xor xoreq main std \
    linux unix
    """
  private static let rust = """
    abstract as async await become box crate dyn final fn gen impl in let loop macro match mod move \
    mut override priv pub ref self super trait type typeof unsafe unsized use where yield core alloc \
    test err none ok option result some vec
    """
  private static let swift = """
    actor any array character date dictionary error extension func guard import init never \
    nil optional package protocol set string subscript substring task uint url var
    """
  private static let modules = """
    cdispatch dispatch distributed foundation glibc observation regexbuilder swift swiftshims \
    synchronization testing xctest
    """
  private static let vocabulary = """
    attribute attributes base baseengine change choice choices column columns declare declaration \
    engine engineidentity failure host identity inherited input insets itemvalues kind layout \
    layoutfailure output parameter parameters place point prepare preparing preparinglayout rect rows \
    run sectionvalues size status traits transform value
    """
}
