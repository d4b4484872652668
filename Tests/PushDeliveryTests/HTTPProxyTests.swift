import Foundation
import PushDelivery
import TestSupport
import Testing

/// The URL of a proxy: what is taken, what is refused, and that nothing shows its password.
@Suite(.hangGuard) struct HTTPProxyTests {
  @Test(
    "A URL has a host and a port, and what may be missing may be missing",
    arguments: [
      ("http://proxy.example.com:3128", "proxy.example.com:3128", false),
      ("HTTP://proxy.example.com:3128/", "proxy.example.com:3128", false),
      ("proxy:1", "proxy:1", false), ("http://192.0.2.7:65535", "192.0.2.7:65535", false),
      ("http://[2001:db8::7]:8080", "[2001:db8::7]:8080", false),
      ("http://ada:secret@proxy:3128", "proxy:3128", true), ("ada@proxy:3128", "proxy:3128", true),
      ("http://:secret@proxy:3128", "proxy:3128", true), ("http://a:b@c:d@proxy:3128", "proxy:3128", true),
      ("http://a:%2F%40%25:%3a@proxy:3128/", "proxy:3128", true),
    ])
  func parts(url: String, place: String, hasCredentials: Bool) throws {
    let proxy = try HTTPProxy(url: url)
    #expect("\(proxy)" == place && proxy.hasCredentials == hasCredentials)
    let port = try #require(place.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(proxy.port == port && place.contains(proxy.host))
    #expect(try "\(HTTPProxy(url: Array(url.utf8)))" == place)
  }

  static let wrong: [(String, HTTPProxyError.Fault, Int)] = [
    ("", .empty, 0), ("http://" + String(repeating: "a", count: 4090), .tooLong, 4096),
    ("https://proxy:3128", .scheme, 0), ("socks5://proxy:1080", .scheme, 0), ("://proxy:1", .scheme, 0),
    ("http://ada:%4@proxy:3128", .percent, 11), ("http://ada:%4g@proxy:3128", .percent, 11),
    ("http://ada:secret%@proxy:1", .percent, 17), ("http://a%3Ab:secret@proxy:1", .colon, 8),
    ("http://ada:sec\nret@proxy:1", .control, 14), ("http://ada:%00@proxy:1", .control, 11),
    ("http://ada%7f:secret@proxy:1", .control, 10), ("http://:3128", .host, 7),
    ("http://ada:secret@:3128", .host, 18), ("http://pro xy:3128", .host, 7),
    ("http://.proxy:3128", .host, 7), ("http://2001:db8::7:3128", .host, 7),
    ("http://[proxy]:3128", .host, 7),
    ("http://[::1:3128", .host, 7), ("http://proxy", .noPort, 12), ("http://[::1]", .noPort, 12),
    ("http://", .noPort, 7), ("http://proxy:", .port, 13), ("http://proxy:0", .port, 13),
    ("http://proxy:65536", .port, 13), ("http://proxy:+1", .port, 13), ("http://proxy:31 28", .port, 13),
    ("http://ada:sec/ret@proxy:1", .port, 11), ("http://proxy:3128/path", .path, 17),
    ("http://proxy:3128?q", .path, 17), ("http://proxy:3128#f", .path, 17),
    ("http://a:1/ret@proxy:1", .path, 10),
  ]

  @Test("What is no URL of a proxy is refused, with what is wrong and where", arguments: wrong)
  func refused(url: String, fault: HTTPProxyError.Fault, offset: Int) {
    #expect(throws: HTTPProxyError(fault, at: offset)) { try HTTPProxy(url: url) }
  }

  @Test("An error has a text of its own for each fault, and nothing of the URL", arguments: wrong)
  func errorText(url: String, fault: HTTPProxyError.Fault, offset: Int) {
    let error = #expect(throws: HTTPProxyError.self) { try HTTPProxy(url: url) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasSuffix("(byte \(offset))") && !text.contains("secret") && !text.contains("ret@"))
    #expect(error?.localizedDescription == text)
  }

  @Test("The faults' texts differ")
  func texts() {
    let texts = Set(HTTPProxyError.Fault.allCases.map { "\(HTTPProxyError($0, at: 0))" })
    #expect(texts.count == HTTPProxyError.Fault.allCases.count)
  }

  @Test("Whoever prints a proxy, or a configuration with one, sees no user and no password")
  func mute() throws {
    var configuration = APNsConfiguration()
    configuration.proxy = try HTTPProxy(url: "http://hidden:secret@proxy.example.com:3128")
    let proxy = try #require(configuration.proxy)
    var dumped = ""
    dump(proxy, to: &dumped)
    dump(configuration, to: &dumped)
    let text = "\(proxy) \(String(reflecting: proxy)) \(configuration) \(dumped)"
    #expect(text.contains("proxy.example.com"))
    // Neither the text nor its Base64.
    for secret in ["hidden", "secret", "aGlkZGVu"] { #expect(!text.contains(secret)) }
  }
}
