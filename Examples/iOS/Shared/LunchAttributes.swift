import ActivityKit
import SealedPush

/// The Live Activity of today's lunch.
struct LunchAttributes: ActivityAttributes {
  /// What changes: the envelope, which is all that Apple sees.
  ///
  /// It is empty until the first push.
  struct ContentState: Codable, Hashable, Sendable {
    // The name of the member that the backend's sealer writes.
    let ENCRYPTED_DATA: String
  }

  /// Where it is; the app knows it, and no push has it.
  let place: String
}

extension LunchAttributes.ContentState {
  /// What the backend says, or the placeholder; never an older state than one that was shown before.
  func status(of activity: String) -> String {
    guard let shared = try? SharedPush.lunch(),
      let message = try? shared.activities.open(ENCRYPTED_DATA, of: activity, with: shared.receiver),
      let status = message.notification.liveActivity?.contentState?["status"]?.string
    else { return "(Encrypted)" }
    return status
  }
}
