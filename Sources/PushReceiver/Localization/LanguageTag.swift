/// A language's name (`de`, `pt-BR`, `zh_Hant_TW`), without regard to case and to which separator it has.
struct LanguageTag: Hashable {
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

  /// Longer names are none of a language, and have no parent.
  private static let maximumSize = 64

  /// The language without its last subtag; null if it has one alone.
  private var parent: LanguageTag? {
    guard bytes.count <= Self.maximumSize else { return nil }
    return bytes.lastIndex(of: UInt8(ascii: "-")).map { LanguageTag(bytes: Array(bytes[..<$0])) }
  }

  /// The languages and what each falls back to, in order of preference.
  static func candidates(_ names: [String]) -> [LanguageTag] {
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
