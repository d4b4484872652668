internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// A row of `device` as it stands in the table, whatever has written it.
package struct RawDevice: Sendable {
  /// The registration's name.
  package let name: String
  let id: Int64
  /// The state that a conditional write asks for, together with the serial.
  let version: Int64
  let serial: Int64
  /// Whether it has proven keys.
  package let isProven: Bool
  /// Whether nothing is sent to it, because APNs refused its token.
  package let isQuarantined: Bool
  fileprivate let texts: [String: [UInt8]?]
  fileprivate let shares: [String]
  fileprivate let hasToken, isLost, isPending: Bool
  fileprivate let line: [UInt8]
  fileprivate let image: RowImage
  fileprivate let mac: [UInt8]?

  /// Whether it has a MAC, be it a wrong one.
  var hasMAC: Bool { mac != nil }

  /// Whether its MAC is that of its columns under the key.
  func isAuthentic(under seal: RowSeal) -> Bool { seal.isAuthentic(image, line: line, mac: mac) }

  /// The MAC that it should have with this line.
  func mac(under seal: RowSeal, line: [UInt8]) -> String { seal.mac(of: image, line: line) }

  /// The line that it should have under a key: with its proof encrypted, whether that is encrypted under the key, under the
  /// `old` one or not; what is pending goes if it is encrypted under a key that is lost.
  func line(under seal: RowSeal, replacing old: RowSeal?) -> [UInt8] {
    let open = [seal, old].lazy.compactMap(\.self).compactMap { $0.proofs.opening(line) }.first
    return open.map(seal.proofs.sealing) ?? ProofSeal.forgetting(line)
  }

  /// What in the row does not follow from its registration's line, whose signatures are verified; nil if all does.
  func mismatch() -> RowFault? {
    guard let registration = try? Registration(parsing: ProofSeal.blank(line).span) else {
      return .registration
    }
    let row = DeviceRow(registration, over: nil)
    let expected: [(String, String?)] = [
      ("name", row.name), ("person", row.person), ("persons", row.persons), ("topic", row.topic),
      ("environment", row.environment),
      ("token", row.token), ("pending_token", row.pendingToken), ("identity", row.identity),
      ("keys", row.keys),
    ]
    for (column, text) in expected where texts[column] ?? nil != text.map({ Array($0.utf8) }) {
      return .column(column)
    }
    // Somebody may have left, but nobody comes without a registration.
    if !shares.allSatisfy(row.shares.contains) { return .column("device_share") }
    if serial != row.serial { return .column("serial") }
    if hasToken != row.hasToken { return .column("has_token") }
    // What else these two say is not in the line.
    if isLost && isProven { return .column("lost") }
    if row.isPending && !isPending { return .column("pending") }
    return nil
  }
}

/// The columns of a device's row as it stands.
package struct RawDeviceColumns: RowColumns {
  private static let texts = [
    "name", "person", "persons", "topic", "environment", "token", "pending_token", "identity", "keys",
  ]

  private let sealed: SealedColumns
  private let texts: [(String, Column)]
  private let id, name, shares, keys, serial, hasToken, lost, pending, refusedAt, version,
    registration: Column

  package init(in names: some ColumnNames) {
    sealed = SealedColumns(in: names)
    texts = Self.texts.map { ($0, names.column($0)) }
    id = names.column("id")
    name = names.column("name")
    shares = names.column("shares")
    keys = names.column("keys")
    serial = names.column("serial")
    hasToken = names.column("has_token")
    lost = names.column("lost")
    pending = names.column("pending")
    refusedAt = names.column("refused_at")
    version = names.column("version")
    registration = names.column("registration")
  }

  package func device(in row: borrowing some StoreRow & ~Copyable) -> RawDevice {
    var texts: [String: [UInt8]?] = [:]
    for (name, column) in self.texts {
      texts[name] = .some(row.bytes(in: column, atMost: Registration.maximumLineSize + 1))
    }
    let (image, mac) = sealed.sealed(in: row)
    return RawDevice(
      name: row.text(in: name) ?? "", id: row.integer(in: id), version: row.integer(in: version),
      serial: row.integer(in: serial), isProven: !row.isNull(keys), isQuarantined: !row.isNull(refusedAt),
      texts: texts, shares: Shares.persons(in: row.text(in: shares)) ?? [],
      hasToken: row.boolean(in: hasToken), isLost: row.boolean(in: lost),
      isPending: row.boolean(in: pending),
      line: row.bytes(in: registration, atMost: ProofSeal.maximumLineSize + 1) ?? [], image: image,
      mac: mac)
  }
}

