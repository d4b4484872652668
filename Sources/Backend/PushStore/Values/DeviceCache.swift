internal import Glibc

/// The devices that an engine has read lately.
///
/// A person who gets a message often gets the next one soon, and parsing a device's keys takes longer than finding its row.
///
/// The key of an entry is the row's version, which changes with every change of the row except the quarantine; and, if rows
/// are verified, the bytes that were.
package final class DeviceCache {
  private struct Entry {
    let device: StoredDevice
    /// The bytes of the row that were verified; empty if rows are not.
    let image: [UInt8]
  }

  /// How many devices a generation has at most.
  private let limit: Int
  /// The devices that were read since the generation began, by their versions.
  private var recent: [Int64: Entry] = [:]
  /// Those of the generation before, which go unless they are read in this one.
  private var former: [Int64: Entry] = [:]

  /// Makes a cache of so many devices at most, two or more, each of which takes about 1 KiB, and with its bytes 2 KiB.
  package init(count: Int = 2048) { limit = max(count / 2, 1) }

  /// The device in a row of this version, and with these bytes; if it is not known, `read` reads it, without its quarantine.
  package func device(
    version: Int64, quarantinedAt: Double?, image: [UInt8] = [], read: () -> StoredDevice?
  ) -> StoredDevice? {
    guard let device = known(version: version, image: image) ?? keep(read(), version: version, image: image)
    else { return nil }
    guard let quarantinedAt else { return device }
    return device.quarantined(at: StoreTime.unixTime(seconds: quarantinedAt))
  }

  private func known(version: Int64, image: [UInt8]) -> StoredDevice? {
    let found = recent[version]
    guard let entry = found ?? former[version], Self.areSame(entry.image, image) else { return nil }
    return found == nil ? keep(entry.device, version: version, image: image) : entry.device
  }

  private func keep(_ device: StoredDevice?, version: Int64, image: [UInt8]) -> StoredDevice? {
    guard let device else { return nil }
    if recent.count >= limit { (former, recent) = (recent, [:]) }
    recent[version] = Entry(device: device, image: image)
    return device
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
