internal import PushCrypto
internal import PushFiles
public import PushCore

/// The texts of an app's `Localizable.strings` or `Localizable.xcstrings`, in one language.
///
/// Keys are compared by their UTF-8 bytes, as in Foundation. If a `.strings` file has a key twice, the last text
/// wins. A file has at most 4 MiB and 100,000 entries.
public struct StringTable: LocalizedStrings, Equatable {
  /// The most bytes of a file: 4 MiB.
  package static let maximumSize = 4 * 1024 * 1024
  /// The most entries of a file.
  package static let maximumCount = 100_000

  private var formats: [[UInt8]: [UInt8]] = [:]

  /// Makes an empty table.
  init() {}

  /// Reads a `.strings` file, in UTF-8 or UTF-16, or compiled to a binary property list.
  ///
  /// The text form has entries `"key" = "text";`, or `"key";` for a text that is its key. Quotes may
  /// be omitted around letters, digits and `_.$/:-`. Comments are as in C. Braces around the whole file are
  /// allowed. The escapes are `\n`, `\t`, `\r`, up to three octal digits below `\200`, and `\U` with up to
  /// four hexadecimal digits of a UTF-16 unit; a backslash before anything but a letter or digit stands for
  /// the character after it.
  public init(strings file: Span<UInt8>) throws(StringTableError) {
    guard file.count <= Self.maximumSize else { throw .tooLarge }
    let bytes = [UInt8](copying: file)
    if bytes.starts(with: BinaryPropertyList.magic) {
      self = try BinaryPropertyList(parsing: bytes).table()
    } else {
      var reader = StringsReader(units: try StringsReader.units(of: bytes))
      self = try reader.readTable()
    }
  }

  /// Reads a `.xcstrings` catalog of version 1.x, and keeps each key's text in one language.
  ///
  /// That is the first of `languages` in which the key has a text, either as named or without its last subtags
  /// (`de-AT`, then `de`). Case does not matter, and `pt_BR` is `pt-BR`. After the preferred languages comes the source
  /// language. A key without a text in any of these is its own text. Among variations by device it takes the iPhone's,
  /// or else `other`; among variations by plural, `other`.
  public init(catalog file: Span<UInt8>, languages: [String]) throws(StringTableError) {
    guard file.count <= Self.maximumSize else { throw .tooLarge }
    self = try StringCatalog(parsing: file).table(languages: languages)
  }

  /// The text of a key as the translator wrote it; nil if the table lacks it.
  public func format(forKey key: String) -> String? {
    formats[Array(key.utf8)].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Adds a text, replacing an earlier one with the same key.
  mutating func add(_ format: String, forKey key: String) throws(StringTableError) {
    formats[Array(key.utf8)] = Array(format.utf8)
    guard formats.count <= Self.maximumCount else { throw .tooManyEntries }
  }
}

/// Why a file is not a valid table of texts, and where.
///
/// Lines are counted from 1. An error never contains a text, but it names a catalog's entry by its key.
public enum StringTableError: Error, Equatable, Sendable {
  /// The file or its texts have more than 4 MiB.
  case tooLarge
  /// There are more than 100,000 entries.
  case tooManyEntries
  /// The file is neither UTF-8 nor UTF-16; the line is the one that breaks the encoding.
  case invalidText(line: Int)
  /// A character that the grammar does not allow here.
  case unexpectedCharacter(line: Int)
  /// The file ends inside the entry, quoted text, comment or braces that begin on this line.
  case unexpectedEnd(line: Int)
  /// No `;` follows the text that ends on this line.
  case missingSemicolon(line: Int)
  /// A backslash before a letter or digit that does not form an escape.
  ///
  /// `\u00e9` is not an escape: a `.strings` file needs `\U00e9`, and a device shows the former without its
  /// backslash.
  case invalidEscape(line: Int)
  /// The file is an XML property list; `plutil -convert binary1` converts it to a format that can be read.
  case xmlPropertyList
  /// The file starts like a binary property list, but is not a flat dictionary of strings.
  case malformedBinaryPropertyList
  /// A catalog is not strict JSON.
  case json(JSONError.Reason, line: Int)
  /// A catalog has no `version`, or its version is not 1.x.
  case unsupportedVersion
  /// A catalog has no `sourceLanguage` or no `strings`, or one of them has the wrong type.
  case malformedCatalog
  /// A catalog's entry for this key contains a value of the wrong type.
  case malformedEntry(key: String)
}

extension StringTableError: CustomStringConvertible {
  /// The line, and what is wrong.
  public var description: String { "\(line.map { "line \($0)" } ?? "table of texts"): \(reason)" }

  /// What is wrong, after the line.
  package var reason: String {
    switch self {
    case .tooLarge: "it has more than \(StringTable.maximumSize) bytes"
    case .tooManyEntries: "it has more than \(StringTable.maximumCount) entries"
    case .invalidText: "this is neither UTF-8 nor UTF-16"
    case .unexpectedCharacter: "this is not an entry of a .strings file"
    case .unexpectedEnd: "what begins here has no end"
    case .missingSemicolon: "a semicolon is missing after the text"
    case .invalidEscape: "the backslash does not begin a valid escape"
    case .xmlPropertyList: "it is an XML property list, which sealpush does not read"
    case .malformedBinaryPropertyList: "it is not a property list that has only texts"
    case .json(let reason, _): "not strict JSON: \(reason.rawValue)"
    case .unsupportedVersion: "it is not a String Catalog of version 1"
    case .malformedCatalog: "it is not a String Catalog: 'sourceLanguage' or 'strings' is missing or wrong"
    case .malformedEntry(let key): "the entry '\(Self.shown(key))' is malformed"
    }
  }

  /// The line, from 1; nil if the error is not about one.
  package var line: Int? {
    switch self {
    case .invalidText(let line), .unexpectedCharacter(let line), .unexpectedEnd(let line),
      .missingSemicolon(let line), .invalidEscape(let line), .json(_, let line):
      line
    case .tooLarge, .tooManyEntries, .xmlPropertyList, .malformedBinaryPropertyList, .unsupportedVersion,
      .malformedCatalog, .malformedEntry:
      nil
    }
  }

  /// The beginning of a key, which may be as long as its file.
  private static func shown(_ key: String) -> String {
    PrintableText.escaped(String(String.UnicodeScalarView(key.unicodeScalars.prefix(60))))
  }
}
