import Foundation
import Testing

/// Whether messages are signed.
enum Sending: String, CaseIterable, CustomTestStringConvertible {
  case signed, anonymous

  var testDescription: String { rawValue }
  /// The options of `seal`.
  var seal: String { self == .signed ? "--from sender.jwks" : "--anonymous" }
  /// The options of `open` and `simulate`.
  var open: String { self == .signed ? "--senders sender.pub.jwks" : "--anonymous" }
}

/// The suites' names.
let suites = ["x25519-chachapoly", "p256-aesgcm"]

/// The moment at which the stories begin, and a day.
let start = 1_800_000_000
let day = 86_400

/// An ordinary payload.
let sample = #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"},"badge":3},"chat":42}"#

/// A device and a sender that have each other's public keys, in the tool's folder.
struct Pair {
  static let topic = "--topic com.example.app"

  let tool: Tool
  let sending: Sending

  init(suite: String = suites[0], _ sending: Sending = .signed) async throws {
    tool = try Tool()
    self.sending = sending
    try await tool.succeed("keys new --role device --suite \(suite) --out device.jwks --now \(start)")
    try await tool.succeed("keys export --keys device.jwks --out device.pub.jwks")
    try await tool.succeed("keys new --role sender --out sender.jwks --now \(start)")
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks")
    try tool.write(sample, to: "payload.json")
  }

  /// `seal`, with what it needs.
  var seal: String { "seal --to device.pub.jwks \(sending.seal) \(Self.topic)" }
  /// `open`, with what it needs.
  var open: String { "open \(receiving)" }
  /// `simulate`, with what it needs.
  var simulate: String { "simulate \(receiving)" }

  private var receiving: String { "--keys device.jwks \(sending.open) \(Self.topic)" }

  /// Seals the sample.
  func sealed(at now: Int = start, _ options: String = "") async throws -> [UInt8] {
    try await tool.succeed("\(seal) --now \(now) --in payload.json \(options)").output
  }

  /// Seals the sample, and changes the bytes of its envelope.
  func forged(_ change: (inout Data) -> Void) async throws -> String {
    let sealed = try await tool.succeed("\(seal) --now \(start) --in payload.json").text
    let text = sealed.envelopeText
    var bytes = Data(base64URL: text)
    change(&bytes)
    return sealed.replacingOccurrences(of: text, with: bytes.base64URL)
  }
}
