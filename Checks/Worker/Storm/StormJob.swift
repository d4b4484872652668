import PushCore
import PushStore

/// A job of the storm.
struct StormJob {
  /// What it sends: about half of the jobs are alerts, which a phone shows, and the others go round.
  enum Kind: Int, CaseIterable {
    case background, voip, complication, pushToTalk, update, end, alert

    init(of number: Int) { self = Self(rawValue: number % 13) ?? .alert }

    var pushType: PushType {
      switch self {
      case .background: .background
      case .voip: .voip
      case .complication: .complication
      case .pushToTalk: .pushToTalk
      case .update, .end: .liveActivity
      case .alert: .alert
      }
    }
  }

  /// The Live Activity that each phone has.
  static let activity = "order"

  /// Its place in the queue, which is also its text.
  let number: Int

  let kind: Kind

  /// The job's own ID.
  let messageID = MessageID.timeOrdered()

  /// The ID that APNs must see.
  let id: MessageID

  /// Makes the job with a number for a person who has one device.
  init(_ number: Int, to identity: Thumbprint) {
    (self.number, kind) = (number, Kind(of: number))
    id = messageID.derived(for: identity)
  }

  /// Its row in the queue; what has a key is for later, so that some of it is cancelled before a worker has it.
  func row(to person: String) throws -> Job {
    let later = UnixTime.now.advanced(by: .seconds(20))
    // A storm takes longer than a phone rings.
    return try Job(
      payload, to: person, messageID: messageID, notBefore: key == nil ? nil : later, lifetime: .maximum,
      pushType: kind.pushType, key: key.map { JobKey($0) },
      activity: kind.pushType == .liveActivity ? Self.activity : nil)
  }

  /// Whether it is cancelled alone, by its ID.
  var isCancelled: Bool { number % 20 == 7 }

  /// The key by which it is cancelled, with the next or the last one; nil if it has none.
  var key: String? { [18, 19].contains(number % 40) ? "key \(number / 40)" : nil }

  private var payload: JSONObject {
    switch kind {
    case .alert: ["aps": ["alert": ["title": "Lunch", "body": .string("\(number)")], "sound": "default"]]
    case .background: ["aps": ["content-available": 1], "number": .number(JSONNumber(number))]
    case .voip, .complication, .pushToTalk: ["aps": [:], "number": .number(JSONNumber(number))]
    case .update: state("update")
    case .end: state("end")
    }
  }

  private func state(_ event: String) -> JSONObject {
    [
      "aps": [
        "event": .string(event), "timestamp": .number(JSONNumber(UnixTime.now.seconds)),
        "content-state": ["number": .number(JSONNumber(number))],
      ]
    ]
  }
}
