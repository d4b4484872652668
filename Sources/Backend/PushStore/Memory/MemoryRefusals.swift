internal import PushCore

/// The table `refusal` in memory.
struct MemoryRefusals {
  private var entries: [DeviceAddress: AddressRefusals] = [:]

  /// Counts a refusal, and returns whether the address goes into quarantine.
  mutating func count(_ address: DeviceAddress, acceptedAgo age: Duration?, at now: Duration) -> Bool {
    let refusals = AddressRefusals(after: entries[address], at: now.inSeconds)
    entries[address] = refusals
    return refusals.isSettled(at: now.inSeconds, acceptedAgo: age)
  }

  mutating func addresses(atMost count: Int, at now: Duration) -> [DeviceAddress] {
    entries = entries.filter { !$0.value.isOver(at: now.inSeconds) }
    return Array(entries.keys.prefix(max(count, 0)))
  }

  mutating func forget(_ address: DeviceAddress) { entries[address] = nil }
}
