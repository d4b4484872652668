public import PushKeys
public import PushCore

/// A backend's record of a device: its identity, its newest enrolment, and which keys and token are proven or pending.
///
/// The identity never changes. A new or erased phone is a new registration, which the app's own login must authorize.
///
/// A key or token that is new to the registration is *pending* at first, because anyone can enrol another device's public
/// key or token. The device proves it by answering the request in ``pending``. Messages are sealed only to ``proven``,
/// which stays as it is until the new enrolment is proven.
public struct Registration: Sendable {
  /// The maximum size of a name, in bytes.
  public static let maximumNameSize = 255

  /// The maximum size of a line of JSON, in bytes: 64 KiB.
  public static let maximumLineSize = 1 << 16

  /// The backend's own name for the registration.
  ///
  /// Names are compared byte by byte.
  public let name: String

  /// How many persons a device can belong to.
  public static let maximumPersons = 16

  /// The backend's own names for the persons who have the device, in the order of their bytes; empty if nobody knows.
  ///
  /// The device cannot choose them, and does not know them.
  public private(set) var persons: [String] = []

  /// The backend's own name for the person who alone has the device; nil if nobody knows, or if there are several.
  public var person: String? { persons.count == 1 ? persons.first : nil }

  /// The device's newest enrolment.
  public private(set) var enrolment: Enrolment

  /// The enrolment to seal to; nil if nothing is proven.
  public private(set) var proven: ProvenEnrolment?

  /// The request for the newest enrolment, if it is pending.
  private var asked: Asked?

  private struct Asked: Hashable {
    let proof: Proof
    let possession: Possession
    let key: Thumbprint
  }

  /// Whether a login stands behind what is pending, so that it may take what other registrations have proven.
  package private(set) var isClaim = false

  /// The thumbprint of the device's identity.
  public var identity: Thumbprint { enrolment.identity.thumbprint }

  /// Registers a device with its first enrolment, which is pending.
  ///
  /// The device must repeat `proof`, which is random unless a test sets it.
  ///
  /// - Throws: ``SignedSetError/malformedEnrolment`` unless ``isName(_:)`` is true; ``SignedSetError/otherAudience`` if
  ///   the enrolment names no backend.
  public init(
    name: String, enrolment: Enrolment, proving possession: Possession = .keyAndToken,
    proof: Proof = .random()
  ) throws(SignedSetError) {
    guard Self.isName(name) else { throw .malformedEnrolment }
    guard enrolment.audience != nil else { throw .otherAudience }
    self.name = name
    self.enrolment = enrolment
    asked = key(toAskFor: enrolment.usableKeys).map {
      Asked(proof: proof, possession: possession, key: $0)
    }
  }

  /// Registers a device that has proven the same keys and token as `other`, with a newer enrolment: FORMAT.md, [11.23].
  ///
  /// It is the same phone with another account: nothing is left to prove. Nil if something is.
  ///
  /// - Throws: The errors of ``init(name:enrolment:proving:proof:)``.
  init?(name: String, enrolment: Enrolment, movedFrom other: Registration) throws(SignedSetError) {
    guard let theirs = other.proven, theirs.hasToken, theirs.enrolment.address == enrolment.address,
      enrolment.activeKeys.allSatisfy({ theirs.has($0.id) })
    else { return nil }
    try self.init(name: name, enrolment: enrolment)
    proven = ProvenEnrolment(enrolment: enrolment, keys: enrolment.activeKeys, hasToken: true)
    asked = nil
  }

  /// Lets what is pending take what other registrations have proven, because a login stands behind it.
  mutating func claim() { isClaim = asked != nil }

