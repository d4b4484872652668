internal import PushCrypto
public import PushPayload

/// The texts of an app's `Localizable.strings` or `Localizable.xcstrings`, in one language.
///
/// Keys are compared by their UTF-8 bytes, as Foundation does; of a key that a `.strings` file has twice, the
/// last text stays. A file has at most 4 MiB and 100,000 entries.
public struct StringTable: LocalizedStrings, Equatable {
  static let maximumSize = 4 * 1024 * 1024
  static let maximumCount = 100_000

  private var formats: [[UInt8]: [UInt8]] = [:]

  /// Makes an empty table.
  init() {}

  /// Reads a `.strings` file, in UTF-8 or UTF-16, or compiled to a binary property list.
  ///
  /// The text form has entries `"key" = "text";`, or `"key";` for a text that is its key. Both may go without
  /// quotes if they are of letters, digits and `_.$/:-`. Comments are C's. Braces around all of it are
  /// allowed. The escapes are `\n`, `\t`, `\r`, up to three octal digits below `\200`, and `\U` with up to
  /// four hexadecimal digits of a UTF-16 unit; a backslash before anything but a letter or digit stands for
  /// what follows.
  public init(strings file: Span<UInt8>) throws(StringTableError) {
    guard file.count <= Self.maximumSize else { throw .tooLarge }
    let bytes = [UInt8](copying: file)
    if bytes.starts(with: BinaryPropertyList.magic) {
      self = try BinaryPropertyList(bytes).table()
    } else {
      var reader = StringsReader(try StringsReader.units(of: bytes))
      self = try reader.readTable()
    }
  }

  /// Reads a `.xcstrings` catalog of version 1.x, and keeps of each key the text of one language.
  ///
  /// That is the first language, in order of preference, that the key has: as it is named, or without its
  /// last subtags (`de-AT`, then `de`). Case does not matter, and `pt_BR` is `pt-BR`. After the preferred
  /// ones comes the source language; a key that has none of them is its own text. Of variations by device the
  /// iPhone's is taken, or else `other`; of those by plural, `other`.
  public init(catalog file: Span<UInt8>, languages: [String]) throws(StringTableError) {
    guard file.count <= Self.maximumSize else { throw .tooLarge }
    self = try StringCatalog(parsing: file).table(languages: languages)
  }

  /// The text of a key as the translator wrote it; nil if the table lacks it.
  public func format(forKey key: String) -> String? {
    formats[Array(key.utf8)].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Adds a text, in the place of an earlier one of the same key.
  mutating func add(_ format: String, forKey key: String) throws(StringTableError) {
    formats[Array(key.utf8)] = Array(format.utf8)
    guard formats.count <= Self.maximumCount else { throw .tooManyEntries }
  }
}

/// Why a file is not a table of texts, and where.
///
/// Lines are counted from 1. It says nothing of the texts, but a catalog's entry is named by its key.
public enum StringTableError: Error, Equatable, Sendable {
  /// The file is larger than 4 MiB, or its texts are.
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
  /// A backslash before a letter or digit that makes no escape with it.
  ///
  /// `\u00e9` is none: in a `.strings` file it is `\U00e9`, and a device shows the other without its
  /// backslash.
  case invalidEscape(line: Int)
  /// The file is a property list in XML; `plutil -convert strings` makes one that can be read.
  case xmlPropertyList
  /// The file starts as a binary property list and is not a flat dictionary of strings.
  case malformedBinaryPropertyList
  /// A catalog is not strict JSON.
  case json(JSONError.Reason, line: Int)
  /// A catalog has no `version`, or one other than 1.x.
  case unsupportedVersion
  /// A catalog has no `sourceLanguage` or no `strings`, or they are of another type.
  case malformedCatalog
  /// What a catalog says of this key is of another type than the format has there.
  case malformedEntry(key: String)
}
