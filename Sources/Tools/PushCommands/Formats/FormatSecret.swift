import PushCrypto
import PushFiles
import PushKeys
import PushCore

/// A file with a secret, such as that of `--secret`, wiped at the end of its life.
package struct FormatSecret: ~Copyable {
  /// Its path.
  package let path: String

  private let contents: FileContents

  /// Reads the file, to which, as to a key file, only its owner may have access.
  package init(from arguments: Arguments, option: Option<String> = .secret) throws(ToolError) {
    try self.init(path: arguments.file(option))
  }

  /// Reads the file at a path, to which only its owner may have access.
  package init(path: String) throws(ToolError) {
    try self.init(from: .file(path), what: "a secret")
  }

  /// Reads a file, to which only its owner may have access, or a descriptor to its end; errors call it `what`.
  package init(from source: KeySource, what: String) throws(ToolError) {
    let path = source.name
    if case .descriptor(let descriptor) = source { try descriptor.check(for: what) }
    do throws(KeyFileError) {
      switch source {
      case .file(let path): contents = try SecretFile(path: path).read()
      case .descriptor(let descriptor):
        contents = try SecretFile.read(descriptor: descriptor.number, named: path)
      }
    } catch {
      switch error.fault {
      case .keySet(.empty): throw ToolError(.badData, "\(path) is empty")
      case .file(.tooLarge): throw ToolError(.badData, "\(path) is larger than any key or password")
      default: throw KeyFileFailure.describe(error)
      }
    }
    self.path = path
  }

  /// All of it.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { contents.bytes }
  }

  /// All of it, without the line break at its end.
  var line: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      var count = contents.bytes.count
      if count > 0, contents.bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
      if count < contents.bytes.count, count > 0, contents.bytes[count - 1] == UInt8(ascii: "\r") {
        count -= 1
      }
      return contents.bytes.extracting(0..<count)
    }
  }

  /// Returns what `read` makes of the file's only line.
  package func read<Value>(
    as what: String, hint: String? = nil, read: (Span<UInt8>) -> Value?
  ) throws(ToolError) -> Value {
    let line = line
    for index in line.indices where line[index] == UInt8(ascii: "\n") {
      throw ToolError(
        .badData, "\(path) has several lines, but must be \(what)", hint: "write one line only")
    }
    guard let value = read(line) else { throw ToolError(.badData, "\(path) is not \(what)", hint: hint) }
    return value
  }

  /// Returns what `read` makes of two string members of a JSON object, or of the object in its member `holder`.
  func read<Value>(
    _ first: String, _ second: String, within holder: String? = nil, as what: String,
    read: (Span<UInt8>, Span<UInt8>) -> Value?
  ) throws(ToolError) -> Value {
    guard let members = try? SecretMembers(parsing: bytes, texts: [first, second], holder: holder),
      let one = members.texts[first], let other = members.texts[second],
      let value = read(one.exposedBytes, other.exposedBytes)
    else { throw wrong(what) }
    return value
  }

  /// Returns what `read` makes of a number and a string in a JSON object.
  func read<Value>(
    number: String, text: String, as what: String, read: (Int64, Span<UInt8>) -> Value?
  ) throws(ToolError) -> Value {
    guard let members = try? SecretMembers(parsing: bytes, texts: [text], number: number),
      let number = members.numbers[number], let text = members.texts[text],
      let value = read(number, text.exposedBytes)
    else { throw wrong(what) }
    return value
  }

  private func wrong(_ what: String) -> ToolError { ToolError(.badData, "\(path) is not \(what)") }
}

/// The members of a JSON object that a secret consists of, in memory that is wiped.
///
/// Other members are skipped without being copied.
struct SecretMembers {
  private(set) var texts: [String: SharedSecret] = [:]
  private(set) var numbers: [String: Int64] = [:]

  /// Reads the strings and the number under these names; they may also be in the object under `holder`.
  ///
  /// A name that occurs in both objects is a duplicate.
  init(
    parsing bytes: Span<UInt8>, texts names: [String], number: String? = nil, holder: String? = nil
  ) throws(JSONError) {
    var json = JSONReader(bytes)
    try json.beginObject()
    while let name = try json.nextKey() {
      guard name == holder, try json.nextKind() == .object else {
        try read(name, from: &json, bytes: bytes, texts: names, number: number)
        continue
      }
      try json.beginObject()
      while let name = try json.nextKey() {
        try read(name, from: &json, bytes: bytes, texts: names, number: number)
      }
    }
    try json.finish()
  }

  private mutating func read(
    _ name: String, from json: inout JSONReader, bytes: Span<UInt8>, texts names: [String], number: String?
  ) throws(JSONError) {
    switch try json.nextKind() {
    case .string where names.contains(name):
      let start = json.offset
      guard texts[name] == nil else { throw JSONError(.duplicateKey, at: start) }
      var count = 0
      try json.readString { _ in count += 1 }
      texts[name] = Self.secret(from: bytes.extracting(start..<json.offset), count: count)
    case .number where name == number:
      guard numbers[name] == nil else { throw JSONError(.duplicateKey, at: json.offset) }
      numbers[name] = try json.readValue().number?.integer
    default: try json.skipValue()
    }
  }

  /// The `count` bytes of a string that has been read before.
  private static func secret(from string: Span<UInt8>, count: Int) -> SharedSecret {
    SharedSecret(
      Secret(count: count) { bytes in
        var position = 0
        var json = JSONReader(string)
        try? json.readString { byte in
          bytes[position] = byte
          position += 1
        }
      })
  }
}
