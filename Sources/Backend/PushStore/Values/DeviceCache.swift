internal import Glibc

/// The devices that an engine has read lately.
///
/// A person who gets a message often gets the next one soon, and parsing a device's keys takes longer than finding its row.
///
/// The key of an entry is the row's version, which changes with every change of the row except the quarantine; and, if rows
/// are verified, the bytes that were.
package final class DeviceCache {
  /// Several versions share a place; a device that is read replaces the one in its place.
  private var devices: [StoredDevice?]
  private var versions: [Int64]
  private var images: [[UInt8]]

  /// Makes a cache of so many devices at most, each of which takes about 1 KiB, and with its bytes 2 KiB.
  package init(count: Int = 2048) {
    devices = Array(repeating: nil, count: max(count, 1))
    versions = Array(repeating: 0, count: devices.count)
    images = Array(repeating: [], count: devices.count)
  }

  /// The device in a row of this version, and with these bytes; if it is not known, `read` reads it, without its quarantine.
  package func device(
    version: Int64, quarantinedAt: Double?, image: [UInt8] = [], read: () -> StoredDevice?
  ) -> StoredDevice? {
    let place = Int(version.magnitude % UInt64(devices.count))
    let isKnown = versions[place] == version && Self.areSame(images[place], image)
    let known = isKnown ? devices[place] : nil
    guard let device = known ?? read() else { return nil }
    if known == nil { (versions[place], images[place], devices[place]) = (version, image, device) }
    guard let quarantinedAt else { return device }
    return device.quarantined(at: StoreTime.unixTime(seconds: quarantinedAt))
  }

  private static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard let left = left.baseAddress, let start = right.baseAddress else { return true }
        return unsafe memcmp(left, start, right.count) == 0
      }
    }
  }
}
