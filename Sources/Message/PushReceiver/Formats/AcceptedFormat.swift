public import PushCore

// An `AcceptedFormat` has one: a user of this module needs no other import for it.
@_exported public import protocol PushCore.EnvelopeFormat
@_exported public import enum PushCore.EnvelopeFormatError
@_exported public import struct PushCore.PlaintextReading

/// Another system's envelope format that a receiver also opens, until a date.
///
/// The content of such an envelope is never signed. As long as a format is accepted, anyone who can write it can show a
/// text on the phone, and neither a lifetime nor a replay store limits that. The content is shown like an anonymous
/// message: it is neither critical nor time-sensitive. No steps run for it, so nothing is fetched because of it.
public struct AcceptedFormat: Sendable {
  /// The format with its keys.
  public let format: any EnvelopeFormat

  /// When the receiver stops opening the format, by the phone's clock.
  public let until: UnixTime

  /// How a plaintext of the format is read.
  public let reading: PlaintextReading

  /// The format's name.
  public var name: String { type(of: format).name }

  /// Accepts a format until a date, and reads its plaintexts with `reading`.
  public init(_ format: any EnvelopeFormat, until: UnixTime, reading: PlaintextReading) {
    self.format = format
    self.until = until
    self.reading = reading
  }
}
