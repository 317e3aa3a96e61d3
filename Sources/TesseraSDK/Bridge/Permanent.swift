import CTessera
import Glibc

// What an engine's description points to lives as long as the process: it is made once for an
// engine and never freed.

/// A copy of a text as C wants it.
func permanentText(_ text: String) -> UnsafePointer<CChar> {
  text.withCString { source in
    let size = strlen(source) + 1
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    copy.initialize(from: source, count: size)
    return UnsafePointer(copy)
  }
}

/// A copy of an array, or nil for an empty one.
func permanentArray<Element>(_ elements: [Element]) -> UnsafePointer<Element>? {
  guard !elements.isEmpty else { return nil }
  let copy = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
  for (index, element) in elements.enumerated() {
    (copy + index).initialize(to: element)
  }
  return UnsafePointer(copy)
}

/// Copies of texts, or nil for none.
func permanentArray(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>>? {
  permanentArray(texts.map(permanentText))
}
