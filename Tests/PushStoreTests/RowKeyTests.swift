import Foundation
import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A store with a row key", .hangGuard)
struct RowKeyTests {
  /// A sealed store with the phones of ada, bob and eve.
  private static func scene(
    _ engine: DatabaseEngine
  ) async throws -> (bench: any SealableBench, key: RowKey, store: any SealableStore) {
    let (bench, key) = (try await engine.start(), RowKey())
    let store = try await bench.open(with: key)
    for (index, person) in ["ada", "bob", "eve"].enumerated() {
      var phone = Phone("\(person)-1", token: UInt8(index + 1))
      try await phone.register(at: store, of: person)
    }
    return (bench, key, store)
  }

  private static func expectDamage(
    _ store: any Store, _ what: String, of person: String = "ada"
  ) async {
    let error = await #expect(throws: StoreError.self, "\(what)") { try await store.devices(of: [person]) }
    guard case .corrupt = error else { Issue.record("\(what): \(error!)"); return }
  }

  private static func names(_ store: any Store, _ person: String) async throws -> [String?] {
    try await store.devices(of: [person])[0].map(\.device.registration)
  }

  private static func faults(_ store: any SealableStore, with key: RowKey?) async throws -> [String: RowFault]
  {
    var faults: [String: RowFault] = [:]
    try await store.checkRows(with: key) { row, fault in if let fault { faults[row.name] = fault } }
    return faults
  }

  private static let changes: [String] = [
    "keys = (SELECT keys FROM sealpush.device WHERE name = 'bob-1')", "person = 'ada'",
    "token = '\(String(repeating: "ff", count: 32))'", "topic = 'com.example.other'",
    "environment = 'sandbox'",
    "identity = '\(String(repeating: "A", count: 43))'", "has_token = NOT has_token", "lost = NOT lost",
    "pending = NOT pending", "proof = 7", "mac = NULL",
    "mac = (SELECT mac FROM sealpush.device WHERE name = 'bob-1')", "mac = 'x'",
  ]