  /// Accepts a later enrolment of the same device: FORMAT.md, [11.14], [11.15] and [11.18].
  ///
  /// If the change is ``Registrations/Change/pending``, send ``pending``'s request. `possession` says what the device must
  /// prove; `proof` is the next proof to ask for, which is random unless a test sets it.
  ///
  /// - Throws: ``SignedSetError/otherIdentity``, ``SignedSetError/otherTopic``,
  ///   ``SignedSetError/olderSerial(last:)``, ``SignedSetError/sameSerial``, ``SignedSetError/otherAudience`` if the
  ///   enrolment names no backend, ``SignedSetError/tooLarge`` if the line would be. The registration is unchanged then.
  @discardableResult
  public mutating func update(
    with enrolment: Enrolment, proving possession: Possession = .keyAndToken, proof: Proof = .random()
  ) throws(SignedSetError) -> Registrations.Change {
    try enrolment.check(follows: self.enrolment)
    guard enrolment.audience != nil else { throw .otherAudience }
    var changed = self
    changed.settle(enrolment, proving: possession, proof: proof)
    guard changed.encoded().count <= Self.maximumLineSize else { throw .tooLarge }
    defer { self = changed }
    if changed.asked != nil { return .pending }
    if proven == nil { return .registered }
    return changed == self ? .unchanged : .updated
  }

  /// Records which person has the device; nil if nobody knows.
  ///
  /// - Throws: ``SignedSetError/malformedEnrolment`` if ``isName(_:)`` is false for the person;
  ///   ``SignedSetError/tooLarge`` if the line would be. The registration is unchanged then.
  public mutating func assign(to person: String?) throws(SignedSetError) {
    try setPersons(person.map { [$0] } ?? [])
  }

