import ActivityKit
import SealedPush

extension LunchPush {
  /// Starts the Live Activity, and tells the backend its token whenever iOS gives one, until it ends.
  ///
  /// The backend seals its states to the keys that the device has enrolled.
  func followLunch(at place: String) async throws {
    let content = ActivityContent(state: LunchAttributes.ContentState(ENCRYPTED_DATA: ""), staleDate: nil)
    let activity = try Activity.request(
      attributes: LunchAttributes(place: place), content: content, pushType: .token)
    for await token in activity.pushTokenUpdates {
      guard let token = DeviceToken([UInt8](token)) else { continue }
      _ = try await Session.post("activity", ["token": token.text])
    }
  }
}
