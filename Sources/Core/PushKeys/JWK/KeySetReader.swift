internal import PushCrypto
internal import PushCore

/// Parses the JSON of a JWK Set.
///
/// Errors name the key and the member. Private and shared keys are decoded from the input directly into secrets.
struct KeySetReader: ~Copyable, ~Escapable {
  private let source: Span<UInt8>
  private let isPrivate: Bool
  private let ignoresUnknown: Bool
  private let vault: (any KeyVault)?
  private var json: JSONReader

  /// The set's `role`, if it has one.
  private(set) var role: KeyRole?

  /// A private set's `serial`, if it has one.
  private(set) var serial: Int64?

  /// Starts at the first byte of a private or public set, or of a single private key, which may have unknown members.
  ///
  /// With a `vault`, a key may have a `handle`.
  @_lifetime(copy source)
  init(_ source: Span<UInt8>, isPrivate: Bool, ignoresUnknown: Bool = false, vault: (any KeyVault)? = nil) {
    self.source = source
    self.isPrivate = isPrivate
    self.ignoresUnknown = ignoresUnknown
    self.vault = vault
    json = JSONReader(source)
  }

  /// Reads the whole set, and calls `body` with the index and the members of each key.
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

  /// Reads a single key that is not in a set.
  ///
  /// - Throws: ``KeySetError``; ``KeySetError/unknownMember(index:member:)`` with index `nil` if the input is a set.
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
      let member = KeyMember(rawValue: name).flatMap { $0 == .handle && vault == nil ? nil : $0 }
      if !isPrivate, member?.isPrivate ?? KeyMember.otherPrivateNames.contains(name) {
        throw .privateKeyInPublicSet(index: index)
      }
      guard let member else {
        // The input is a set: do not skip over its secrets.
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
    var invalid: KeySetError { .invalidMember(index: index, member: member.rawValue) }
    switch (member, try kind()) {
    case (.privateKey, .string), (.sharedKey, .string), (.seed, .string):
      guard let secret = try readSecret() else { throw invalid }
      members.secrets[member] = secret
    case (.handle, .string):
      let text = try check { (json) throws(JSONError) in try json.readString() }
      guard let vault, text.utf8.count <= Base64URL.encodedSize(of: HardwareKey.maximumHandleSize),
        let handle = try? Base64URL.decode(text), !handle.isEmpty
      else { throw invalid }
      members.hardware = HardwareKey(vault: vault, handle: handle)
    case (.issuedAt, .number), (.notBefore, .number), (.expiresAt, .number):
      guard let seconds = try value().number?.integer, let time = UnixTime(seconds: seconds) else {
        throw invalid
      }
      members.times[member] = time
    case (.privateKey, _), (.sharedKey, _), (.seed, _), (.issuedAt, _), (.notBefore, _), (.expiresAt, _):
      throw invalid
    case (_, .string): members.texts[member] = try check { (json) throws(JSONError) in try json.readString() }
    default: throw invalid
    }
  }

  /// Reads a string as a secret; nil if it is not canonical base64url, or longer than any secret.
  private mutating func readSecret() throws(KeySetError) -> StoredSecret? {
    let range = try check { (json) throws(JSONError) in try json.readSimpleStringRange() }
    // Four characters encode three bytes; one leftover character encodes none.
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

  /// Skips an unknown member, or rejects it in a private set.
  private mutating func skip(_ name: String, ofKey index: Int?) throws(KeySetError) {
    guard !isPrivate || ignoresUnknown else {
      throw .unknownMember(index: index, member: name.utf8.count <= 20 ? name : "…")
    }
    // The value may be secret, so make no copy.
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

  /// Runs one step of the JSON reader, and converts its error.
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