  @Test(
    "seals nothing to a row that something else has changed, though its version is the same",
    arguments: DatabaseEngine.allCases, changes)
  func changed(engine: DatabaseEngine, change: String) async throws {
    let (bench, _, store) = try await Self.scene(engine)
    // The row is in the store's memory.
    for _ in 1...2 { #expect(try await Self.names(store, "eve") == ["eve-1"]) }
    try bench.attack("UPDATE sealpush.device SET \(change) WHERE name = 'eve-1'")
    await Self.expectDamage(store, change, of: change.hasPrefix("person") ? "ada" : "eve")
    #expect(try await Self.names(store, "bob") == ["bob-1"])
  }

  @Test("seals nothing to a row that stands in another's place", arguments: DatabaseEngine.allCases)
  func moved(engine: DatabaseEngine) async throws {
    let (bench, _, store) = try await Self.scene(engine)
    try bench.attack("DELETE FROM sealpush.device WHERE name = 'ada-1'")
    try bench.attack("UPDATE sealpush.device SET name = 'ada-1', person = 'ada' WHERE name = 'eve-1'")
    await Self.expectDamage(store, "the row")
    let error = await #expect(throws: StoreError.self) { try await store.device(named: "ada-1") }
    guard case .corrupt = error else { Issue.record("\(error!)"); return }
  }

  @Test("seals nothing to a row that something else has inserted", arguments: DatabaseEngine.allCases)
  func inserted(engine: DatabaseEngine) async throws {
    let (bench, _, store) = try await Self.scene(engine)
    try bench.attack(
      """
      INSERT INTO sealpush.device (name, person, topic, environment, token, identity, serial, has_token, token_set_at, keys,
        registration, version, proof, lost, pending, mac)
      SELECT 'ada-2', 'ada', topic, environment, '\(String(repeating: "ff", count: 32))',
        '\(String(repeating: "A", count: 43))', serial, has_token, token_set_at, keys, registration, 5, proof, lost,
        pending, mac
      FROM sealpush.device WHERE name = 'eve-1'
      """)
    await Self.expectDamage(store, "the row")
  }

  @Test("changes no registration that something else has written", arguments: DatabaseEngine.allCases)
  func line(engine: DatabaseEngine) async throws {
    let (bench, _, store) = try await Self.scene(engine)
    let device = try #require(try await store.device(named: "ada-1"))
    // The same registration in other bytes.
    try bench.attack("UPDATE sealpush.device SET registration = ' ' || registration WHERE name = 'ada-1'")
    let error = await #expect(throws: StoreError.self) { try await store.unregister(device) }
    guard case .corrupt = error else { Issue.record("\(error!)"); return }
    // A look-up uses the columns alone.
    #expect(try await Self.names(store, "ada") == ["ada-1"])
  }

  @Test("seals what it writes, whatever happens to a device", arguments: DatabaseEngine.allCases)
  func honest(engine: DatabaseEngine) async throws {
    let (bench, key, store) = try await Self.scene(engine)
    let other = try await bench.open(with: key)
    var phone = Phone("ada-2", token: 9)
    try await phone.register(at: other, of: "ada")
    #expect(try await Self.names(store, "ada").count == 2)
    let device = try #require(try await store.device(named: "ada-2"))
    #expect(try await store.unregister(device) == ["ada-2"])
    #expect(try await Self.faults(store, with: key).isEmpty)
    try await phone.register(at: store)
    #expect(try await store.quarantine(phone.address) == 1)
    #expect(try await Self.names(other, "ada") == ["ada-1"])
    #expect(try await other.release(phone.address) == 1)
    #expect(try await Self.names(store, "ada").count == 2)
    phone.address = Phone.address(8)
    try await phone.register(at: other, of: "ada")
    let known = try #require(try await store.registration(named: "ada-2"))
    var moved = known.registration
    try moved.assign(to: "carol")
    #expect(try await store.apply([.replace(known, moved)]))
    #expect(try await Self.names(other, "carol") == ["ada-2"])
    #expect(try await store.remove(.registration("bob-1")) == ["bob-1"])
    #expect(try await other.forget(person: "eve") == 1)
    #expect(
      try await store.registrations(after: nil, atMost: 9).map(\.registration.name) == ["ada-1", "ada-2"])
    #expect(try await Self.faults(store, with: key).isEmpty)
  }

  @Test("is not read or written without the key, but its queue is", arguments: DatabaseEngine.allCases)
  func withoutKey(engine: DatabaseEngine) async throws {
    let (bench, key, sealed) = try await Self.scene(engine)
    let store = try await bench.open(with: nil)
    func expectRefusal<Value>(_ work: () async throws -> Value) async {
      let error = await #expect(throws: StoreError.self) { _ = try await work() }
      guard case .rowKey(.missing, _) = error else { Issue.record("\(error!)"); return }
      #expect(error?.mayPass == false)
    }
    await expectRefusal { try await store.devices(of: ["ada"]) }
    await expectRefusal { try await store.device(named: "ada-1") }
    await expectRefusal { try await store.registrations(after: nil, atMost: 1) }
    let phone = Phone("new", token: 77)
    await expectRefusal {
      try await store.apply([.add(try Registration(name: "new", enrolment: Self.enrolment(of: phone)))])
    }
    #expect(try await store.enqueue([Job(.lunch, to: "ada")]).count == 1)
    #expect(try await store.remove(.registration("bob-1")) == ["bob-1"])
    #expect(try await Self.faults(sealed, with: key).isEmpty)
  }

  private static func enrolment(of phone: Phone) throws -> Enrolment {
    var phone = phone
    return try phone.enrolment()
  }

