// The tokens of a phone for calls and Live Activities, which its app hands in.

import SealedPush

/// Tells the backend all tokens that there are, whenever one is new or has ended.
///
/// `calls` is from `pushRegistry(_:didUpdate:for:)`, and nil after `didInvalidatePushTokenFor`. `starting` is from
/// `Activity<OrderAttributes>.pushToStartTokenUpdates`, and `orders` has the tokens from `pushTokenUpdates` of the activities that
/// run, each with the name by which the backend knows the activity.
func handIn(
  calls: DeviceToken?, starting: DeviceToken?, orders: [String: DeviceToken],
  with registration: PushRegistration
) async throws {
  var tokens: [TokenUse: DeviceToken] = [:]
  tokens[.voip] = calls
  tokens[.activityStart(attributes: "OrderAttributes")] = starting
  for (order, token) in orders { tokens[.activity(named: order)] = token }
  try await registration.handIn(tokens: tokens)
}
