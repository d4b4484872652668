internal import PushCore

/// A push that passed the checks.
struct AcceptedPush: Sendable {
  /// The push's row in the log.
  let row: Int
  let kind: PushKind
  let priority: Int64
  /// When APNs gives up; nil if it makes a single attempt.
  let keptUntil: UnixTime?
  let collapseID: String?
  /// The identifier of its notification: the collapse ID, or else the message's.
  let identifier: String
  let payload: [UInt8]

  /// The longest time for which APNs keeps a push, in seconds: 30 days.
  static let longestKept: Int64 = 30 * 86_400

  /// Reads the headers of a request that passed the checks.
  init(request: APNsRequest, id: RequestID, kind: PushKind, row: Int, at now: UnixTime) {
    self.row = row
    self.kind = kind
    priority = request["apns-priority"]?.decimal ?? PushKind.defaultPriority
    collapseID = request["apns-collapse-id"]
    identifier = collapseID ?? id.text
    payload = request.body
    let latest = now.advanced(by: .seconds(Self.longestKept))
    let expiration = request["apns-expiration"]?.decimal
    keptUntil = expiration == 0 ? nil : min(expiration.map { UnixTime(clamping: $0) } ?? latest, latest)
  }
}
