public import PushEnvelope

/// Another system's envelope that a receiver opens as well, until a date.
///
/// Nobody has signed what such an envelope holds, whatever else its format lacks: as long as it is accepted, whoever
/// can write it can show a text on the phone, and no lifetime and no replay store limits that. What it opens to is
/// shown as an anonymous message is: neither critical nor time-sensitive. No steps are taken for it, so that nothing is
/// fetched because of it.
public struct AcceptedFormat: Sendable {
  /// The format with its keys.
  public let format: any EnvelopeFormat

  /// From when on it is no longer opened, by the phone's clock.
  public let until: UnixTime

  /// What a plaintext of it says.
  public let reading: PlaintextReading

  /// The format's name.
  public var name: String { type(of: format).name }

  /// Names a format, the end of its time, and what its plaintexts say.
  public init(_ format: any EnvelopeFormat, until: UnixTime, reading: PlaintextReading) {
    self.format = format
    self.until = until
    self.reading = reading
  }
}
