internal import PushEnvelope

/// The provider tokens that APNs has seen: how often a team makes a new one.
///
/// A team that makes more than are allowed in 20 minutes is refused with its newest, and may go on using those before.
struct ProviderTokens {
  /// A token that was taken, by its signature.
  private struct Known {
    let signature: [UInt8]
    let seenAt: UnixTime
  }

  /// The span in which new tokens are counted, in seconds.
  private static let span: Int64 = 20 * 60

  /// The most teams that are remembered.
  private static let maximumTeams = 100

  private var known: [String: [Known]] = [:]

  /// Whether a token is known, or is one of at most `count` new ones of its team in 20 minutes.
  func allows(_ token: BearerToken, newTokens count: Int, at now: UnixTime) -> Bool {
    guard let known = known[token.teamID], !known.contains(where: { $0.signature == token.signature }) else {
      return true
    }
    return known.count { $0.seenAt.seconds > now.seconds - Self.span } < count
  }

  /// Remembers a token until it has expired.
  mutating func note(_ token: BearerToken, at now: UnixTime) {
    var team = known[token.teamID] ?? []
    guard !team.contains(where: { $0.signature == token.signature }) else { return }
    team.removeAll { $0.seenAt.seconds < now.seconds - BearerToken.lifetime }
    team.append(Known(signature: token.signature, seenAt: now))
    if known.count >= Self.maximumTeams, known[token.teamID] == nil { known.removeAll() }
    known[token.teamID] = team
  }
}
