import PushDelivery
import TestSupport
import Testing

/// Which servers are reached without the proxy.
@Suite(.hangGuard) struct ProxyExceptionsTests {
  @Test(
    "An entry excepts a server",
    arguments: [
      ("*", "api.push.apple.com"), ("api.push.apple.com", "api.push.apple.com"),
      ("apple.com", "api.push.apple.com"), (".apple.com", "api.push.apple.com"), (".apple.com", "apple.com"),
      ("*.apple.com", "api.push.apple.com"), ("APPLE.com.", "api.push.apple.COM"),
      ("apple.com", "api.push.apple.com."), ("apple.com:443", "api.push.apple.com"),
      ("*:443", "api.push.apple.com"), ("example.com, apple.com", "apple.com"),
      ("example.com\tapple.com", "apple.com"), (" ,,apple.com,", "apple.com"), ("192.0.2.7", "192.0.2.7"),
      ("192.0.2.7:443", "192.0.2.7"), ("192.0.2.0/24", "192.0.2.255"), ("192.0.2.0/25", "192.0.2.127"),
      ("0.0.0.0/0", "192.0.2.7"), ("2001:db8::7", "2001:DB8:0::7"), ("[2001:db8::7]", "2001:db8::7"),
      ("[2001:db8::7]:443", "2001:db8::7"), ("2001:db8::/33", "2001:db8:7fff::1"),
      ("192.0.2.7", "::ffff:192.0.2.7"), ("push", "push"),
    ])
  func excepted(list: String, host: String) {
    #expect(ProxyExceptions(list).contains(host: host, port: 443))
  }

  @Test(
    "Other entries do not, nor what is no entry",
    arguments: [
      ("", "api.push.apple.com"), ("push.apple.co", "api.push.apple.com"), ("pple.com", "apple.com"),
      ("api.push.apple.com", "push.apple.com"), ("apple.com:2197", "api.push.apple.com"),
      ("*:2197", "apple.com"), ("apple.com;example.com", "apple.com"), ("http://apple.com", "apple.com"),
      ("a*", "apple.com"), ("192.0.2.0/25", "192.0.2.128"), ("192.0.2.0/33", "192.0.2.0"),
      ("192.0.2.0/x", "192.0.2.0"), ("192.0.2.0/24/1", "192.0.2.0"), ("192.0.2.7:2197", "192.0.2.7"),
      ("2001:db8::/33", "2001:db8:8000::1"), ("0.0.0.0/0", "2001:db8::7"), ("[2001:db8::7", "2001:db8::7"),
      ("192.0.2.7", "apple.com"), (".", "apple.com"), ("apple.com:", "apple.com"),
      ("192.0.2", "192.0.2.7"),
    ])
  func notExcepted(list: String, host: String) {
    #expect(!ProxyExceptions(list).contains(host: host, port: 443))
  }

  @Test(
    "A server on this machine is reached without the proxy",
    arguments: [
      "localhost", "LOCALHOST.", "apns.localhost", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1",
    ]
  )
  func loopback(host: String) throws {
    var configuration = APNsConfiguration()
    configuration.proxy = try HTTPProxy(url: "http://proxy.example.com:3128")
    #expect(configuration.proxy(to: .init(host: host)) == nil)
    #expect(configuration.proxy(to: .init(host: "apns.example", address: host)) == nil)
  }

  @Test(
    "Any other is reached through it, unless it is excepted",
    arguments: ["api.push.apple.com", "localhost.example", "notlocalhost", "128.0.0.1", "::2", "fe80::1"])
  func other(host: String) throws {
    var configuration = APNsConfiguration()
    #expect(configuration.proxy(to: .init(host: host)) == nil)
    configuration.proxy = try HTTPProxy(url: "http://proxy.example.com:3128")
    #expect(configuration.proxy(to: .init(host: host)).map { "\($0)" } == "proxy.example.com:3128")
    configuration.proxyExceptions = ProxyExceptions("*:2197")
    #expect(configuration.proxy(to: .init(host: host)) != nil)
    #expect(configuration.proxy(to: .init(host: host, port: 2197)) == nil)
  }
}
