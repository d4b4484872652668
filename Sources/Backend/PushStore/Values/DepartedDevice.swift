public import PushCore

/// What is kept of a device that was removed, for 30 days, so that it does not come back by itself.
///
/// Its earlier enrolments are refused, and so is whatever was handed in before it left, or by a login that had begun
/// before that.
public struct DepartedDevice: Hashable, Sendable {
  /// How long it is kept: 30 days.
  public static let keptTime = Duration.seconds(30 * 86_400)

  /// The serial of the last enrolment that was accepted.
  public let serial: Int64

  /// When the device was removed, by the store's clock.
  public let leftAt: UnixTime

  package init(serial: Int64, leftAt: UnixTime) { (self.serial, self.leftAt) = (serial, leftAt) }
}

extension DepartedDevice {
  /// The columns of the table `departed`.
  package struct Columns: RowColumns {
    private let serial, leftAt: Column

    package init(in names: some ColumnNames) {
      serial = names.column("serial")
      leftAt = names.column("left_at")
    }

    package func device(in row: borrowing some StoreRow & ~Copyable) -> DepartedDevice {
      DepartedDevice(
        serial: row.integer(in: serial), leftAt: StoreTime.unixTime(seconds: row.real(in: leftAt) ?? 0))
    }
  }
}
