import Foundation
import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import Testing
import UserNotifications

/// Phones that enrol at a directory in one call.
@Suite struct PhoneEnrollingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "enrolling-\(UUID())")
  private let file: RegistrationFile
  private let stand: Stand

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = RegistrationFile(path: "\(folder.path)/registrations")
    stand = try Stand()
  }

  private func registration(_ name: String) throws -> Registration { try #require(try file.load()[name]) }

  @Test("a phone that has enrolled has proven its keys and its token")
  func enrolled() async throws {
    let phone = try stand.phone("Ada's")
    let outcome = try await phone.enrol(in: file, person: "ada")
    #expect(outcome.pending == nil)
    let registration = try registration("Ada's")
    #expect(registration.person == "ada" && registration.pending == nil)
    let proven = try #require(registration.proven)
    #expect(proven.hasToken && proven.enrolment.address == .apns(phone.address))
    #expect(Set(proven.keys.records.map(\.id)) == Set(try #require(phone.publicKeys).records.map(\.id)))
  }

  @Test("a phone that has enrolled shows what is sealed to its registration")
  func shows() async throws {
    let phone = try stand.phone("Ada's")
    try await phone.enrol(in: file, as: "ada-1")
    let device = EnrolledDevice(try registration("ada-1"))
    let sealer = Sealer(topic: stand.topic, signingKey: try stand.backend.signingKey(at: Stand.start))
    let push = try #require(
      sealer.seal(RemoteNotification(title: "Ada", body: "At noon?"), to: [device], at: Stand.start).first)
    let addressed = try push.addressedPush
    let request = APNsRequest(
      addressed.push, to: addressed.address.token, providerToken: stand.signer.token(at: Stand.start))
    try #require(try await stand.send(request) == nil)
    #expect(try await phone.shown.body == "At noon?")
  }

  @Test("a phone that enrols again has its new token registered")
  func again() async throws {
    let phone = try stand.phone("Ada's")
    try await phone.enrol(in: file, person: "ada")
    let token = phone.rotateToken()
    #expect(try await phone.enrol(in: file).change == .updated)
    let registration = try registration("Ada's")
    #expect(registration.person == "ada" && registration.proven?.enrolment.address.token == .apns(token))
  }

  @Test("the backend's name is in the enrolment")
  func audience() async throws {
    let audience = try Audience("https://other.example.com")
    try await stand.phone("Ada's").enrol(in: file, audience: audience)
    #expect(try registration("Ada's").enrolment.audience == audience)
  }

  @Test("an enrolment that is refused is an error")
  func refused() async throws {
    let phone = try stand.phone("Ada's")
    await #expect(throws: SignedSetError.malformedEnrolment) { try await phone.enrol(in: file, as: "") }
  }

  @Test("a phone with the app's own extension needs the app's keys")
  func ownExtension() async throws {
    let address = DeviceAddress(topic: stand.topic, environment: .sandbox, token: .random())
    let phone = stand.apns.phone(name: "Ada's", address: address)
    #expect(phone.publicKeys == nil)
    await #expect(throws: StandInError.noKeys(phone: "Ada's")) { try await phone.enrol(in: file) }
    let keys = InMemoryKeyStore()
    try await phone.enrol(in: file, keys: keys)
    let proven = try #require(try registration("Ada's").proven)
    #expect(keys.deviceKey(for: try #require(proven.keys.records.first).id.keyID, at: Stand.start) != nil)
  }

  @Test("a phone proves its key alone, and no token")
  func keyAlone() async throws {
    try await stand.phone("Ada's").enrol(in: file, proving: .keyAlone)
    #expect(try #require(try registration("Ada's").proven).hasToken == false)
  }
}