  @Test("has only that key", arguments: DatabaseEngine.allCases)
  func otherKey(engine: DatabaseEngine) async throws {
    let (bench, _, store) = try await Self.scene(engine)
    let error = await #expect(throws: StoreError.self) { try await bench.open(with: RowKey()) }
    guard case .rowKey(.other, _) = error else { Issue.record("\(error!)"); return }
    // Another key takes over while the store is open.
    _ = try await store.sealRows(with: RowKey(), anew: true) { _, _ in }
    await Self.expectDamage(store, "another key")
    var phone = Phone("new", token: 77)
    let enrolment = try phone.enrolment()
    let late = await #expect(throws: StoreError.self) {
      try await store.accept(enrolment, as: "new", mayBeNew: true)
    }
    guard case .rowKey(.other, _) = late else { Issue.record("\(late!)"); return }
  }

  @Test(
    "takes over what follows from the devices' signatures, and nothing else",
    arguments: DatabaseEngine.allCases)
  func takenOver(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    for (index, name) in ["ada-1", "bob-1", "eve-1"].enumerated() {
      var phone = Phone(name, token: UInt8(index + 1))
      try await phone.register(at: bench.store, of: String(name.prefix(3)))
    }
    try bench.attack("UPDATE sealpush.device SET person = 'bob' WHERE name = 'eve-1'")
    let plain = try await bench.open(with: nil)
    #expect(try await Self.faults(plain, with: nil) == ["eve-1": .column("person")])
    let error = await #expect(throws: StoreError.self) { try await bench.open(with: key) }
    guard case .rowKey(.unsealed, _) = error else { Issue.record("\(error!)"); return }
    var left: [String: RowFault] = [:]
    let result = try await plain.sealRows(with: key) { row, fault in left[row.name] = fault }
    #expect(result == SealedRows(sealed: 2, unchanged: 0, left: 1) && left == ["eve-1": .column("person")])
    let sealed = try await bench.open(with: key)
    #expect(try await Self.names(sealed, "ada") == ["ada-1"])
    await Self.expectDamage(sealed, "the row that was left", of: "bob")
    // Mended, but without a seal.
    try bench.attack("UPDATE sealpush.device SET person = 'eve' WHERE name = 'eve-1'")
    #expect(try await Self.faults(sealed, with: key) == ["eve-1": .noMAC])
    #expect(try await sealed.sealRows(with: key) { _, _ in } == SealedRows(sealed: 0, unchanged: 2, left: 1))
    #expect(
      try await sealed.sealRows(with: key, anew: true) { _, _ in }
        == SealedRows(sealed: 1, unchanged: 2, left: 0))
    #expect(try await Self.names(sealed, "eve") == ["eve-1"])
  }

  @Test("finds each column that was written by hand without the key", arguments: DatabaseEngine.allCases)
  func columns(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    for (index, name) in ["ada-1", "bob-1"].enumerated() {
      var phone = Phone(name, token: UInt8(index + 1))
      try await phone.register(at: bench.store, of: String(name.prefix(3)))
    }
    let store = try await bench.open(with: nil)
    #expect(try await Self.faults(store, with: nil).isEmpty)
    let changes = [
      ("keys", "(SELECT keys FROM sealpush.device WHERE name = 'bob-1')"), ("person", "'eve'"),
      ("token", "'\(String(repeating: "ff", count: 32))'"), ("topic", "'com.example.other'"),
      ("identity", "'\(String(repeating: "A", count: 43))'"), ("environment", "'sandbox'"),
      ("serial", "serial + 1"),
      ("has_token", "NOT has_token"), ("pending_token", "token"), ("registration", "'{}'"),
    ]
    for (column, value) in changes {
      try bench.attack("CREATE TABLE sealpush.copy AS SELECT * FROM sealpush.device")
      try bench.attack("UPDATE sealpush.device SET \(column) = \(value) WHERE name = 'ada-1'")
      let fault = column == "registration" ? RowFault.registration : .column(column)
      #expect(try await Self.faults(store, with: nil) == ["ada-1": fault], "\(column)")
      try bench.attack(
        """
        UPDATE sealpush.device SET \(column) = (SELECT \(column) FROM sealpush.copy WHERE name = 'ada-1')
        WHERE name = 'ada-1'
        """)
      try bench.attack("DROP TABLE sealpush.copy")
    }
  }

  @Test("has its key changed, by who has the old one", arguments: DatabaseEngine.allCases)
  func changedKey(engine: DatabaseEngine) async throws {
    let (bench, old, store) = try await Self.scene(engine)
    let new = RowKey()
    try bench.attack("UPDATE sealpush.device SET proof = 7 WHERE name = 'eve-1'")
    let plain = try await bench.open(with: nil)
    let error = await #expect(throws: StoreError.self) { try await plain.sealRows(with: new) { _, _ in } }
    guard case .rowKey(.other, _) = error else { Issue.record("\(error!)"); return }
    #expect(try await Self.names(store, "ada") == ["ada-1"])
    var left: [String: RowFault] = [:]
    let result = try await plain.sealRows(with: new, replacing: old) { row, fault in left[row.name] = fault }
    #expect(result == SealedRows(sealed: 2, unchanged: 0, left: 1) && left == ["eve-1": .wrongMAC])
    #expect(try await Self.names(bench.open(with: new), "ada") == ["ada-1"])
    await #expect(throws: StoreError.self) { try await bench.open(with: old) }
  }

  @Test("writes no seal over a row that was written since it was read", arguments: DatabaseEngine.allCases)
  func late(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    let store = try await bench.open(with: key)
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: store, of: "ada")
    let row = try #require(try await store.rows(after: .min, atMost: 9).first)
    let version = try await store.registration(named: "ada-1")?.version
    // It says nothing new, so that the version stays.
    _ = try await store.accept(phone.enrolment(), as: "ada-1", mayBeNew: false).get()
    #expect(try await store.registration(named: "ada-1")?.version == version)
    #expect(try await store.write([RowMAC(of: row, under: RowSeal(key))]) == 0)
    #expect(try await Self.faults(store, with: key).isEmpty)
    #expect(try await Self.names(store, "ada") == ["ada-1"])
  }

  @Test("goes on sealing where it was interrupted", arguments: DatabaseEngine.allCases)
  func interrupted(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: bench.store, of: "ada")
    let plain = try await bench.open(with: nil)
    try await plain.set(RowMark(keyID: key.id, isWhole: false))
    // Nobody without the key writes meanwhile.
    await #expect(throws: StoreError.self) { try await phone.register(at: plain, of: "bob") }
    let sealed = try await bench.open(with: key)
    await Self.expectDamage(sealed, "a row that is not sealed yet")
    #expect(try await plain.sealRows(with: key) { _, _ in } == SealedRows(sealed: 1, unchanged: 0, left: 0))
    #expect(try await plain.rowMark() == RowMark(keyID: key.id, isWhole: true))
    #expect(try await Self.names(sealed, "ada") == ["ada-1"])
  }
}

