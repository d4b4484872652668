internal import PushCore
internal import PushEnrolment
internal import PushFiles
internal import PushKeys
internal import PushReceiver

/// The file of a ``RegistrationMemory``: one JSON object.
///
/// ```json
/// {"v":1,"registration":"…","identity":"…","accounts":[{"person":"ada","tag":"…","enrolled":true}],"token":"…"}
/// ```
///
/// Every version has `v`; a reader ignores members that it does not know.
struct RegistrationMemoryFile: Sendable {
  private static let version: Int64 = 1

  private let file: SmallFile

  init(path: String) {
    // 16 leavings of 16 persons take less than 64 KiB.
    file = SmallFile(path: path, maximumSize: 256 << 10, isGuarded: true)
  }

  /// Reads the memory, which is empty without a file, and from a damaged one.
  ///
  /// - Throws: ``ReceiverFileError``, not ``ReceiverFileError/damaged``.
  func load() throws(ReceiverFileError) -> RegistrationMemory {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try file.read()
    } catch {
      if error == .tooLarge { return RegistrationMemory() }
      throw ReceiverFileError(error)
    }
    guard let bytes, let object = try? JSONObject(parsing: bytes.span),
      let version = object["v"]?.number?.integer, version >= Self.version
    else { return RegistrationMemory() }
    guard version == Self.version else { throw .laterVersion }
    return RegistrationMemory(reading: object)
  }

  /// Replaces the memory.
  ///
  /// - Throws: ``ReceiverFileError``.
  func save(_ memory: RegistrationMemory) throws(ReceiverFileError) {
    var object = memory.json
    object["v"] = .number(JSONNumber(Self.version))
    let bytes = object.encoded() + [UInt8(ascii: "\n")]
    do throws(FileError) {
      try file.update(overTooLarge: true) { (_) throws(FileError) in (bytes, ()) }
    } catch {
      throw ReceiverFileError(error)
    }
  }
}

extension RegistrationMemory {
  fileprivate var json: JSONObject {
    var object: JSONObject = [:]
    object["registration"] = registration.map { .string($0) }
    object["identity"] = identity.map { .string($0.text) }
    object["accounts"] = .array(accounts.map { .object($0.json) })
    object["token"] = token.map { .string($0.text) }
    object["forgotten"] = .boolean(isForgotten)
    object["login"] = .boolean(needsLogin)
    object["challenges"] = .object(
      nextChallenges.sorted { $0.key < $1.key }.reduce(into: [:]) { object, next in
        object[next.key] = .number(JSONNumber(next.value.seconds))
      })
    object["begun"] = begun.map { .object($0.json) }
    object["leavings"] = .array(leavings.map { .object($0.json) })
    object["departed"] = .array(departed.map { .string($0) })
    return object
  }

  fileprivate init(reading object: JSONObject) {
    registration = object["registration"]?.string
    identity = object["identity"]?.string.flatMap { try? Thumbprint($0) }
    accounts = (object["accounts"]?.array ?? []).compactMap { $0.object.flatMap(Account.init(reading:)) }
    token = object["token"]?.string.flatMap { try? DeviceToken($0) }
    isForgotten = object["forgotten"]?.boolean ?? false
    needsLogin = object["login"]?.boolean ?? false
    for (person, time) in object["challenges"]?.object ?? [:] {
      nextChallenges[person] = time.number?.integer.flatMap(UnixTime.init(seconds:))
    }
    begun = object["begun"]?.object.flatMap(Begun.init(reading:))
    leavings = (object["leavings"]?.array ?? []).compactMap { $0.object.flatMap(Leaving.init(reading:)) }
    departed = (object["departed"]?.array ?? []).compactMap(\.string)
  }
}

extension RegistrationMemory.Account {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["person": .string(person), "enrolled": .boolean(isEnrolled)]
    object["tag"] = tag.map { .string($0.text) }
    return object
  }

  fileprivate init?(reading object: JSONObject) {
    guard let person = object["person"]?.string else { return nil }
    self.person = person
    tag = object["tag"]?.string.flatMap { try? AccountTag($0) }
    isEnrolled = object["enrolled"]?.boolean ?? false
  }
}

extension RegistrationMemory.Begun {
  fileprivate var json: JSONObject {
    var object: JSONObject = [
      "person": .string(person), "challenge": .string(challenge), "joining": .boolean(isJoining),
      "time": .number(JSONNumber(time.seconds)),
    ]
    object["id"] = id.map { .string($0) }
    return object
  }

  fileprivate init?(reading object: JSONObject) {
    guard let person = object["person"]?.string, let challenge = object["challenge"]?.string,
      let time = object["time"]?.number?.integer.flatMap(UnixTime.init(seconds:))
    else { return nil }
    self.init(
      person: person, challenge: challenge, isJoining: object["joining"]?.boolean ?? false, time: time,
      id: object["id"]?.string)
  }
}

extension RegistrationMemory.Leaving {
  fileprivate var json: JSONObject {
    var object: JSONObject = [
      "leave": .string(String(decoding: leave, as: UTF8.self)),
      "persons": .array(persons.map { .string($0) }),
    ]
    object["registration"] = registration.map { .string($0) }
    return object
  }

  fileprivate init?(reading object: JSONObject) {
    guard let leave = object["leave"]?.string else { return nil }
    self.init(
      leave: Array(leave.utf8), registration: object["registration"]?.string,
      persons: (object["persons"]?.array ?? []).compactMap(\.string))
  }
}
