import PushCore
import PushEnrolment
import PushKeys

/// Where the root's key is: nobody is there at night, and a set that is handed in comes back days later.
struct Office {
  /// How long a set lasts: longer than until the next rotation is signed and the last phone is on again.
  static let lifetime = 120 * oneDay

  let roots: PublicKeySet
  private var root: KeySetEditor
  private var desk: [(due: UnixTime, keys: PublicKeySet)] = []

  init(at now: UnixTime) throws {
    root = KeySetEditor(KeySet(generating: .root, at: now))
    roots = try root.keySet.publicKeys
  }

  mutating func handIn(_ keys: PublicKeySet, due: UnixTime) { desk.append((due, keys)) }

  /// Signs what is due.
  mutating func work(at now: UnixTime) throws -> [SenderKeySet] {
    let due = desk.filter { $0.due <= now }
    desk.removeAll { $0.due <= now }
    return try due.map {
      try root.signSenders($0.keys, for: app, expiresAt: now.advanced(by: .seconds(Self.lifetime)), at: now)
    }
  }
}
