/// Devices as an engine read them lately: who gets one message often gets the next, and a device's keys take longer to
/// read than its row takes to find.
///
/// A device is known by its row's version, which changes with everything in the row but the quarantine.
package final class DeviceCache {
  /// Each version has one place, which it shares with others: what is read takes the place of what was there.
  private var devices: [StoredDevice?]
  private var versions: [Int64]

  /// Makes a cache of so many devices at most, each of which takes about 1 KiB.
  package init(count: Int = 2048) {
    devices = Array(repeating: nil, count: max(count, 1))
    versions = Array(repeating: 0, count: devices.count)
  }

  /// The device in a row of this version; `read` reads it without its quarantine if it is not known.
  package func device(
    version: Int64, quarantinedAt: Double?, read: () -> StoredDevice?
  ) -> StoredDevice? {
    let place = Int(version.magnitude % UInt64(devices.count))
    let known = versions[place] == version ? devices[place] : nil
    guard let device = known ?? read() else { return nil }
    if known == nil { (versions[place], devices[place]) = (version, device) }
    guard let quarantinedAt else { return device }
    return device.quarantined(at: StoreTime.unixTime(seconds: quarantinedAt))
  }
}
