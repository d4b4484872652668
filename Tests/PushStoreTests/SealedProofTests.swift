import PushCore
import PushEnrolment
import PushKeys
import PushStore
import TestSupport
import Testing

/// The proof of what is pending, in a store with a row key.
@Suite("The pending proof, with a row key", .hangGuard)
struct SealedProofTests {
  /// The line of a registration, as it stands in the table.
  private func line(_ name: String, at bench: any SealableBench) throws -> String {
    try #require(
      try bench.read("SELECT registration FROM sealpush.device WHERE name = '\(name)'").first ?? nil)
  }

  /// Enrols a phone, which is pending.
  private func enrol(_ phone: inout Phone, at store: any Store) async throws -> PendingProof {
    let outcome = try await store.accept(phone.enrolment(), as: phone.name, person: "ada", mayBeNew: true)
    return try #require(try outcome.get().pending)
  }

  @Test("is not in the table, and is answered", arguments: DatabaseEngine.allCases)
  func encrypted(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    let store = try await bench.open(with: key)
    var phone = Phone("ada-1", token: 1)
    let pending = try await enrol(&phone, at: store)
    let line = try line("ada-1", at: bench)
    #expect(!line.contains(pending.request.proof.text) && line.contains(#""sealed":"#))
    // Another worker reads it.
    let known = try #require(try await bench.open(with: key).registration(named: "ada-1"))
    #expect(known.registration.pending?.request == pending.request)
    let answer = try phone.answer(pending)
    #expect(try await store.accept(answer, as: "ada-1", mayBeNew: false).get().change == .registered)
  }

  @Test("is in the table without a key", arguments: DatabaseEngine.allCases)
  func plain(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    var phone = Phone("ada-1", token: 1)
    let pending = try await enrol(&phone, at: bench.store)
    #expect(try line("ada-1", at: bench).contains(pending.request.proof.text))
  }

  @Test(
    "is encrypted when the rows are sealed, and again when the key changes",
    arguments: DatabaseEngine.allCases)
  func sealedLater(engine: DatabaseEngine) async throws {
    let (bench, keys) = (try await engine.start(), [RowKey(), RowKey()])
    var phone = Phone("ada-1", token: 1)
    let pending = try await enrol(&phone, at: bench.store)
    let plain = try await bench.open(with: nil)
    for (key, old) in [(keys[0], nil), (keys[1], keys[0])] {
      let result = try await plain.sealRows(with: key, replacing: old) { _, _ in }
      #expect(result == SealedRows(sealed: 1, unchanged: 0, left: 0))
      #expect(try !line("ada-1", at: bench).contains(pending.request.proof.text))
      let known = try await bench.open(with: key).registration(named: "ada-1")
      #expect(known?.registration.pending?.request == pending.request)
    }
  }

  @Test("is over when the key is lost, and the device is asked again", arguments: DatabaseEngine.allCases)
  func lost(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    var phone = Phone("ada-1", token: 1)
    _ = try await enrol(&phone, at: bench.open(with: RowKey()))
    let plain = try await bench.open(with: nil)
    _ = try await plain.sealRows(with: key, anew: true) { _, _ in }
    let store = try await bench.open(with: key)
    #expect(try await store.registration(named: "ada-1")?.registration.pending == nil)
    let pending = try await enrol(&phone, at: store)
    let answer = try phone.answer(pending)
    #expect(try await store.accept(answer, as: "ada-1", mayBeNew: false).get().change == .registered)
  }

  @Test("does not hinder a check without the key", arguments: DatabaseEngine.allCases)
  func checked(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    var phone = Phone("ada-1", token: 1)
    _ = try await enrol(&phone, at: bench.open(with: key))
    let plain = try await bench.open(with: nil)
    for key in [nil, key] {
      var faults: [RowFault?] = []
      try await plain.checkRows(with: key) { _, fault in faults.append(fault) }
      #expect(faults == [nil])
    }
  }

  @Test("of one registration is none of another's", arguments: DatabaseEngine.allCases)
  func bound(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    let store = try await bench.open(with: key)
    var phones = [Phone("ada-1", token: 1), Phone("ada-2", token: 2)]
    for index in phones.indices { _ = try await enrol(&phones[index], at: store) }
    let sealed = try phones.map { try sealedProof(in: line($0.name, at: bench)) }
    #expect(sealed[0] != sealed[1])
    // Under a new seal: the MACs would notice it by themselves.
    try bench.attack(
      "UPDATE sealpush.device SET registration = replace(registration, '\(sealed[0])', '\(sealed[1])')")
    _ = try await store.sealRows(with: key, anew: true) { _, _ in }
    #expect(try await store.registration(named: "ada-1")?.registration.pending == nil)
    #expect(try await store.registration(named: "ada-2")?.registration.pending != nil)
  }

  private func sealedProof(in line: String) throws -> String {
    let object = try JSONObject(parsing: Array(line.utf8).span)
    return try #require(object["pending"]?.object?["sealed"]?.string)
  }

  @Test("may be as long as a proof is", arguments: DatabaseEngine.allCases)
  func long(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    let store = try await bench.open(with: key)
    var phone = Phone("ada-1", token: 1)
    var registration = try Registration(
      name: "ada-1", enrolment: phone.enrolment(), proof: Proof(String(repeating: "A", count: 255)))
    try registration.assign(to: String(repeating: "a", count: 255))
    #expect(try await store.apply([.add(registration)]))
    #expect(try await store.registration(named: "ada-1")?.registration == registration)
  }
}
