extension Signature {
  /// Whether the first two arguments are whole numbers, which are taken for a section and an item.
  var isPlaced: Bool {
    arguments.count >= 2 && arguments[0].isWhole && arguments[1].isWhole
  }

  /// What expressions call the arguments: a, b, c…, and for a structure each of its parts: cX, cY.
  var argumentNames: [String] {
    zip("abcdefghijklmnop", arguments).flatMap { letter, type in
      type.components.isEmpty
        ? ["\(letter)"]
        : type.components.map { "\(letter)\($0.prefix(1).uppercased())\($0.dropFirst())" }
    }
  }

  /// The names that have a meaning in the answer of a function of this signature.
  func names(of function: String) -> ExpressionNames {
    ExpressionNames(
      scope: isPlaced ? .item : .layout, arguments: argumentNames,
      subject: "\(function), a \(self)")
  }
}

extension SignatureType {
  fileprivate var isWhole: Bool {
    switch self {
    case .u8, .i8, .u16, .i16, .u32, .i32, .u64, .i64: true
    default: false
    }
  }
}
