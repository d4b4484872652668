import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import TestSupport
import Testing

/// Whom a policy that requires quantum resistance would refuse.
struct KeyReportTests {
  private let audience = (try? Audience("https://push.example.com"))!
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func keys(_ hasXWing: Bool) throws -> DeviceKeys {
    let keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
    guard hasXWing else { return keys }
    return try DeviceKeys(device: keys.device.withXWing(at: Device.now), identity: keys.identity)
  }

  private func enrol(_ keys: inout DeviceKeys, _ token: UInt8) throws -> Enrolment {
    let address = DeviceAddress(topic: Device.topic, environment: .production, token: DeviceToken([token])!)
    return try keys.enrol(address: address, for: audience, at: Device.now)
  }

  /// A registration, of which every key that this system can ask for is proven.
  private func proven(
    _ token: UInt8, hasXWing: Bool, of person: String? = nil
  ) throws -> Registration {
    var keys = try keys(hasXWing)
    var registration = try Registration(name: "\(token)", enrolment: try enrol(&keys, token))
    try registration.assign(to: person)
    while let pending = registration.pending {
      let answer = try keys.answer(
        pending.request, openedBy: pending.recipient.thumbprint, address: pending.address, for: audience,
        at: Device.now)
      try registration.update(with: try answer.get())
    }
    return registration
  }

  private func unsigned(_ keys: PublicKeySet, _ token: String, of person: String) throws -> String {
    let bytes = keys.encoded()
    let object: JSONObject = [
      "v": 1, "topic": "com.example.app", "environment": "sandbox", "token": .string(token),
      "keys": .object(try JSONObject(parsing: bytes.span)), "person": .string(person),
    ]
    return text(object.encoded())
  }

  private func report(_ lines: [String], at now: UnixTime = Device.now) throws -> KeyReport {
    let path = try folder.write(lines.joined(separator: "\n"), to: "devices")
    return try KeyReport(path: path, at: now)
  }

  @Test("of registrations, what is enrolled and what is proven are counted apart")
  func registrations() throws {
    var waiting = try keys(true)
    let lines = [
      try proven(1, hasXWing: true), try proven(2, hasXWing: false),
      try Registration(name: "3", enrolment: try enrol(&waiting, 3)),
    ]
    let report = try report(lines.map { text($0.encoded()) })
    #expect(report.devices == 3 && report.pending == 1 && report.unreachable == 1)
    #expect(report[.x25519ChaChaPoly].enrolled == 3 && report[.x25519ChaChaPoly].proven == 2)
    #expect(report[.xwingAESGCM].enrolled == 2 && report[.p256AESGCM].enrolled == 0)
    // Where the libraries lack the suite, no proof was asked for.
    let isAvailable = Suite.xwingAESGCM.isAvailable
    #expect(report[.xwingAESGCM].proven == (isAvailable ? 1 : 0))
    #expect(report.ready == (isAvailable ? 1 : 0) && report.refused == (isAvailable ? 1 : 2))
  }

  @Test("a person has all devices with such a key, some, or none")
  func persons() throws {
    let (xwing, x25519) = (
      try (0..<4).map { _ in try XWingSample().publicSet },
      try (0..<3).map { _ in try Device(.x25519ChaChaPoly).keys.publicKeys }
    )
    let lines = [
      try unsigned(xwing[0], "01", of: "ada"), try unsigned(xwing[1], "02", of: "ada"),
      try unsigned(xwing[2], "03", of: "bob"), try unsigned(x25519[0], "04", of: "bob"),
      try unsigned(x25519[1], "05", of: "eve"), try unsigned(x25519[2], "06", of: "eve"),
    ]
    let report = try report(lines)
    let persons = report.personCount
    #expect(persons.all == 1 && persons.some == 1 && persons.none == 1)
    #expect(report.devices == 6 && report.ready == 3 && report.refused == 3 && report.unreachable == 0)
    #expect(report[.xwingAESGCM].enrolled == 3 && report[.xwingAESGCM].proven == 3)
  }

  @Test("a key that has expired is enrolled, and nothing is sealed to it")
  func expired() throws {
    let line = try unsigned(try XWingSample().publicSet, "01", of: "ada")
      .replacing(#""alg":"xwing-aesgcm","#, with: #""alg":"xwing-aesgcm","exp":1800000000,"#)
    let (before, after) = (UnixTime(seconds: 1_800_000_000)!, UnixTime(seconds: 1_800_000_001)!)
    #expect(try report([line], at: before).ready == 1)
    let late = try report([line], at: after)
    #expect(late.ready == 0 && late.unreachable == 1 && late.refused == 0)
    #expect(late[.xwingAESGCM].enrolled == 1 && late[.xwingAESGCM].proven == 0)
    let persons = late.personCount
    #expect(persons.all == 0 && persons.some == 0 && persons.none == 0)
  }

  @Test("a line that is none is an error with its number")
  func broken() throws {
    let line = try unsigned(try XWingSample().publicSet, "01", of: "ada")
    let path = folder.path(of: "devices")
    #expect(throws: RecipientFileError.line(2, .invalidMember("v"), path: path)) {
      _ = try report([line, "{}"])
    }
    #expect(throws: RecipientFileError.line(2, .tooLong, path: path)) {
      _ = try report([line, String(repeating: "a", count: RecipientFile.maximumLineSize + 1)])
    }
    #expect(try report([]).devices == 0)
  }
}
