import TestSupport
import Testing

@testable import PushNetwork

/// Whoever prints a request sees neither the provider's token nor the device's.
@Suite(.hangGuard) struct MuteTests {
  private static let request = HTTP2Request(
    path: "/3/device/00ff",
    fields: [HTTPField(name: "authorization", value: "bearer hidden"), HTTPField(name: "x", value: "shown")],
    body: Array("hidden".utf8))

  private static func printed(_ value: some Sendable) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return "\(value) \(String(reflecting: value)) \(dumped)"
  }

  @Test("A request's description has no path, no body and no values of secret fields")
  func request() {
    let text = Self.printed(Self.request)
    #expect(text.contains("POST") && text.contains("authorization"))
    #expect(!text.contains("hidden") && !text.contains("00ff"))
  }

  @Test("A field's value is shown unless it is secret")
  func field() {
    #expect(Self.printed(HTTPField(name: "x", value: "shown")).contains("x: shown"))
    let secret = Self.printed([
      HTTPField(name: "x", value: "hidden", isSecret: true),
      HTTPField(name: "authorization", value: "hidden"),
    ])
    #expect(secret.contains("authorization") && !secret.contains("hidden"))
  }

  @Test("Fields that many requests have are as mute, alone and in a request")
  func common() {
    let fields = CommonFields([HTTPField(name: "authorization", value: "bearer hidden")])
    #expect(fields.block != nil)
    let text = Self.printed(fields) + Self.printed(HTTP2Request(path: "/", common: fields))
    #expect(text.contains("authorization"))
    // Neither the text nor its bytes.
    #expect(!text.contains("hidden") && !text.contains("\(UInt8(ascii: "h"))"))
  }

  @Test("A request that a server received is as mute")
  func serverRequest() async throws {
    let server = try await TestServer { request in
      .response(HTTP2Response(status: 200, body: Array(Self.printed(request).utf8)))
    }
    let connection = try await server.connect()
    let text = String(decoding: try await connection.outcome(Self.request).get().body, as: UTF8.self)
    #expect(text.contains("POST") && text.contains("authorization"))
    #expect(!text.contains("hidden") && !text.contains("00ff"))
    await server.server.stop()
  }
}
