import Foundation

/// A JSON document or a part of one, with bools and numbers told apart.
public enum JSONValue: Equatable, Sendable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A finite number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Named values.
  case object([String: JSONValue])

  /// Parses a document with Foundation's decoder, which bounds its nesting.
  ///
  /// Throws `.invalidInput` where the bytes are not JSON or hold a number that no double can
  /// represent; `name` stands for the document in the sentence. O(bytes).
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    let data = Data(bytes)
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: data)
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      let path = context.codingPath.reduce("") { path, key in
        key.intValue.map { "\(path)[\($0)]" }
          ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
      }
      throw HostError(
        .invalidInput,
        "\(path) in \(name) is a number too large or too small for a double; use another")
    } catch {
      throw HostError(.invalidInput, "\(name) is not JSON: \(Self.complaint(about: data))")
    }
  }

  /// What is wrong with bytes that are not JSON; only the older parser of Foundation tells.
  private static func complaint(about data: Data) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    } catch let error as NSError {
      if let text = error.userInfo[NSDebugDescriptionErrorKey] as? String {
        return text.prefix(1).lowercased()
          + (text.last == "." ? text.dropLast() : text[...])
          .dropFirst()
      }
    }
    return "expected an object in UTF-8"
  }

  /// What a person would call the value, for errors: "the text "abc"", "a list of 3".
  var found: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "the number \(format(value))"
    case .string(let text): "the text \(quoted(text))"
    case .array(let values): "a list of \(values.count)"
    case .object(let values): "an object with \(counted(values.count, "key"))"
    }
  }
}

extension JSONValue: Decodable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes any value; numbers and lists are tried first, since there may be a million of them.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let number = try? single.decode(Double.self) {
      self = .number(number)
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      values.reserveCapacity(list.count ?? 0)
      while !list.isAtEnd { values.append(try list.decode(JSONValue.self)) }
      self = .array(values)
    } else if let text = try? single.decode(String.self) {
      self = .string(text)
    } else if let keyed = try? decoder.container(keyedBy: Key.self) {
      var values: [String: JSONValue] = [:]
      for key in keyed.allKeys {
        values[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key)
      }
      self = .object(values)
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if single.decodeNil() {
      self = .null
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not representable"))
    }
  }
}
