internal import PushCrypto
internal import PushEnvelope
internal import PushPayload

/// Reads the JSON of a JWK Set, and says which key and which member is at fault.
///
/// A private or shared key goes from the input straight into a secret.
struct KeySetReader: ~Copyable, ~Escapable {
  private let source: Span<UInt8>
  private let isPrivate: Bool
  private let ignoresUnknown: Bool
  private var json: JSONReader

  /// The set's `role`, if it has one.
  private(set) var role: KeyRole?

  /// A private set's `serial`, if it has one.
  private(set) var serial: Int64?

  /// Starts at the first byte of a private or a public set, or of a private key by itself, which may have members
  /// that nothing is known of.
  @_lifetime(copy source)
  init(_ source: Span<UInt8>, isPrivate: Bool, ignoresUnknown: Bool = false) {
    self.source = source
    self.isPrivate = isPrivate
    self.ignoresUnknown = ignoresUnknown
    json = JSONReader(source)
  }

  /// Reads the set whole, handing over the members of key after key.
  mutating func readKeys(
    _ body: (Int, KeyMembers) throws(KeySetError) -> Void
  ) throws(KeySetError) {
    guard try kind() == .object else { throw .notAKeySet }
    try check { (json) throws(JSONError) in try json.beginObject() }
    var hasKeys = false
    while let name = try nextName() {
      switch name {
      case "v": try readVersion()
      case "role": role = try readRole()
      case "serial" where isPrivate: serial = try readSerial()
      case "keys":
        hasKeys = true
        try readArray(body)
      default: try skip(name, ofKey: nil)
      }
    }
    try check { (json) throws(JSONError) in try json.finish() }
    guard hasKeys else { throw .notAKeySet }
  }

  /// Reads a key that is no set's, whole.
  ///
  /// - Throws: ``KeySetError``: ``KeySetError/unknownMember(index:member:)`` without an index for a set.
  mutating func readKey() throws(KeySetError) -> KeyMembers {
    let members = try readMembers(ofKey: 0)
    try check { (json) throws(JSONError) in try json.finish() }
    return members
  }

  private mutating func readVersion() throws(KeySetError) {
    guard case .number(let number) = try value(), number.integer == 1 else { throw .unsupportedVersion }
  }

  private mutating func readRole() throws(KeySetError) -> KeyRole {
    guard let role = try value().string.flatMap(KeyRole.init), role.name != nil else {
      throw .invalidSetMember("role")
    }
    return role
  }

  private mutating func readSerial() throws(KeySetError) -> Int64 {
    guard let serial = try value().number?.integer, (0...KeySetRules.maximumSerial).contains(serial) else {
      throw .invalidSetMember("serial")
    }
    return serial
  }

  private mutating func readArray(
    _ body: (Int, KeyMembers) throws(KeySetError) -> Void
  ) throws(KeySetError) {
    guard try kind() == .array else { throw .notAKeySet }
    try check { (json) throws(JSONError) in try json.beginArray() }
    var index = 0
    while try check({ (json) throws(JSONError) in try json.nextElement() }) {
      guard index < KeySetRules.maximumCount else { throw .tooManyKeys }
      try body(index, try readMembers(ofKey: index))
      index += 1
    }
  }

  private mutating func readMembers(ofKey index: Int) throws(KeySetError) -> KeyMembers {
    guard try kind() == .object else { throw .notAKeySet }
    try check { (json) throws(JSONError) in try json.beginObject() }
    var members = KeyMembers()
    while let name = try nextName() {
      if !isPrivate, KeyMember.privateNames.contains(name) { throw .privateKeyInPublicSet(index: index) }
      guard let member = KeyMember(rawValue: name) else {
        // What is in a set is secret, and is not passed over.
        if ignoresUnknown, name == "keys" { throw .unknownMember(index: nil, member: name) }
        try skip(name, ofKey: index)
        continue
      }
      try read(member, into: &members, ofKey: index)
    }
    return members
  }

  private mutating func read(
    _ member: KeyMember, into members: inout KeyMembers, ofKey index: Int
  ) throws(KeySetError) {
    let invalid = KeySetError.invalidMember(index: index, member: member.rawValue)
    switch (member, try kind()) {
    case (.privateKey, .string), (.sharedKey, .string):
      guard let secret = try readSecret() else { throw invalid }
      members.secrets[member] = secret
    case (.issuedAt, .number), (.notBefore, .number), (.expiresAt, .number):
      guard let seconds = try value().number?.integer, let time = UnixTime(seconds: seconds) else {
        throw invalid
      }
      members.times[member] = time
    case (.privateKey, _), (.sharedKey, _), (.issuedAt, _), (.notBefore, _), (.expiresAt, _): throw invalid
    case (_, .string): members.texts[member] = try check { (json) throws(JSONError) in try json.readString() }
    default: throw invalid
    }
  }

  /// Reads a string as a secret; nil if it is not canonical base64url, or longer than any secret.
  private mutating func readSecret() throws(KeySetError) -> StoredSecret? {
    let range = try check { (json) throws(JSONError) in try json.readSimpleStringRange() }
    // Four characters are three bytes, and one character more is none.
    let size = range.count / 4 * 3 + max(0, range.count % 4 - 1)
    guard (1...KeyAlgorithm.maximumSecretSize).contains(size), range.count % 4 != 1 else { return nil }
    let text = source.extracting(range)
    var isCanonical = true
    let secret = Secret(count: size) { bytes in
      var count = 0
      do {
        try Base64URL.decode(text) { byte in
          bytes[count] = byte
          count += 1
        }
      } catch {
        isCanonical = false
      }
    }
    return isCanonical ? StoredSecret(secret) : nil
  }

  /// Passes over a member that nothing is known of, and refuses it in a private set.
  private mutating func skip(_ name: String, ofKey index: Int?) throws(KeySetError) {
    guard !isPrivate || ignoresUnknown else {
      throw .unknownMember(index: index, member: name.utf8.count <= 20 ? name : "…")
    }
    // It may be secret, and no copy is made.
    try check { (json) throws(JSONError) in try json.skipValue() }
  }

  private mutating func nextName() throws(KeySetError) -> String? {
    try check { (json) throws(JSONError) in try json.nextKey() }
  }

  private mutating func kind() throws(KeySetError) -> JSONKind {
    try check { (json) throws(JSONError) in try json.nextKind() }
  }

  private mutating func value() throws(KeySetError) -> JSONValue {
    try check { (json) throws(JSONError) in try json.readValue() }
  }

  /// One step of the JSON reader, with its error made ours.
  @discardableResult
  private mutating func check<Result>(
    _ step: (inout JSONReader) throws(JSONError) -> Result
  ) throws(KeySetError) -> Result {
    do throws(JSONError) {
      return try step(&json)
    } catch {
      throw .json(error)
    }
  }
}
