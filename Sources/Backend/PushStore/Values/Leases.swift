public import PushCore

/// A job's number in its store, which no other job ever has.
public struct JobID: Hashable, Comparable, Sendable {
  /// The column `id`.
  public let number: Int64

  /// Takes the column `id`.
  public init(_ number: Int64) { self.number = number }

  /// Whether one was enqueued before the other.
  public static func < (left: JobID, right: JobID) -> Bool { left.number < right.number }
}

/// The right to work on a job until the lease ends.
///
/// Its number grows with each lease, so a worker that was too slow no longer decides what becomes of the job.
public struct Lease: Hashable, Sendable {
  /// The job.
  public let job: JobID

  /// How often the job had been leased, this time included.
  public let number: Int64

  /// Makes a lease of its parts.
  public init(job: JobID, number: Int64) {
    self.job = job
    self.number = number
  }
}

/// A job that a worker has leased.
public struct LeasedJob: Sendable {
  /// The lease.
  public let lease: Lease

  /// How often it was leased since it was enqueued or sent again, this time included.
  ///
  /// Attempts that a retry forgave do not count: see ``JobRetry/attempts``.
  public let attempt: Int

  /// When others may lease it, by the engine's clock, without the fraction of a second.
  ///
  /// To know when your lease ends, read a clock that never goes back before you ask for the lease.
  public let leaseEnd: UnixTime

  /// The job, or why the row is not one; then discard it.
  public let job: Result<Job, JobFault>

  /// The keys that signed the first attempt, one a sender.
  ///
  /// While you have the key, sign with it again: the device then knows a repeat as one.
  public var senders: Set<Thumbprint> { firstSenders.keys }

  /// The identities of the devices that need nothing more, because APNs has accepted their push.
  public let settled: Set<Thumbprint>

  /// The devices that are the only ones to get it, because it was sent again after the others had got it; empty for all
  /// devices of the person.
  public let missing: [MissingDevice]

  /// Until when it may wait for a device that proves a new token; nil if it has not waited.
  public let waitsUntil: UnixTime?

  /// The keys that signed the first attempt, as they are stored.
  package let firstSenders: FirstSenders

  /// What it asks for if its outcomes are to be recorded, even if the row is no job; nil if they are not.
  package let outcomeRequest: OutcomeRequest?

  package init(
    lease: Lease, attempt: Int, leaseEnd: UnixTime, job: Result<Job, JobFault>, firstSenders: FirstSenders,
    settled: Set<Thumbprint>, missing: [MissingDevice] = [], waitsUntil: UnixTime? = nil,
    outcomeRequest: OutcomeRequest? = nil
  ) {
    self.lease = lease
    // A row that something else has written may have any number, and the least of all cannot be counted down.
    self.attempt = max(attempt, 1)
    self.leaseEnd = leaseEnd
    self.job = job
    self.firstSenders = firstSenders
    self.settled = settled
    self.missing = missing
    self.waitsUntil = waitsUntil
    self.outcomeRequest = outcomeRequest
  }
}

/// A leased job that is to be tried again.
public struct JobRetry: Sendable {
  /// The lease, which ends now.
  public let lease: Lease

  /// How long to wait; with zero, the job keeps its place among the ready ones.
  public let delay: Duration

  /// The identities of the devices that need nothing more, after this attempt and the earlier ones.
  public let settled: Set<Thumbprint>

  /// How many attempts count so far; the next lease is one more.
  public let attempts: Int

  /// Whether it waits for a device that proves a new token.
  ///
  /// It is ready at once when the person's device has proven it. It may wait for ``longestWait`` in all. Of the jobs of one
  /// person that wait, the newest ``maximumWaiting`` do; the others go to the dead letters.
  public let isWaiting: Bool

  /// How long a job may wait for a device's new token: 72 hours.
  public static let longestWait = Duration.seconds(72 * 3600)

  /// How many jobs of a person may wait for a device's new token: 100.
  public static let maximumWaiting = 100

  /// Why the older ones of too many jobs that wait are dead letters.
  package static let displaced = "too many newer messages wait for a device of its person"

  /// The route for which it is held: it is not leased before ``SteeringBook/releaseHeld(atMost:)`` or the end of ``delay``; nil
  /// if it is not held.
  public let heldFor: Route?

  /// Why, for operators: it names no token, text or key; at most 500 bytes are kept.
  public let reason: String

  /// Tries a job again after `delay`, without the devices in `settling`, which this attempt has settled.
  ///
  /// `attempts` is how many of the job's attempts count; nil counts all. `isWaiting` is whether it waits for a device that
  /// proves a new token, and `route` the one for which it is held.
  public init(
    _ job: LeasedJob, after delay: Duration, settling: Set<Thumbprint> = [], attempts: Int? = nil,
    isWaiting: Bool = false, heldFor route: Route? = nil, reason: String
  ) {
    lease = job.lease
    self.delay = delay
    settled = job.settled.union(settling)
    // A row that something else has written may have any number.
    self.attempts = min(max(min(attempts ?? .max, job.attempt), 0), 1 << 30)
    self.isWaiting = isWaiting
    heldFor = route
    self.reason = Reason.shortened(reason)
  }
}

/// A leased job that goes to the dead letters.
public struct JobDiscard: Sendable {
  /// The lease, which ends now.
  public let lease: Lease

  /// Why, for operators: it names no token, text or key; at most 500 bytes are kept.
  public let reason: String

  /// The identities of the devices that have the message; nil leaves them as they are.
  public let settled: Set<Thumbprint>?

  /// The devices that did not get it; empty if none is known.
  ///
  /// When the job is sent again, they alone get it.
  public let missing: [MissingDevice]

  /// Discards a job.
  public init(
    _ lease: Lease, reason: String, settled: Set<Thumbprint>? = nil, missing: [MissingDevice] = []
  ) {
    self.lease = lease
    self.reason = Reason.shortened(reason)
    self.settled = settled
    self.missing = missing
  }
}

/// Why a job or an enrolment is where it is.
enum Reason {
  private static let maximumSize = 500

  /// As many of the text's first characters as 500 bytes hold.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > maximumSize else { return text }
    var short = ""
    for character in text.unicodeScalars {
      guard short.utf8.count + UTF8.width(character) <= maximumSize else { break }
      short.unicodeScalars.append(character)
    }
    return short
  }
}

/// The identities in the column `settled`: thumbprints with spaces between them.
package enum SettledDevices {
  /// The column's text; nil if there are none.
  package static func text(of identities: Set<Thumbprint>) -> String? {
    identities.isEmpty ? nil : identities.map(\.text).sorted().joined(separator: " ")
  }

  /// The identities in a text; words that are not thumbprints are left out.
  package static func identities(in text: String?) -> Set<Thumbprint> {
    Set((text ?? "").split(separator: " ").compactMap { try? Thumbprint(String($0)) })
  }
}

extension JobID: CustomStringConvertible {
  /// The number.
  public var description: String { String(number) }
}
