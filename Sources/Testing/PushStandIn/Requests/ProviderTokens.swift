internal import PushCore

/// The provider tokens that APNs has seen, to limit how often a team makes a new one.
///
/// If a team makes more tokens than are allowed in 20 minutes, its newest one is refused; it may go on using the
/// earlier ones.
struct ProviderTokens {
  /// A token that was accepted.
  private struct Known {
    let token: BearerToken
    let seenAt: UnixTime
  }

  /// The span in which new tokens are counted, in seconds.
  private static let span: Int64 = 20 * 60

  /// The most teams that are remembered.
  private static let maximumTeams = 100

  private var known: [String: [Known]] = [:]

  /// Whether a token was accepted before, so that its signature is known to be valid.
  func knows(_ token: BearerToken) -> Bool { known[token.teamID]?.contains { $0.token == token } ?? false }

  /// Whether a token is known, or is one of at most `count` new ones of its team in 20 minutes.
  func allows(_ token: BearerToken, newTokens count: Int, at now: UnixTime) -> Bool {
    guard let known = known[token.teamID], !knows(token) else { return true }
    return known.count { $0.seenAt.seconds > now.seconds - Self.span } < count
  }

  /// Remembers a token until it has expired.
  mutating func note(_ token: BearerToken, at now: UnixTime) {
    guard !knows(token) else { return }
    var team = known[token.teamID] ?? []
    team.removeAll { $0.seenAt.seconds < now.seconds - BearerToken.lifetime }
    team.append(Known(token: token, seenAt: now))
    if known.count >= Self.maximumTeams, known[token.teamID] == nil { known.removeAll() }
    known[token.teamID] = team
  }
}
