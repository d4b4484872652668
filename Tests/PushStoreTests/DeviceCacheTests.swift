import PushSimulation
import PushKeys
import PushStore
import TestSupport
import Testing

@Suite("A cache of devices", .hangGuard)
struct DeviceCacheTests {
  @Test("reads a row once, and another version of it anew, also after others have taken its place")
  func versions() async throws {
    let store = MemoryStore(clock: ManualClock(start))
    for number in 1...3 {
      var phone = Phone("phone \(number)", token: UInt8(number))
      try await phone.register(at: store)
    }
    let devices = await store.devices(after: nil, atMost: 3)
    let cache = DeviceCache(count: 2)
    var reads: [Int64] = []
    for version: Int64 in [1, 1, 2, 2, 1, 3, 1, 2] {
      let device = cache.device(version: version, quarantinedAt: nil) {
        reads.append(version)
        return devices[Int(version) - 1]
      }
      #expect(device == devices[Int(version) - 1])
    }
    #expect(reads == [1, 2, 3, 2])
  }

  @Test("knows nothing of a row that cannot be read")
  func damaged() {
    let cache = DeviceCache(count: 1)
    for _ in 1...2 { #expect(cache.device(version: 0, quarantinedAt: nil) { nil } == nil) }
  }
}
