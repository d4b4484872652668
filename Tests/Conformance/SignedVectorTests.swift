import Foundation
import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Signed sets, enrolments and registrations are taken, or refused for their reason.
@Suite struct SignedVectorTests {
  private let folder = VectorFolder()

  @Test func everySendersSetIsTakenOrRefused() throws {
    let vectors = try folder.read("signed.json", "senders")
    #expect(vectors.count >= 100)
    try expectSenders(vectors)
  }

  func expectSenders(_ vectors: [JSONObject]) throws {
    let data = try Data(contentsOf: folder.url("signed.json"))
    let pinned = try #require(
      try JSONObject(parsing: Array(data).span, maximumDepth: 64)["roots"]?.object)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let text = try bytes(vector["text"], spaces: vector["spaces"])
      let roots = try PublicKeySet(parsing: (vector["pinned"]?.object ?? pinned).encoded().span)
      let topic = try Topic(try #require(vector["topic"]?.string))
      let file = try ScratchFile(vector["atHand"].map { try bytes($0) })
      let verdict = try verdict { () throws(SignedSetError) in
        let set = try SenderKeySet(parsing: text.span, roots: roots, topic: topic)
        expect(set, is: vector, id)
        return try change(of: file, to: text, set, roots)
      }
      #expect(verdict == vector["expect"]?.string, "\(id)")
      let isTaken = vector["rule"] == nil
      #expect(try file.contents == (isTaken ? text : vector["atHand"].map { try bytes($0) }), "\(id)")
    }
  }

  /// What the file of a device makes of a set that is good in itself.
  private func change(
    of file: ScratchFile, to text: [UInt8], _ set: SenderKeySet, _ roots: PublicKeySet
  ) throws(SignedSetError) -> String {
    let keys = SenderKeyFile(path: file.path, roots: roots, topic: set.topic)
    do throws(SenderKeyFileError) {
      let isNew = try keys.accept(text.span)
      #expect(try keys.load() == set)
      return isNew ? "accepted" : "unchanged"
    } catch {
      guard case .refused(let error, _) = error else { return "\(error)" }
      throw error
    }
  }

  private func expect(_ set: SenderKeySet, is vector: JSONObject, _ id: String) {
    guard vector["rule"] == nil else { return }
    #expect(set.signer.text == vector["signer"]?.string, "\(id)")
    #expect(set.serial == vector["serial"]?.number?.integer, "\(id)")
    #expect(set.issuedAt.seconds == vector["issuedAt"]?.number?.integer, "\(id)")
    #expect(set.expiresAt.seconds == vector["expiresAt"]?.number?.integer, "\(id)")
    #expect(set.keys.records.map { .string($0.id.text) } == vector["kids"]?.array, "\(id)")
    #expect(set.text == vector["text"]?.string, "\(id)")
  }

  @Test func everyMessageIsJudgedByTheSetsEnd() throws {
    let vectors = try folder.read("signed.json", "messages")
    #expect(vectors.count >= 8)
    let rootsText = try SigningPairs().roots.encoded()
    let (roots, keys) = (try PublicKeySet(parsing: rootsText.span), try VectorKeys().device)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let topic = try Topic(try #require(vector["topic"]?.string))
      let (text, payloadText) = (try bytes(vector["text"]), try bytes(vector["payload"]))
      let set = try SenderKeySet(parsing: text.span, roots: roots, topic: topic)
      let payload = try JSONObject(parsing: payloadText.span)
      let now = UnixTime(clamping: try #require(vector["now"]?.number?.integer))
      let receiver = Receiver(
        topic: topic, keys: keys, senders: set, accepts: AcceptedEnvelopes(anonymous: true),
        replay: InMemoryReplayStore(), clock: ManualClock(now))
      let outcome = receiver.reception(ofPayload: payload).outcome
      let reason: DegradeReason? = if case .degraded(let reason) = outcome { reason } else { nil }
      #expect(reason?.rawValue ?? "opened" == vector["expect"]?.string, "\(id)")
    }
  }

  @Test func everyEnrolmentIsTakenOrRefused() throws {
    let vectors = try folder.read("signed.json", "enrolments")
    #expect(vectors.count >= 100)
    try expectEnrolments(vectors)
  }

  func expectEnrolments(_ vectors: [JSONObject]) throws {
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let text = try bytes(vector["enrolment"], spaces: vector["spaces"])
      let topic = try vector["topic"]?.string.map { try Topic($0) }
      let challenge = vector["challenge"]?.string.flatMap({ try? Challenge($0) })
      let verdict = try verdict { () throws(SignedSetError) in
        let enrolment = try Enrolment(
          parsing: text.span, for: topic, audience: try audience(of: vector), challenge: challenge,
          services: services(of: vector))
        expect(enrolment, is: vector, id)
        return "accepted"
      }
      #expect(verdict == vector["expect"]?.string, "\(id)")
    }
  }

  private func expect(_ enrolment: Enrolment, is vector: JSONObject, _ id: String) {
    guard vector["rule"] == nil else { return }
    #expect(enrolment.identity.thumbprint.text == vector["identity"]?.string, "\(id)")
    #expect(enrolment.serial == vector["serial"]?.number?.integer, "\(id)")
    #expect(enrolment.keys.records.map { .string($0.id.text) } == vector["kids"]?.array, "\(id)")
    let claims = try? folder.object(vector["payload"])
    #expect(enrolment.issuedAt.seconds == claims?["iat"]?.number?.integer, "\(id)")
    #expect(enrolment.address.topic.text == claims?["topic"]?.string, "\(id)")
    #expect(enrolment.address.apns?.environment.rawValue == claims?["environment"]?.string, "\(id)")
    #expect(enrolment.address.token.text == claims?["token"]?.string, "\(id)")
    #expect(enrolment.audience?.text == claims?["audience"]?.string, "\(id)")
    #expect(enrolment.challenge?.text == claims?["challenge"]?.string, "\(id)")
    #expect(enrolment.proof?.text == claims?["proof"]?.string, "\(id)")
    let written = enrolment.encoded()
    #expect(
      (try? Enrolment(verifying: written.span, services: services(of: vector))) == enrolment, "\(id)")
  }

  @Test func everyRegistrationIsTakenOrRefused() throws {
    let vectors = try folder.read("signed.json", "registrations")
    #expect(vectors.count >= 60)
    try expectRegistrations(vectors)
  }

  func expectRegistrations(_ vectors: [JSONObject]) throws {
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let lines = try bytes(ofLines: vector["lines"], spaces: vector["spaces"])
      let scratch = try ScratchFile(lines)
      let file = RegistrationFile(path: scratch.path, services: services(of: vector))
      let verdict = try verdict { () throws(SignedSetError) in
        do throws(RegistrationFileError) {
          return try change(of: file, vector)
        } catch {
          switch error {
          case .refused(let error, _): throw error
          // It is always the last line that is at fault.
          case .line(vector["lines"]?.array?.count, let error, _): throw error
          default: return "\(error)"
          }
        }
      }
      #expect(verdict == vector["expect"]?.string, "\(id)")
      expect(try? file.load(), asks: vector, id)
      guard let after = vector["after"] else {
        #expect(scratch.contents == lines, "\(id)")
        continue
      }
      let expected = try ScratchFile(try bytes(ofLines: after))
      let other = RegistrationFile(path: expected.path, services: services(of: vector))
      #expect(try file.load().all == other.load().all, "\(id)")
      let isWritten = ["pending", "registered", "updated"].contains(verdict)
      #expect(scratch.contents == (isWritten ? expected.contents : lines), "\(id)")
    }
  }

  /// Reads the file, or hands it the enrolment.
  private func change(
    of file: RegistrationFile, _ vector: JSONObject
  ) throws(RegistrationFileError) -> String {
    guard let name = vector["name"]?.string, let text = vector["enrolment"]?.string else {
      _ = try file.load()
      return "read"
    }
    return try file.update { (registrations) throws(SignedSetError) in
      let challenge = vector["challenge"]?.string.flatMap { try? Challenge($0) }
      let enrolment = try Enrolment(
        parsing: Array(text.utf8), audience: try audience(of: vector), challenge: challenge,
        services: services(of: vector))
      guard let proof = vector["proof"]?.string.flatMap({ try? Proof($0) }) else { throw .malformedEnrolment }
      let possession: Possession = vector["keyAlone"] == true ? .keyAlone : .keyAndToken
      guard challenge != nil else {
        return try registrations.accept(enrolment, as: name, proving: possession, proof: proof).rawValue
      }
      let person = vector["person"]?.string
      if vector["joins"] == true, let person {
        return try registrations.join(
          enrolment, as: name, person: person, proving: possession, proof: proof
        ).rawValue
      }
      let change = try registrations.claim(enrolment, as: name, proving: possession, proof: proof)
      if let person { try registrations.assign(name, to: person) }
      return change.rawValue
    }
  }

  @Test func everyLeaveIsTakenOrRefused() throws {
    let vectors = try folder.read("signed.json", "leaves")
    #expect(vectors.count >= 100)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let text = try bytes(vector["leave"], spaces: vector["spaces"])
      let topic = try vector["topic"]?.string.map { try Topic($0) }
      let lines = try bytes(ofLines: vector["lines"])
      let scratch = try ScratchFile(lines)
      let file = RegistrationFile(path: scratch.path)
      let verdict = try verdict { () throws(SignedSetError) in
        let leave = try Leave(parsing: text.span, for: topic, audience: try audience(of: vector))
        guard let names = try? file.leave(leave) else { return "the file cannot be read" }
        expect(leave, is: vector, id)
        return try names.get().isEmpty ? "unchanged" : "removed"
      }
      #expect(verdict == vector["expect"]?.string, "\(id)")
      let after = try bytes(ofLines: vector["after"] ?? vector["lines"])
      #expect(scratch.contents ?? [] == after ?? [], "\(id)")
    }
  }

  private func expect(_ leave: Leave, is vector: JSONObject, _ id: String) {
    guard vector["rule"] == nil else { return }
    #expect(leave.identity.thumbprint.text == vector["identity"]?.string, "\(id)")
    #expect(leave.serial == vector["serial"]?.number?.integer, "\(id)")
    let claims = try? folder.object(vector["payload"])
    #expect(leave.issuedAt.seconds == claims?["iat"]?.number?.integer, "\(id)")
    #expect(leave.topic.text == claims?["topic"]?.string, "\(id)")
    #expect(leave.audience.text == claims?["audience"]?.string, "\(id)")
    let written = leave.encoded()
    #expect((try? Leave(verifying: written.span)) == leave, "\(id)")
  }

  /// The services that the backend delivers through.
  private func services(of vector: JSONObject) -> Set<PushService> {
    let names = vector["services"]?.array?.compactMap(\.string) ?? [PushService.apns.rawValue]
    return Set(names.compactMap(PushService.init))
  }

  private func audience(of vector: JSONObject) throws(SignedSetError) -> Audience {
    guard let audience = vector["audience"]?.string.flatMap({ try? Audience($0) }) else {
      throw .malformedEnrolment
    }
    return audience
  }

  /// Whether what is pending under the vector's name is what is to be asked for.
  private func expect(_ registrations: Registrations?, asks vector: JSONObject, _ id: String) {
    guard vector["rule"] == nil, let name = vector["name"]?.string else { return }
    let (pending, request) = (registrations?[name]?.pending, vector["request"]?.object)
    #expect(
      (pending == nil) == (request == nil) && (vector["expect"] == "pending") == (request != nil), "\(id)")
    #expect(pending?.recipient.thumbprint.text == request?["kid"]?.string, "\(id)")
    #expect(
      pending.map { String(decoding: $0.request.encoded(), as: UTF8.self) } == request?["content"]?.string,
      "\(id)")
  }

  /// A device answers a request, or not, for its reason.
  @Test func everyRequestIsAnsweredOrNot() throws {
    let vectors = try folder.read("signed.json", "requests")
    #expect(vectors.count >= 30)
    let file = try VectorKeys()
    let identity = KeySet(
      generating: .identity, at: VectorKeys.made, random: FixedRandomness.labelled("identity"))
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      var device = try DeviceKeys(device: file.device, identity: identity)
      #expect(vector["identity"]?.string == device.identity.records[0].id.text)
      let now = try #require(vector["now"]?.number?.integer.flatMap(UnixTime.init(seconds:)))
      let topic = try Topic(try #require(vector["topic"]?.string))
      let receiver = Receiver(
        topic: topic, keys: file.device, senders: try file.sender.publicKeys,
        accepts: AcceptedEnvelopes(anonymous: true), replay: InMemoryReplayStore(), clock: ManualClock(now))
      let field = EnvelopeField(data: try folder.object(vector["payload"]))
      let token = try DeviceToken(SignedSetForge.token)
      let address = DeviceAddress(topic: topic, environment: .production, token: token)
      let opened = Result { () throws(DegradeReason) in try receiver.openProofRequest(field) }
      guard case .success(let opened) = opened else {
        let reason = try #require(vector["expect"]?.string.flatMap(DegradeReason.init))
        #expect(throws: reason, "\(id)") { try opened.get() }
        continue
      }
      let audience = try audience(of: vector)
      let answer = try device.answer(
        opened.request, openedBy: opened.opened.recipient, address: address, for: audience, at: now)
      guard case .success(let enrolment) = answer else {
        #expect(answer == ProofRefusal(rawValue: vector["expect"]?.string ?? "").map(Result.failure), "\(id)")
        continue
      }
      #expect(vector["expect"] == "answered" && vector["rule"] == nil, "\(id)")
      #expect(enrolment.proof == opened.request.proof && enrolment.audience == audience)
      #expect(opened.opened.recipient.text == vector["kid"]?.string)
      let content = Array(try #require(vector["content"]?.string).utf8)
      #expect(try ProofRequest(parsing: content) == opened.request, "\(id)")
    }
  }

  /// A request is no data and no notification.
  @Test func noRequestOpensAsAnotherType() throws {
    let file = try VectorKeys()
    for vector in try folder.read("signed.json", "requests") where vector["expect"] == "answered" {
      let now = try #require(vector["now"]?.number?.integer.flatMap(UnixTime.init(seconds:)))
      let receiver = Receiver(
        topic: try Topic(SignedSetForge.topic), keys: file.device, senders: try file.sender.publicKeys,
        replay: InMemoryReplayStore(), clock: ManualClock(now))
      let field = EnvelopeField(data: try folder.object(vector["payload"]))
      for type in ContentType.allCases {
        #expect(throws: DegradeReason.malformedContent) { try receiver.openData(field, as: type) }
      }
      #expect(throws: DegradeReason.malformedContent) {
        try receiver.open(IncomingPush(title: "", hasSound: false, envelope: field))
      }
    }
  }

  @Test func whoSignsMakesTheSame() throws {
    let vectors = try folder.readAll()
    func vector(_ id: String) -> JSONObject? { vectors.first { $0["id"]?.string == id } }
    func keys(_ role: KeyRole, _ label: String) -> KeySet {
      KeySet(generating: role, at: VectorKeys.made, random: FixedRandomness.labelled(label))
    }
    let (topic, moment) = (try Topic(SignedSetForge.topic), UnixTime(clamping: SignedSetForge.moment))
    var root = KeySetEditor(keys(.root, "root"))
    let set = try root.signSenders(try keys(.sender, "sender").publicKeys, for: topic, at: moment)
    #expect(set.text == vector("senders-plain")?["text"]?.string)
    var identity = KeySetEditor(keys(.identity, "identity"))
    let token = try DeviceToken(SignedSetForge.token)
    let enrolment = try identity.enrol(
      try keys(.device, "device x25519").publicKeys,
      address: DeviceAddress(topic: topic, environment: .production, token: token),
      for: try Audience(SignedSetForge.audience), at: moment)
    #expect(
      String(decoding: enrolment.encoded(), as: UTF8.self) == vector("enrolment-plain")?["enrolment"]?.string)
  }

  /// What comes of it, or the reason.
  private func verdict(_ body: () throws(SignedSetError) -> String) throws -> String {
    do throws(SignedSetError) {
      return try body()
    } catch {
      return error.code
    }
  }

  private func bytes(_ text: JSONValue?, spaces: JSONValue? = nil) throws -> [UInt8] {
    let text = Array(try #require(text?.string).utf8)
    return text + [UInt8](repeating: 0x20, count: Int(spaces?.number?.integer ?? 0))
  }

  /// A file of lines; null if there is none.
  private func bytes(ofLines lines: JSONValue?, spaces: JSONValue? = nil) throws -> [UInt8]? {
    let lines = try #require(lines?.array)
    let texts = try lines.enumerated().map { index, line in
      try bytes(line, spaces: index == lines.count - 1 ? spaces : nil)
    }
    return texts.isEmpty ? nil : texts.flatMap { $0 + [UInt8(ascii: "\n")] }
  }
}

/// A file in a folder of its own, removed at the end.
private struct ScratchFile {
  private let folder: TemporaryFolder

  var path: String { folder.path(of: "file") }

  /// Writes the file, if it is to be there.
  init(_ contents: [UInt8]?) throws {
    folder = try TemporaryFolder()
    try contents.map { try folder.write($0, to: "file") }
  }

  var contents: [UInt8]? { folder.bytes(of: "file") }
}
