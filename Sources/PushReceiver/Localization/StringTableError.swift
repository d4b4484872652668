public import PushPayload

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
