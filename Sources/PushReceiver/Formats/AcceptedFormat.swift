public import PushEnvelope
public import PushPayload

// What an `AcceptedFormat` consists of: a user of this module needs no other import for it.
@_exported public import protocol PushPayload.EnvelopeFormat
@_exported public import enum PushPayload.EnvelopeFormatError
@_exported public import struct PushPayload.PlaintextReading

/// Another system's envelope format that a receiver also opens, until a date.
///
/// The contents of such an envelope are never signed, whatever else its format lacks. As long as a format is accepted,
/// anyone who can write it can show a text on the phone, and neither a lifetime nor a replay store limits that. The
/// content is shown like an anonymous message: it is neither critical nor time-sensitive. No steps run for it, so
/// nothing is fetched because of it.
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

  /// The message that a plaintext holds; `nil` if it has no text to show.
  fileprivate func message(of plaintext: [UInt8], in payload: JSONObject) -> OtherMessage? {
    guard var content = reading.content(plaintext, payload) else { return nil }
    // Nobody has signed the package's own members.
    content[EnvelopeKey.reserved] = nil
    guard let notification = try? RemoteNotification(payload: content), notification.hasText else {
      return nil
    }
    return OtherMessage(format: name, notification: notification, payload: content)
  }
}

/// The contents of another system's envelope.
struct OtherMessage: Sendable {
  let format: String
  let notification: RemoteNotification
  let payload: JSONObject
}

/// What happened to a push with another system's envelope that the receiver recognized.
public struct FormatSighting: Hashable, Sendable {
  /// What happened to the envelope.
  public enum Fate: Hashable, Sendable {
    /// It was opened and shown.
    case opened
    /// The format was still accepted, but the envelope did not open: an `EnvelopeFormatError`'s code, or
    /// `malformed-content`.
    case failed(code: String)
    /// The format was no longer accepted, so the receiver did not try.
    case over
  }

  /// The format's name, such as `openssl-salted`.
  public let name: String

  /// What happened to the envelope.
  public let fate: Fate

  /// Why the envelope was not opened, in a word; `nil` if it was.
  var fault: String? {
    switch fate {
    case .opened: nil
    case .failed(let code): code
    case .over: "over"
    }
  }
}

extension Receiver {
  /// Opens another system's envelope if the push has none of this package's and an accepted format recognizes it;
  /// `nil` if there is no such envelope.
  ///
  /// Only the first format that recognizes a push is tried. Formats that are still accepted come before all others.
  ///
  /// - Throws: ``DegradeReason/otherFormat``, ``DegradeReason/deadline``.
  func openOther(
    _ push: IncomingPush, isTooLate: () -> Bool, _ trace: inout Trace
  ) throws(DegradeReason) -> OtherMessage? {
    guard !push.envelope.isSealed else { return nil }
    let now = clock.now
    let known = accepts.formats.filter { $0.format.recognizes(push.payload) }
    guard let accepted = known.first(where: { now < $0.until }) ?? known.first else { return nil }
    guard now < accepted.until else {
      trace.format = FormatSighting(name: accepted.name, fate: .over)
      throw .otherFormat
    }
    guard !isTooLate() else { throw .deadline }
    do throws(EnvelopeFormatError) {
      let plaintext = try accepted.format.open(push.payload)
      if let message = accepted.message(of: plaintext, in: push.payload) {
        trace.format = FormatSighting(name: accepted.name, fate: .opened)
        return message
      }
      trace.format = FormatSighting(
        name: accepted.name, fate: .failed(code: DegradeReason.malformedContent.rawValue))
    } catch {
      trace.format = FormatSighting(name: accepted.name, fate: .failed(code: error.code))
    }
    throw .otherFormat
  }
}
