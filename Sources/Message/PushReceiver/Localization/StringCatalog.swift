internal import PushCore

/// A `.xcstrings` catalog: the texts of all languages.
struct StringCatalog {
  private let sourceLanguage: String
  private let strings: JSONObject

  init(parsing file: Span<UInt8>) throws(StringTableError) {
    let catalog: JSONObject
    do throws(JSONError) {
      catalog = try JSONObject(parsing: file)
    } catch {
      throw .json(error.reason, line: Self.line(at: error.offset, of: file))
    }
    guard let version = catalog["version"]?.string, Self.isSupported(version) else {
      throw .unsupportedVersion
    }
    guard let sourceLanguage = catalog["sourceLanguage"]?.string,
      let strings = catalog["strings"]?.object
    else { throw .malformedCatalog }
    self.sourceLanguage = sourceLanguage
    self.strings = strings
  }

  /// The texts of each key's best language.
  func table(languages: [String]) throws(StringTableError) -> StringTable {
    let candidates = LanguageTag.candidates(for: languages + [sourceLanguage])
    var table = StringTable()
    for (key, entry) in strings {
      let localizations = try Self.localizations(of: entry, key: key)
      var format: String?
      for candidate in candidates where format == nil {
        guard let localization = localizations[candidate] else { continue }
        format = try Self.format(of: localization, key: key)
      }
      try table.add(format ?? key, forKey: key)
    }
    return table
  }

  private static func localizations(
    of entry: JSONValue, key: String
  ) throws(StringTableError) -> [LanguageTag: JSONValue] {
    let object = try object(of: entry, key: key)
    var localizations: [LanguageTag: JSONValue] = [:]
    guard let value = object["localizations"] else { return [:] }
    for (language, localization) in try Self.object(of: value, key: key) {
      localizations[LanguageTag(language)] = localization
    }
    return localizations
  }

  /// The text of one language; nil if it has none that a notification can show.
  private static func format(of localization: JSONValue, key: String) throws(StringTableError) -> String? {
    var object = try object(of: localization, key: key)
    // A device's variation may hold variations by plural; the depth of JSON bounds this.
    while true {
      if let unit = object["stringUnit"] {
        guard let format = try Self.object(of: unit, key: key)["value"]?.string else {
          throw .malformedEntry(key: key)
        }
        return format
      }
      guard let variations = object["variations"] else { return nil }
      guard let next = try variation(of: Self.object(of: variations, key: key), key: key) else { return nil }
      object = try Self.object(of: next, key: key)
    }
  }

  private static func variation(
    of variations: JSONObject, key: String
  ) throws(StringTableError) -> JSONValue? {
    if let devices = variations["device"] {
      let devices = try object(of: devices, key: key)
      return devices["iphone"] ?? devices["other"]
    }
    guard let plurals = variations["plural"] else { return nil }
    return try object(of: plurals, key: key)["other"]
  }

  private static func object(of value: JSONValue, key: String) throws(StringTableError) -> JSONObject {
    guard let object = value.object else { throw .malformedEntry(key: key) }
    return object
  }

  private static func isSupported(_ version: String) -> Bool {
    let digits = version.utf8.dropFirst(2)
    return version.utf8.starts(with: "1.".utf8) && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func line(at offset: Int, of file: Span<UInt8>) -> Int {
    (0..<min(offset, file.count)).reduce(1) { $0 + (file[$1] == UInt8(ascii: "\n") ? 1 : 0) }
  }
}

/// A language's name (`de`, `pt-BR`, `zh_Hant_TW`), compared without regard to case and separator.
private struct LanguageTag: Hashable {
  private let bytes: [UInt8]

  init(_ name: String) {
    bytes = name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "_"): UInt8(ascii: "-")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: byte
      }
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// A longer name is not a language, and has no parent.
  private static let maximumSize = 64

  /// The language without its last subtag; nil if it has only one.
  private var parent: LanguageTag? {
    guard bytes.count <= Self.maximumSize else { return nil }
    return bytes.lastIndex(of: UInt8(ascii: "-")).map { LanguageTag(bytes: Array(bytes[..<$0])) }
  }

  /// The languages and their fallbacks, in order of preference.
  static func candidates(for names: [String]) -> [LanguageTag] {
    var candidates: [LanguageTag] = []
    for name in names {
      var tag: LanguageTag? = LanguageTag(name)
      while let candidate = tag {
        if !candidates.contains(candidate) { candidates.append(candidate) }
        tag = candidate.parent
      }
    }
    return candidates
  }
}