@Suite("A row key's file")
struct RowKeyFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("is its owner's alone, and no other file is replaced by it")
  func made() throws {
    let (path, key) = (folder.path(of: "row.key"), RowKey())
    try key.write(to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.utf8.count == 44 && text.hasSuffix("\n"))
    #expect(try RowKey(path: path).id == key.id)
    #expect(throws: KeyFileError.self) { try RowKey().write(to: path) }
    #expect(try RowKey(path: path).id == key.id)
    for shown in logged(key) { #expect(!shown.contains(text.dropLast())) }
  }

  @Test("gives the name of the key in a store: 16 bytes of a label's HMAC")
  func id() throws {
    let path = folder.path(of: "row.key")
    try RowKey().write(to: path)
    let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    #expect(try RowKey(path: path).id == "zH7TgcQMOiaGfyXxjMY-6A")
  }

  @Test(
    "has 32 bytes in base64url, and nothing else",
    arguments: [
      "", "x", String(repeating: "A", count: 43), String(repeating: "x", count: 42),
      String(repeating: "x", count: 44),
      String(repeating: "B", count: 43), "+" + String(repeating: "x", count: 41) + "A",
    ])
  func wrong(text: String) throws {
    let path = folder.path(of: "wrong.key")
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(throws: KeyFileError.self) { try RowKey(path: path) }
  }

  @Test("is refused if others have access to it")
  func open() throws {
    let path = folder.path(of: "row.key")
    try RowKey().write(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: KeyFileError(.tooPermissive(mode: 0o644), path: path)) { try RowKey(path: path) }
  }
}
