internal import PushCore
internal import PushEnrolment

/// The tables `token_set` and `token` in memory.
struct MemoryTokens {
  private struct Entry {
    let serial: Int64
    let signed: String
    let name: String
    var tokens: StoredTokens
  }

  private var entries: [String: Entry] = [:]

  mutating func accept(_ tokens: DeviceTokens, among devices: MemoryDevices) -> Result<Void, SignedSetError> {
    let identity = tokens.identity.thumbprint.text
    let rival = entries.first { known, entry in
      known != identity && devices.hasProvenKeys(identity: known, named: entry.name)
        && tokens.all.contains { entry.tokens.has($0.value, for: $0.key.pushType) }
    }
    let claimant = TokenClaimant(
      registration: devices.claimant(identity: identity),
      last: entries[identity].map { ($0.serial, $0.signed) }, rival: rival?.value.name)
    switch claimant.decision(on: tokens) {
    case .refuse(let error): return .failure(error)
    case .keep: return .success(())
    case .take(let name):
      // Whoever had them has no proven keys any more.
      entries = entries.filter { $0.value.name != name }.mapValues { entry in
        var entry = entry
        for (use, token) in tokens.all { entry.tokens = entry.tokens.without(token, for: use.pushType) }
        return entry
      }
      entries[identity] = Entry(
        serial: tokens.serial, signed: tokens.signed, name: name, tokens: StoredTokens(tokens, of: name))
      return .success(())
    }
  }

  func tokens(of devices: [StoredDevice]) -> [[TokenUse: DeviceToken]] {
    devices.map { entries[$0.identity.text]?.tokens.tokens(of: $0) ?? [:] }
  }

  mutating func end(at address: DeviceAddress, for pushType: PushType) -> Bool {
    guard let (identity, entry) = entries.first(where: { $0.value.tokens.has(address.token, for: pushType) })
    else { return false }
    entries[identity]?.tokens = entry.tokens.without(address.token, for: pushType)
    return true
  }
}
