import PushNetwork
import TestSupport
import Testing

@Suite("An address to listen at", .hangGuard) struct ListenAddressTests {
  @Test(
    "is written as it is read",
    arguments: [
      ("9464", "127.0.0.1:9464", true), ("127.0.0.1:0", "127.0.0.1:0", true),
      ("127.8.0.1:1", "127.8.0.1:1", true),
      ("[::1]:65535", "[::1]:65535", true), ("0.0.0.0:80", "0.0.0.0:80", false),
      ("[::]:80", "[::]:80", false),
      ("[0:0::0:1]:80", "[::1]:80", true), ("[fd00::1]:80", "[fd00::1]:80", false),
      ("10.1.2.3:80", "10.1.2.3:80", false),
    ])
  func text(text: String, written: String, isLoopback: Bool) throws {
    let address = try #require(ListenAddress(text))
    #expect(address.description == written && address.isLoopback == isLoopback)
    #expect(ListenAddress(written) == address)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", ":", ":80", "-1", "65536", "+80", " 80", "80 ", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x",
      "127.1:80", "::1:80",
      "[::1]", "[::1]80", "[127.0.0.1]:80", "[::1%lo]:80", "[::ffff:127.0.0.1]:80", "localhost:80",
      "unix:socket",
      "[::1:80", "0x7f.0.0.1:80",
    ])
  func none(text: String) { #expect(ListenAddress(text) == nil) }

  @Test("at all addresses of IPv6, those of IPv4 reach it; the port is the one that the system chose")
  func bothFamilies() async throws {
    let server = try PlainServer(at: .address(try #require(ListenAddress("[::]:0"))), rules: PlainRules())
    server.serve { _ in PlainAnswer(type: "text/plain", body: .bytes([])) }
    #expect(server.port > 0 && server.place.description == "[::]:\(server.port)")
    let visitor = try Visitor(at: server.port)
    visitor.say("GET / HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
    #expect(await visitor.answer().hasPrefix("HTTP/1.1 200 OK\r\n"))
    server.stop()
  }

  @Test("at one of IPv6, nobody reaches it by IPv4; a port that is in use is refused")
  func oneFamily() throws {
    let address = try #require(ListenAddress("[::1]:0"))
    let listener = try PlainListener(at: .address(address))
    #expect(LoopbackSocket.connected(to: listener.port) == nil)
    let error = #expect(throws: ListenError.self) { try PlainListener(at: listener.place) }
    #expect(error?.description.hasPrefix("cannot listen on [::1]:\(listener.port): ") == true)
  }
}
