internal import PushCrypto
package import PushCore
package import PushEnrolment
internal import PushKeys

/// Counts a backend's devices by the suites of their keys, to see which devices a policy that requires quantum
/// resistance would refuse.
///
/// A file is read line by line. Memory holds some 20 bytes for each person, and nothing for each device.
package struct KeyReport: Sendable {
  /// The devices with an active key for a suite.
  package struct SuiteCount: Hashable, Sendable {
    /// The devices whose newest enrolment has one.
    package var enrolled = 0
    /// The devices that have proven one that has not expired: messages are sealed to it.
    package var proven = 0
  }

  /// The persons with devices that messages are sealed to.
  package struct PersonCount: Hashable, Sendable {
    /// The persons whose devices would all get their messages under the policy.
    package var all = 0
    /// The persons of whom only some devices would.
    package var some = 0
    /// The persons of whom no device would.
    package var none = 0
  }

  /// How many devices there are.
  package private(set) var devices = 0

  /// How many have a key or token that is still to be proven.
  package private(set) var pending = 0

  /// How many have no proven, unexpired key: nothing is sealed to them, whatever the policy.
  package private(set) var unreachable = 0

  /// How many have a proven key for a suite that a quantum computer cannot open.
  package private(set) var ready = 0

  /// How many get messages now, but would be refused if such a suite were required.
  package var refused: Int { devices - unreachable - ready }

  private var counts: [Suite: SuiteCount] = [:]

  /// Whether a person's devices would be refused, by the beginning of a digest of the person's name.
  private var persons: [UInt64: Devices] = [:]

  private struct Devices: OptionSet {
    let rawValue: UInt8
    static let ready = Devices(rawValue: 1)
    static let refused = Devices(rawValue: 2)
  }

  /// Makes an empty report.
  package init() {}

  /// Reads a file of registrations or unsigned enrolments; keys are judged at `now`.
  ///
  /// - Throws: ``RecipientFileError``, for the first invalid line.
  package init(path: String, at now: UnixTime) throws(RecipientFileError) {
    var number = 0
    try RecipientFile.forEachLine(of: path) { (line) throws(RecipientFileError) in
      number += 1
      do throws(RecipientFileError.Fault) {
        switch try RecipientLine(parsing: line, services: PushService.every) {
        case .registration(let registration): count(registration, at: now)
        case .unsigned(let device):
          count(enrolled: device.keys, proven: device.keys, of: device.persons, at: now)
        }
      } catch {
        throw .line(number, error, path: path)
      }
    }
  }

  /// The count of a suite.
  package subscript(suite: Suite) -> SuiteCount { counts[suite] ?? SuiteCount() }

  /// The count of the persons, without the devices whose person is unknown.
  package var personCount: PersonCount {
    persons.values.reduce(into: PersonCount()) { count, devices in
      switch devices {
      case .ready: count.all += 1
      case .refused: count.none += 1
      default: count.some += 1
      }
    }
  }

  /// Counts a device.
  package mutating func count(_ registration: Registration, at now: UnixTime) {
    if registration.pending != nil { pending += 1 }
    count(
      enrolled: registration.enrolment.keys, proven: registration.proven?.keys, of: registration.persons,
      at: now)
  }

  private mutating func count(
    enrolled: PublicKeySet?, proven: PublicKeySet?, of names: [String], at now: UnixTime
  ) {
    devices += 1
    let (enrolled, proven) = (Self.suites(of: enrolled, at: nil), Self.suites(of: proven, at: now))
    for suite in enrolled { counts[suite, default: SuiteCount()].enrolled += 1 }
    for suite in proven { counts[suite, default: SuiteCount()].proven += 1 }
    guard !proven.isEmpty else {
      unreachable += 1
      return
    }
    let isReady = proven.contains(where: \.isQuantumResistant)
    if isReady { ready += 1 }
    for name in names {
      let name = Array(name.utf8)
      let key = SHA256.digest(name.span).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      persons[key, default: []].formUnion(isReady ? .ready : .refused)
    }
  }

  /// The suites of a set's active keys, without keys that have expired at `now`.
  private static func suites(of keys: PublicKeySet?, at now: UnixTime?) -> Set<Suite> {
    let active = (keys?.records ?? []).filter { record in
      record.life.status == .active && now.map { !record.life.hasExpired(at: $0) } ?? true
    }
    return Set(active.compactMap(\.algorithm.suite))
  }
}
