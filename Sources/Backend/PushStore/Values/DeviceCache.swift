/// The devices that an engine has read lately.
///
/// A person who gets a message often gets the next one soon, and parsing a device's keys takes longer than finding its row.
///
/// The key of an entry is the row's version, which changes with every change of the row except the quarantine.
package final class DeviceCache {
  /// Several versions share a place; a device that is read replaces the one in its place.
  private var devices: [StoredDevice?]
  private var versions: [Int64]

  /// Makes a cache of so many devices at most, each of which takes about 1 KiB.
  package init(count: Int = 2048) {
    devices = Array(repeating: nil, count: max(count, 1))
    versions = Array(repeating: 0, count: devices.count)
  }

  /// The device in a row of this version; if it is not known, `read` reads it, without its quarantine.
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
