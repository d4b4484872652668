internal import CPostgres
internal import PushStore

/// The server, the database and the user, in libpq's syntax: `postgresql://…` or `host=… sslmode=…`.
///
/// It may contain a password, so nothing shows it: no description, no mirror, no error.
struct ConnectionString: Sendable {
  /// The text, for libpq alone.
  let exposedText: String

  /// What libpq gets before the text, whose values take precedence.
  let security: [(String, String)]

  /// Takes a text that libpq understands.
  ///
  /// - Throws: `StoreError.cannotOpen(place:reason:)`.
  init(_ text: String) throws(StoreError) {
    guard !text.utf8.contains(0), let options = Self.options(in: text) else {
      throw Self.refusal(
        Self.strangeScheme(of: text) ?? Self.strangeParameter(of: text)
          ?? "neither key=value pairs nor a postgresql:// URI, or a character in it is not escaped")
    }
    // libpq reads the rest of a password after an unescaped character as a host, a port or a database, and errors show those.
    let isURI = text.contains("://")
    for (name, value) in options where ["host", "hostaddr", "port", "dbname"].contains(name) {
      guard !value.contains("@") || name == "dbname" && !isURI else {
        throw Self.refusal("its \(name) has an @: percent-encode each @, / and % in the password")
      }
      guard name != "port" || value.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2c }) else {
        throw Self.refusal("its port is not a number")
      }
    }
    exposedText = text
    security = RequiredTLS(for: options).parameters
  }

  /// What is wrong with the scheme of a URI that libpq does not understand; nil if nothing is.
  private static func strangeScheme(of text: String) -> String? {
    guard let end = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<end.lowerBound]
    guard scheme != "postgresql", scheme != "postgres" else { return nil }
    // JDBC's has two parts; in another text, what comes after a colon may be a password.
    let name = scheme.hasPrefix("jdbc:") ? scheme.dropFirst(5) : scheme
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
      ? "it begins with \(scheme)://, and libpq knows only postgresql:// and postgres://" : nil
  }

  /// What is wrong with the parameters of a URI that libpq does not understand; nil if nothing is, or a part of a password
  /// might be shown.
  private static func strangeParameter(of text: String) -> String? {
    guard text.contains("://"), let start = text.lastIndex(of: "?"), !text[start...].contains("@") else {
      return nil
    }
    // What comes after a password may be a part of it.
    let names = text[start...].dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
      .prefix { !$0.hasSuffix("password") }
    // libpq takes JDBC's `ssl` as well.
    let known = knownNames.union(["ssl"])
    let strange = names.first { name in
      !known.contains(String(name))
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }
    return strange.map { "libpq has no parameter '\($0)', which belongs to another program: leave it out" }
  }

  /// The names that libpq knows.
  private static var knownNames: Set<String> {
    guard let list = unsafe PQconndefaults() else { return [] }
    defer { unsafe PQconninfoFree(list) }
    var names: Set<String> = []
    var next = unsafe list
    while let name = unsafe next.pointee.keyword {
      unsafe names.insert(String(cString: name))
      unsafe next += 1
    }
    return names
  }

  /// The options that are set; nil if libpq does not understand the text.
  ///
  /// Its own message would repeat a part of the text, which may be the password's.
  private static func options(in text: String) -> [(name: String, value: String)]? {
    guard let list = unsafe PQconninfoParse(text, nil) else { return nil }
    defer { unsafe PQconninfoFree(list) }
    var options: [(String, String)] = []
    var next = unsafe list
    while let name = unsafe next.pointee.keyword {
      if let value = unsafe next.pointee.val {
        unsafe options.append((String(cString: name), String(cString: value)))
      }
      unsafe next += 1
    }
    return options
  }

  private static func refusal(_ reason: String) -> StoreError {
    .cannotOpen(place: "a store at this address", reason: reason)
  }
}

extension ConnectionString: CustomStringConvertible, CustomReflectable {
  /// Nothing of the text.
  var description: String { "a connection string" }

  /// Nothing of the text.
  var customMirror: Mirror { Mirror(self, children: []) }
}
