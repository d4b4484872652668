import PushAttachments
import Testing

/// The addresses that a device may be made to contact.
struct AttachmentURLTests {
  @Test(arguments: [
    "https://example.com/blob", "https://example.com", "https://example.com/", "https://example.com?a=b",
    "https://cdn.example.com:8443/a/b.jpg?sig=x%2Fy&e=1", "https://EXAMPLE.com/A",
    "https://a-b_c.example.com/",
    "https://example.com./x", "https://xn--bcher-kva.example/", "https://example.com/%20/@x:y!$&'()*+,;=~",
    "https://203.0.113.9/x", "https://8.8.8.8:443/", "https://172.15.0.1/", "https://172.32.0.1/",
    "https://192.167.1.1/", "https://100.63.0.1/", "https://100.128.0.1/", "https://169.253.1.1/",
    "https://11.0.0.1/", "https://198.17.0.1/", "https://198.20.0.1/", "https://223.255.255.254/",
    "https://[2606:4700::1111]/", "https://[2606:4700::1111]:443/x", "https://[3fff::1]/",
    "https://[2001:db8::1]/", "https://localhost.example.com/", "https://10.example.com/",
    "https://0x7f.example.com/", "https://local.example/", "https://example.com:1/",
    "https://example.com:65535",
  ])
  func `public addresses`(text: String) throws {
    #expect(try AttachmentURL(text).text == text)
  }

  @Test(arguments: [
    "http://example.com/", "HTTPS://example.com/", "ftp://example.com/", "file:///etc/passwd", "data:,x", "",
    "javascript:alert(1)", "https:/example.com/", "https:example.com", "//example.com/", "example.com",
  ])
  func `other schemes`(text: String) { refuse(text, .notHTTPS) }

  @Test(arguments: [
    " https://example.com/", "https://example.com/ ", "https://exa mple.com/", "https://example.com/\n",
    "https://example.com/\u{0}", "https://exämple.com/", "https://example.com\\@evil.com/", "https://a.b/\"",
    "https://a.b/<x>", "https://a.b/^", "https://a.b/`", "https://a.b/{x}", "https://a.b/|", "https://a.b/%",
    "https://a.b/%2", "https://a.b/%2g", "https://a.b/%%41", "https://a.b/\u{7f}", "https://a.b/\t",
  ])
  func `characters that no address has`(text: String) { refuse(text, .badCharacter) }

  @Test func `the longest address`() throws {
    let start = "https://example.com/"
    let longest = start + String(repeating: "a", count: 2048 - start.count)
    #expect(try AttachmentURL(longest).text.utf8.count == 2048)
    refuse(longest + "a", .tooLong)
    refuse(String(repeating: "a", count: 10_000), .tooLong)
  }

  @Test func `user names and fragments`() {
    for text in [
      "https://a@example.com/", "https://a:b@example.com/", "https://@example.com", "https://a.b@c.d",
    ] {
      refuse(text, .hasCredentials)
    }
    for text in ["https://example.com/#", "https://example.com/a#b", "https://example.com#@c.d/"] {
      refuse(text, .hasFragment)
    }
  }

  @Test(arguments: ["", ":0", ":65536", ":000080", ":8a", ":-1", ":+1", ":80:80", ": "])
  func ports(port: String) {
    if port.isEmpty { return refuse("https://example.com:/", .badPort) }
    refuse("https://example.com\(port)/", port == ": " ? .badCharacter : .badPort)
    refuse("https://[2606:4700::1111]\(port)/", port == ": " ? .badCharacter : .badPort)
  }

  @Test(arguments: [
    "", ".", "..", ".com", "a..b", "example.com..", "a!b.com", "exa%6dple.com", "[", "[]", "[::", "[g::1]",
    "[2606:4700::1111", "[2606:4700::1111]x", "[1.2.3.4]", "[2606:4700::1%25eth0]", "1.2.3.256", "1.2.3.4.5",
    "0x100000000", "4294967296", "1.2.3.08", "a.09", "a.1", "0x", "example.0x1", "a(b).com",
    "[[2606:4700::1]]",
    String(repeating: "a", count: 64) + ".com", "",
  ])
  func `what is no host`(host: String) { refuse("https://\(host)/", .badHost) }

  @Test func `a name of 254 bytes is no host`() throws {
    let labels = [String](repeating: String(repeating: "a", count: 61), count: 4)
    #expect(try AttachmentURL("https://\(labels.joined(separator: ".")).abcde/").text.utf8.count == 262)
    refuse("https://\(labels.joined(separator: ".")).abcdef/", .badHost)
  }

  @Test(arguments: [
    // Names of this device and its network.
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local", "Printer.LOCAL.", "a.b.internal",
    "metadata.google.internal", "router", "router.", "nas.home.arpa", "home.arpa",
    // IPv4, dotted.
    "127.0.0.1", "127.255.255.255", "0.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.1", "198.18.0.1",
    "198.19.9.9",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "127.0.0.1.",
    // IPv4 as some libraries read it.
    "2130706433", "0x7f000001", "0X7F000001", "017700000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.1", "0",
    "0x0", "10.1", "0xa9fea9fe", "192.168.257", "0300.0250.0.1", "00.0x0.0.0",
    // IPv6.
    "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::ffff:8.8.8.8]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fdff::1]", "[ff02::1]",
    "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001::1]", "[2001:0:7f00:1::]", "[4000::1]", "[1fff::1]",
  ])
  func `hosts that are not on the public network`(host: String) {
    refuse("https://\(host)/x", .privateHost)
    if !host.hasPrefix("[") { refuse("https://\(host):443", .privateHost) }
  }

  @Test func `a test's own server`() {
    #expect(AttachmentURL(unchecked: "http://127.0.0.1:8080/x").text == "http://127.0.0.1:8080/x")
  }

  private func refuse(
    _ text: String, _ error: AttachmentURLError, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, "\(text)", sourceLocation: sourceLocation) { try AttachmentURL(text) }
  }
}