  /// Records that the device belongs to this person, too: FORMAT.md, [11.24].
  ///
  /// - Throws: As ``assign(to:)``; ``SignedSetError/tooManyPersons`` if it would belong to more than ``maximumPersons``.
  public mutating func join(_ person: String) throws(SignedSetError) {
    guard !isOf(person) else { return }
    guard persons.count < Self.maximumPersons else { throw .tooManyPersons }
    try setPersons((persons + [person]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  /// Records that the device belongs to this person no longer, and returns whether it did.
  ///
  /// If nobody else is left, remove the registration.
  @discardableResult
  public mutating func leave(_ person: String) -> Bool {
    defer { persons.removeAll { ExactString($0) == ExactString(person) } }
    return isOf(person)
  }

  /// Whether the device belongs to this person.
  public func isOf(_ person: String) -> Bool { persons.contains { ExactString($0) == ExactString(person) } }

  /// Keeps those persons who are in the list.
  package mutating func keep(personsIn list: [String]) {
    let kept = Set(list.map(ExactString.init))
    persons.removeAll { !kept.contains(ExactString($0)) }
  }

  /// Takes the persons of the registration before.
  mutating func takePersons(of old: Registration) throws(SignedSetError) { try setPersons(old.persons) }

  private mutating func setPersons(_ names: [String]) throws(SignedSetError) {
    guard names.allSatisfy(Self.isName) else { throw .malformedEnrolment }
    var changed = self
    changed.persons = names
    guard changed.encoded().count <= Self.maximumLineSize else { throw .tooLarge }
    self = changed
  }

  /// Stores a new enrolment, and updates what is proven and pending: FORMAT.md, [11.18].
  private mutating func settle(_ new: Enrolment, proving possession: Possession, proof next: Proof) {
    let isRepeated = new.isAlike(enrolment) && asked?.possession == possession
    let answered = isRepeated && new.proof != nil && new.proof == asked?.proof ? asked?.key : nil
    let keys = new.activeKeys.filter { $0.id == answered || proven?.has($0.id) == true }
    let hasToken =
      answered != nil && possession == .keyAndToken
      || proven.map { $0.hasToken && $0.enrolment.address == new.address } ?? false
    // At least one key must be proven, or nothing could be sealed to the enrolment.
    let isWhole = !keys.isEmpty && new.usableKeys.allSatisfy { keys.contains($0) }
    let isProven = (isWhole || answered != nil) && (hasToken || possession == .keyAlone)
    if isProven { proven = ProvenEnrolment(enrolment: new, keys: keys, hasToken: hasToken) }
    enrolment = new
    if isProven && isWhole {
      asked = nil
      isClaim = false
    } else if !isRepeated || answered != nil || !canAsk(for: asked?.key) {
      asked = key(toAskFor: new.usableKeys).map { Asked(proof: next, possession: possession, key: $0) }
    }
  }

  /// Whether a request for this key can be sealed, or for no active key at all.
  private func canAsk(for key: Thumbprint?) -> Bool {
    let usable = enrolment.usableKeys
    return usable.isEmpty || usable.contains { $0.id == key }
  }

  /// The key to ask for: the first of `keys` that is not proven or, for a new token, the preferred one.
  ///
  /// If `keys` is empty, it is an active key whose suite this system lacks, and the request waits.
  private func key(toAskFor keys: [KeyRecord]) -> Thumbprint? {
    let keys = keys.isEmpty ? enrolment.activeKeys : keys
    return (keys.first { proven?.has($0.id) != true } ?? keys.first)?.id
  }

  /// The request that the device must answer; nil if nothing is pending.
  public var pending: PendingProof? {
    guard let asked, let audience = enrolment.audience,
      let key = enrolment.activeKeys.first(where: { $0.id == asked.key }),
      let recipient = key.publicKey.flatMap(Recipient.init)
    else { return nil }
    return PendingProof(
      request: ProofRequest(audience: audience, identity: identity, proof: asked.proof),
      recipient: recipient, address: enrolment.address, possession: asked.possession)
  }

  /// Whether the device must prove something, be it by a request that this system cannot seal.
  package var isPending: Bool { asked != nil }

  /// The registration without its pending request, whose proof takes a token: for a copy that others may read.
  ///
  /// The device's next enrolment is asked for a proof again.
  public var withoutRequest: Registration {
    var copy = self
    (copy.asked, copy.isClaim) = (nil, false)
    return copy
  }

  /// Gives up what another registration has proven, and a request for it: FORMAT.md, [11.18].
  ///
  /// Returns whether that changed anything. A registration that has the identity of `winner` is over: remove it, if
  /// ``isSuperseded(by:)`` says so.
  ///
  /// A backend with a database calls it for each registration that has the identity, a key or the token of `winner`.
  @discardableResult
  public mutating func yield(to winner: Registration) -> Bool {
    guard let theirs = winner.proven, winner.key != key else { return false }
    let before = self
    let token = theirs.hasToken ? theirs.enrolment.address.token : nil
    let ids = Set(theirs.keys.records.map(\.id.keyID))
    if let own = proven,
      own.enrolment.address.token == token || own.keys.records.contains(where: { ids.contains($0.id.keyID) })
    {
      proven = nil
    }
    if winner.identity == identity || enrolment.address.token == token
      || enrolment.activeKeys.contains(where: { ids.contains($0.id.keyID) })
    {
      (asked, isClaim) = (nil, false)
    }
    return self != before
  }

  /// Gives up what is proven, because APNs no longer accepts its token (status 410), and returns whether anything was.
  ///
  /// Nothing is sealed to the registration until its device has proven a key and a token again, be it the same ones. Its
  /// identity and serial stay, and so does what is pending.
  @discardableResult
  public mutating func unregister() -> Bool {
    defer { proven = nil }
    return proven != nil
  }

  /// Whether this registration has proven something by its answer to the request that `old` had pending.
  package func hasAnswered(_ old: Registration) -> Bool {
    old.asked != nil && enrolment.proof == old.asked?.proof && proven?.enrolment == enrolment
  }

  /// Whether another registration has proven the same identity: the phone belongs to that one.
  public func isSuperseded(by winner: Registration) -> Bool {
    winner.proven != nil && winner.key != key && winner.identity == identity && proven != nil
  }

  /// Whether APNs' answer that the device's token was no longer valid at `time` (status 410, `timestamp`) is about this
  /// registration.
  ///
  /// It is not if the device has enrolled in that second or since, because an app that is installed again may get the
  /// same token. The time of enrolment is the device's (``Enrolment/issuedAt``).
  public func isUnregistered(at time: UnixTime) -> Bool { enrolment.issuedAt < time }

  /// Whether a text can be a name: 1 to 255 bytes of UTF-8 without control characters.
  public static func isName(_ text: String) -> Bool {
    (1...maximumNameSize).contains(text.utf8.count) && !text.hasControlCharacters
  }

  /// Whether this is its name, byte by byte.
  package func isNamed(_ name: String) -> Bool { key == ExactString(name) }

  /// The key for lookups by name.
  var key: ExactString { ExactString(name) }
}

extension Registration {
  /// Parses a registration from JSON, and verifies the device's signatures again: FORMAT.md, [11.17].
  ///
  /// `services` are those through which the backend delivers: [11.38].
  ///
  /// - Throws: ``SignedSetError``.
  public init(
    parsing line: Span<UInt8>, services: Set<PushService> = [.apns]
  ) throws(SignedSetError) {
    guard line.count <= Self.maximumLineSize else { throw .tooLarge }
    guard let object = try? JSONObject(parsing: line) else { throw .malformedEnrolment }
    let enrolment = try Enrolment(
      verifying: object, and: ["registration", "identity"],
      optional: ["person", "persons", "proven", "pending"], services: services)
    guard let name = object["registration"]?.string, Self.isName(name) else { throw .malformedEnrolment }
    guard object["identity"] == .string(enrolment.identity.thumbprint.text) else { throw .otherIdentity }
    self.name = name
    self.enrolment = enrolment
    persons = try Self.persons(in: object)
    switch object["proven"] {
    // Stored before proofs existed: sealers have used all keys and the token.
    case nil: proven = ProvenEnrolment(enrolment: enrolment, keys: enrolment.activeKeys, hasToken: true)
    case .null: proven = nil
    case .object(let object):
      let earlier = try ProvenEnrolment(parsing: object, upTo: enrolment)
      guard services.contains(earlier.enrolment.address.service) else { throw .unsupportedService }
      proven = earlier
    default: throw .malformedEnrolment
    }
    guard let pending = object["pending"] else { return }
    guard object["proven"] != nil, enrolment.audience != nil, let members = pending.object,
      members.keys.allSatisfy({ ["proof", "token", "kid", "claim"].contains($0) }),
      members["claim"] == nil || members["claim"] == .boolean(true),
      let proof = members["proof"]?.string.flatMap({ try? Proof($0) }),
      case .boolean(let provesToken) = members["token"], let key = askedKey(kid: members["kid"])
    else { throw .malformedEnrolment }
    asked = Asked(proof: proof, possession: provesToken ? .keyAndToken : .keyAlone, key: key)
    isClaim = members["claim"] != nil
  }

  /// The registration as one line of JSON, without a line feed.
  public func encoded() -> [UInt8] {
    var object: JSONObject = ["v": 1, "registration": .string(name), "identity": .string(identity.text)]
    if let person {
      object["person"] = .string(person)
    } else if !persons.isEmpty {
      object["persons"] = .array(persons.map { .string($0) })
    }
    for (key, value) in enrolment.members where key != "v" { object[key] = value }
    if proven != ProvenEnrolment(enrolment: enrolment, keys: enrolment.activeKeys, hasToken: true)
      || asked != nil
    {
      object["proven"] = proven.map { .object($0.members) } ?? .null
    }
    if let asked {
      var pending: JSONObject = [
        "proof": .string(asked.proof.text), "token": .boolean(asked.possession == .keyAndToken),
      ]
      if asked.key != key(toAskFor: enrolment.activeKeys) { pending["kid"] = .string(asked.key.text) }
      if isClaim { pending["claim"] = true }
      object["pending"] = .object(pending)
    }
    return object.encoded()
  }

  /// The member `person`, or the members of `persons`.
  private static func persons(in object: JSONObject) throws(SignedSetError) -> [String] {
    let values: [JSONValue]
    switch (object["person"], object["persons"]) {
    case (nil, nil): return []
    case (let person?, nil): values = [person]
    case (nil, .array(let several)) where (2...maximumPersons).contains(several.count): values = several
    default: throw .malformedEnrolment
    }
    let names = values.compactMap(\.string)
    guard names.count == values.count, names.allSatisfy(isName),
      zip(names, names.dropFirst()).allSatisfy({ $0.utf8.lexicographicallyPrecedes($1.utf8) })
    else { throw .malformedEnrolment }
    return names
  }

  /// The key that a request asks for: the active key that `kid` names or, without it, the first key that is not proven.
  ///
  /// Keys whose suites this system lacks count, too, because another system may have asked.
  private func askedKey(kid: JSONValue?) -> Thumbprint? {
    guard let kid else { return key(toAskFor: enrolment.activeKeys) }
    return enrolment.activeKeys.first { kid == .string($0.id.text) }?.id
  }
}

extension Registration: Equatable {
  /// Whether both have the same name, byte by byte, and the same contents.
  public static func == (left: Registration, right: Registration) -> Bool {
    left.key == right.key && left.persons.map(ExactString.init) == right.persons.map(ExactString.init)
      && left.enrolment == right.enrolment && left.proven == right.proven
      && left.asked == right.asked && left.isClaim == right.isClaim
  }
}

/// What a device must prove before its backend uses a new key or token.
public enum Possession: Sendable {
  /// That it has the private key and receives the pushes to the token. The request is pushed to the token.
  case keyAndToken

  /// That it has the private key.
  ///
  /// The request may be in the backend's answer. It proves nothing about the token, which may be another user's.
  case keyAlone
}

/// The part of a registration that others seal to.
public struct ProvenEnrolment: Hashable, Sendable {
  /// The enrolment that has the keys and the token.
  public let enrolment: Enrolment

  /// The proven keys among its active keys.
  public let keys: PublicKeySet

  /// Whether its token is proven, not only its keys.
  public let hasToken: Bool

  /// Makes a value from an enrolment and its proven keys; nil if there are none.
  init?(enrolment: Enrolment, keys: [KeyRecord], hasToken: Bool) {
    guard !keys.isEmpty, let keys = try? PublicKeySet(records: keys) else { return nil }
    self.enrolment = enrolment
    self.keys = keys
    self.hasToken = hasToken
  }

  /// Whether the key is proven.
  func has(_ key: Thumbprint) -> Bool { keys.records.contains { $0.id == key } }

  /// Reads the member of a registration whose newest enrolment is `newest`: FORMAT.md, [11.17].
  init(parsing members: JSONObject, upTo newest: Enrolment) throws(SignedSetError) {
    guard members.count == 3, let text = members["keys"]?.string, let kids = members["kids"]?.array,
      case .boolean(let hasToken) = members["token"]
    else { throw .malformedEnrolment }
    let enrolment = try Enrolment(signedKeys: text, for: newest.address.topic)
    guard enrolment.identity == newest.identity else { throw .otherIdentity }
    let keys = enrolment.activeKeys.filter { kids.contains(.string($0.id.text)) }
    guard enrolment.serial <= newest.serial, keys.count == kids.count,
      let proven = ProvenEnrolment(enrolment: enrolment, keys: keys, hasToken: hasToken)
    else { throw .malformedEnrolment }
    self = proven
  }

  /// The members of the JSON object.
  var members: JSONObject {
    [
      "keys": .string(enrolment.signedKeys),
      "kids": .array(keys.records.map { .string($0.id.text) }), "token": .boolean(hasToken),
    ]
  }
}

/// A proof request, and where to send it.
///
/// Seal it with `Sealer.seal(_:to:)`. Send it again, under a new message ID, whenever an enrolment arrives that leaves it
/// pending, but at most once a minute; a worker with a store keeps limits by token. The proof stays the same, and the device
/// answers every request.
public struct PendingProof: Hashable, Sendable {
  /// The content.
  public let request: ProofRequest

  /// The key that the request must be sealed to.
  public let recipient: Recipient

  /// The address that the request must be pushed to, if the token is to be proven.
  public let address: PushAddress

  /// What an answer proves.
  public let possession: Possession
}

/// Keeps persons and names out of logs.
extension Registration: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint.
  public var description: String { "registration of identity \(identity)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