/// What is wrong with a row of `device`.
package enum RowFault: Hashable, Sendable, CustomStringConvertible {
  /// The registration's line is invalid, or a signature in it is.
  case registration
  /// A column is not what the registration's line says.
  case column(String)
  /// The store is sealed, and the row is not.
  case noMAC
  /// The row is not what was sealed.
  case wrongMAC

  package var description: String {
    switch self {
    case .registration: "its registration is invalid"
    case .column(let name): "the column \(name) does not follow from its registration"
    case .noMAC: "it is not sealed"
    case .wrongMAC: "it is not as it was sealed"
    }
  }
}

/// What a store says of its row key, in the table `setting`.
package struct RowMark: Equatable, Sendable {
  /// The key's ID.
  package let keyID: String
  /// Whether all rows are sealed; false while that is being done.
  package let isWhole: Bool

  package init(keyID: String, isWhole: Bool) { (self.keyID, self.isWhole) = (keyID, isWhole) }

  private static let unfinished = " sealing"

  /// Reads the setting's value.
  package init(_ text: String) {
    isWhole = !text.hasSuffix(Self.unfinished)
    keyID = isWhole ? text : String(text.dropLast(Self.unfinished.count))
  }

  /// The setting's value.
  package var text: String { isWhole ? keyID : keyID + Self.unfinished }

  /// Why a store with this mark is not open to who has `key`; nil if it is.
  package static func fault(of mark: RowMark?, for key: RowSeal?) -> RowKeyFault? {
    switch (mark, key) {
    case (nil, nil): nil
    case (nil, _): .unsealed
    case (_, nil): .missing
    case (let mark?, let key?): mark.keyID == key.keyID ? nil : .other
    }
  }
}

/// What seals the rows of `device`: the column `mac`, and the mark in `setting`.
package protocol RowKeyTable<Failure> {
  associatedtype Failure: Error

  /// What the store says of its row key; nil if it is not sealed.
  func mark() throws(Failure) -> RowMark?

  /// Sets the mark, after which no writer without the key commits a change of `device`.
  ///
  /// If `isEmpty`, it sets the mark only if there is none, and no device.
  func set(_ mark: RowMark, ifEmpty isEmpty: Bool) throws(Failure)

  /// The rows in the order of their numbers, as they stand.
  func rows(after id: Int64, atMost count: Int) throws(Failure) -> [RawDevice]

  /// Writes the MACs and the lines of rows that have not changed since they were read, and returns how many those are.
  func write(_ macs: [RowMAC]) throws(Failure) -> Int
}

/// The MAC of a row in the state in which it was read.
package struct RowMAC: Sendable {
  package let id: Int64
  package let version: Int64
  package let serial: Int64
  package let mac: String
  /// The registration's line, with its proof encrypted.
  package let registration: String

  /// Computes the MAC of a row that was read, and encrypts its proof, which may be encrypted under the `old` key.
  package init(of row: RawDevice, under seal: RowSeal, replacing old: RowSeal? = nil) {
    (id, version, serial) = (row.id, row.version, row.serial)
    let line = row.line(under: seal, replacing: old)
    mac = row.mac(under: seal, line: line)
    registration = String(decoding: line, as: UTF8.self)
  }
}
