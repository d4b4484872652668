import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushTesting

let app = (try? Topic("com.example.app"))!
let home = (try? Audience("https://push.example.com"))!
let firstDay = UnixTime(clamping: 1_800_000_000 / 86_400 * 86_400)
let oneDay: Int64 = 86_400

/// Weeks of a backend, of phones and of what travels between them, six hours a step.
///
/// APNs keeps a push for 30 days at most, and delivers in any order. Enrolments, proof requests and answers are late,
/// lost, or there twice. Phones are off for up to four weeks. Apps are started within three days of that, and every few days; but one
/// never is again: its keys are proven at once, and its extension takes the senders' set from the pushes.
struct Weeks {
  /// What happened.
  struct Tally: Equatable {
    var sealed = 0, opened = 0, expiredAtAPNs = 0
    /// Pushes of the backend's that a phone refused, by reason.
    var lost: [DegradeReason: Int] = [:]
    /// Enrolments by what became of them.
    var enrolments: [String: Int] = [:]
    /// Proof requests by what a phone made of them.
    var requests: [String: Int] = [:]
    /// Answers that a phone got to its enrolments.
    var answers: [String: Int] = [:]
    var rotations = 0, published = 0
    var destroyedDeviceKeys = 0
  }

  private(set) var now: UnixTime
  private(set) var tally = Tally()
  private(set) var phones: [Handset]
  var backend: Backend
  var office: Office
  var random: SeededGenerator
  /// Every push that a phone opened, and when it was sealed.
  private(set) var seen: [(phone: Int, push: JSONObject, sealedAt: UnixTime)] = []
  /// Enrolments on their way to the backend, and answers back.
  private var mail: [(due: UnixTime, phone: Int, letter: Letter)] = []
  /// When each app was started last.
  private var launched: [UnixTime]
  /// Every enrolment that ever travelled.
  private(set) var recorded: [(phone: Int, enrolment: Enrolment)] = []

  private enum Letter {
    case enrolment(Enrolment)
    case answer(Enrolment)
  }

  init(seed: UInt64, phones count: Int, folder: String) throws {
    random = SeededGenerator(seed: seed)
    now = firstDay
    var office = try Office(at: firstDay)
    backend = try Backend(at: firstDay, &office)
    phones = try (1...count).map { try Handset($0, folder: folder, roots: office.roots, at: firstDay) }
    self.office = office
    launched = phones.map { _ in firstDay }
    for index in phones.indices { try post(index, lossless: true) }
  }

  /// Lets six hours go by.
  mutating func step() throws {
    now = now.advanced(by: .seconds(oneDay / 4))
    if now.seconds % oneDay == 0, let keys = try backend.night(at: now) {
      tally.rotations += 1
      office.handIn(keys, due: now.advanced(by: .seconds(between(1, 7) * oneDay)))
    }
    for set in try office.work(at: now) {
      backend.publish(set)
      tally.published += 1
    }
    try deliverMail()
    for index in phones.indices {
      try seal(to: index)
      guard phones[index].offUntil <= now else { continue }
      try deliver(to: index)
      try deliverRequests(to: index)
      if index > 0, chance(1, in: 24) || launched[index].advanced(by: .seconds(3 * oneDay)) <= now {
        try post(index)
      }
      if chance(1, in: 120) { phones[index].offUntil = now.advanced(by: .seconds(between(1, 28) * oneDay)) }
    }
  }

  /// The app is started, and an enrolment goes off.
  private mutating func post(_ index: Int, lossless: Bool = false) throws {
    launched[index] = now
    let before = ids(index)
    let enrolment = try phones[index].launch(backend.published, at: now)
    tally.destroyedDeviceKeys += before.subtracting(ids(index)).count
    recorded.append((index, enrolment))
    guard lossless || !chance(1, in: 5) else { return }
    mail.append(
      (now.advanced(by: .seconds(lossless ? 0 : between(0, 10) * oneDay)), index, .enrolment(enrolment)))
    if chance(1, in: 10) {
      mail.append((now.advanced(by: .seconds(between(0, 40) * oneDay)), index, .enrolment(enrolment)))
    }
  }

