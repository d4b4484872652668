import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("An app's keys in memory")
struct InMemoryKeyStoreTests {
  private let store = InMemoryKeyStore()

  @Test func areMadeAtTheFirstEnrolment() throws {
    let (first, second) = (
      try store.enrol(address: Signed.address, for: Signed.audience, at: start),
      try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    )
    #expect(first.identity == second.identity && first.keys == second.keys)
    #expect(second.serial == first.serial + 1)
    let recipient = try first.keys.recipient(at: start)
    #expect(try #require(store.deviceKey(for: recipient.thumbprint.keyID, at: start)).opens(to: recipient))
  }

  @Test func areThoseThatWereGiven() throws {
    let keys = DeviceKeys(of: .p256AESGCM, at: start)
    let enrolment = try InMemoryKeyStore(keys).enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(enrolment.keys.records.starts(with: try keys.device.publicKeys.records))
    #expect(enrolment.identity == keys.identity.records[0].publicKey)
  }

  @Test func areAsTheyWereAfterAChangeThatThrows() throws {
    let first = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(throws: KeySetError.graceTooShort) {
      try store.update(orMake: .x25519ChaChaPoly, at: start) { (keys) throws(KeySetError) in
        _ = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
        throw .graceTooShort
      }
    }
    #expect(
      try store.enrol(address: Signed.address, for: Signed.audience, at: start).serial == first.serial + 1)
  }

  @Test func rotateAndWaitForTheBackend() throws {
    let first = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    let old = first.keys.records[0].id.keyID
    let late = start.advanced(by: .seconds(400 * 86_400))
    #expect(try store.rotate(ifOlderThan: .zero, at: start))
    #expect(store.deviceKey(for: old, at: late) != nil)
    // The answer to an earlier enrolment says nothing about the new key.
    #expect(try !store.confirm(first, at: start))
    #expect(store.deviceKey(for: old, at: late) != nil)
    #expect(
      try store.confirm(try store.enrol(address: Signed.address, for: Signed.audience, at: start), at: start))
    #expect(store.deviceKey(for: old, at: late) == nil)
  }

  @Test func areMadeByAnEnrolmentAlone() throws {
    let enrolment = try InMemoryKeyStore().enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(try !store.rotate(ifOlderThan: .zero, at: start))
    #expect(try !store.confirm(enrolment, at: start))
    #expect(try store.update(orMake: nil, at: start) { _ in } == nil)
    #expect(throws: KeySetError.wrongRole) { try store.update(orMake: .sharedChaChaPoly, at: start) { _ in } }
  }

  @Test func areAnotherRegistrationOnceTheyWereRemoved() throws {
    let first = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    store.remove()
    #expect(store.deviceKey(for: first.keys.records[0].id.keyID, at: start) == nil)
    #expect(
      try store.enrol(address: Signed.address, for: Signed.audience, at: start).identity != first.identity)
  }
}
