internal import CPostgres
internal import PushStore

/// The server, the database and the user, in libpq's syntax: `postgresql://…` or `host=… sslmode=…`.
///
/// It may contain a password, so nothing shows it: no description, no mirror, no error.
struct ConnectionString: Sendable {
  /// The text, for libpq alone.
  let exposedText: String

  /// Takes a text that libpq understands.
  ///
  /// - Throws: `StoreError.cannotOpen(place:reason:)`.
  init(_ text: String) throws(StoreError) {
    guard !text.utf8.contains(0), let options = Self.options(in: text) else {
      throw Self.refusal(
        "neither key=value pairs nor a postgresql:// URI, or a character in it is not escaped")
    }
    // libpq reads the rest of a password after an unescaped character as a host, a port or a database, and errors show those.
    let isURI = text.contains("://")
    for (name, value) in options where ["host", "hostaddr", "port", "dbname"].contains(name) {
      guard !value.contains("@") || name == "dbname" && !isURI else {
        throw Self.refusal("its \(name) has an @: percent-encode each @, / and % in the password")
      }
      guard name != "port" || value.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2c }) else {
        throw Self.refusal("its port is no number")
      }
    }
    exposedText = text
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
    .cannotOpen(place: "the connection string", reason: reason)
  }
}

extension ConnectionString: CustomStringConvertible, CustomReflectable {
  /// Nothing of the text.
  var description: String { "a connection string" }

  /// Nothing of the text.
  var customMirror: Mirror { Mirror(self, children: []) }
}