  private mutating func deliverMail() throws {
    let due = mail.filter { $0.due <= now }
    mail.removeAll { $0.due <= now }
    for (_, index, letter) in due {
      switch letter {
      case .enrolment(let enrolment):
        let outcome = try take(enrolment, from: phones[index].name)
        tally.enrolments[outcome, default: 0] += 1
        if outcome == "pending" { try ask(index) }
        // While it is pending, the backend uses the old keys.
        let isTaken = ["registered", "updated", "unchanged"].contains(outcome)
        guard isTaken, !chance(1, in: 5) else { continue }
        mail.append((now.advanced(by: .seconds(between(0, 40) * oneDay)), index, .answer(enrolment)))
      case .answer(let enrolment):
        let isOfNow = try phones[index].keys.confirm(enrolment, at: now)
        tally.answers[isOfNow ? "of the keys of now" : "of keys that were replaced", default: 0] += 1
      }
    }
  }

  private mutating func take(_ enrolment: Enrolment, from name: String) throws -> String {
    do throws(SignedSetError) {
      return try backend.take(enrolment.encoded(), from: name).rawValue
    } catch {
      return error.code
    }
  }

  /// The backend has something proven, which APNs loses now and then.
  private mutating func ask(_ index: Int) throws {
    let isLost = chance(1, in: 8) && index > 0
    guard !isLost, let request = try backend.request(to: phones[index].name, at: now) else { return }
    phones[index].requests.append((now, request))
    if chance(1, in: 10) { phones[index].requests.append((now, request)) }
  }

  /// APNs hands over requests, or drops them after 30 days.
  ///
  /// Answers are lost now and then.
  private mutating func deliverRequests(to index: Int) throws {
    let held = phones[index].requests
    phones[index].requests = []
    for item in held {
      if now.seconds - item.since.seconds > 30 * oneDay { continue }
      guard chance(1, in: 4) else {
        phones[index].requests.append(item)
        continue
      }
      switch try phones[index].answer(item.push, at: now) {
      case nil: tally.requests["duplicate", default: 0] += 1
      case .failure(let refusal)?: tally.requests[refusal.rawValue, default: 0] += 1
      case .success(let answer)?:
        tally.requests["answered", default: 0] += 1
        recorded.append((index, answer))
        let isLost = chance(1, in: 8) && index > 0
        guard !isLost else { continue }
        mail.append((now.advanced(by: .seconds(between(0, 3) * oneDay)), index, .enrolment(answer)))
      }
    }
  }

  private mutating func seal(to index: Int) throws {
    guard chance(1, in: 2), let push = try backend.seal(to: phones[index].name, at: now) else { return }
    tally.sealed += 1
    phones[index].held.append((now, push))
  }

  /// APNs hands over what it holds: some of it now, the rest by its last day.
  private mutating func deliver(to index: Int) throws {
    let held = phones[index].held
    phones[index].held = []
    for item in held.shuffled(using: &random) {
      let age = now.seconds - item.since.seconds
      if age > 30 * oneDay {
        tally.expiredAtAPNs += 1
      } else if age == 30 * oneDay || chance(1, in: 12) {
        do throws(DegradeReason) {
          try phones[index].open(item.push, at: now)
          tally.opened += 1
          seen.append((index, item.push, item.since))
        } catch {
          tally.lost[error, default: 0] += 1
        }
      } else {
        phones[index].held.append(item)
      }
    }
  }

  private func ids(_ index: Int) -> Set<Thumbprint> {
    let records = try? phones[index].keys.update(orMake: .x25519ChaChaPoly, at: now) { keys in
      keys.device.records
    }
    return Set(records?.map(\.id) ?? [])
  }

  private mutating func chance(_ count: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &random) < count
  }

  private mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
    .random(in: low...high, using: &random)
  }
}
