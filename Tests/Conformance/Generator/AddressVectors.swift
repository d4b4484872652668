/// Addresses that a device may be made to ask, and those that it may not.
struct AddressVectors {
  private static let start = "https://cdn.example.com/"

  func all() -> [AddressVector] {
    accepted() + generic() + hosts("10.6", Self.names, "no name of the public network")
      + hosts("10.7", Self.ipv4, "no IPv4 address of the public network")
      + hosts("10.8", Self.ipv6, "no IPv6 address of the public network")
  }

  private func accepted() -> [AddressVector] {
    let longest = Self.start + String(repeating: "a", count: 2048 - Self.start.utf8.count)
    let urls = [
      "https://example.com", "https://example.com/", "https://example.com?a=b", "https://EXAMPLE.com./x",
      "https://cdn.example.com:8443/a/b.jpg?sig=x%2Fy&e=1", "https://a-b_c.example.com/",
      "https://xn--bcher-kva.example/", "https://example.com/%20/@x:y!$&'()*+,;=~", "https://example.com/[x]",
      "https://example.com?a@b", "https://example.com:1/", "https://example.com:65535",
      "https://example.com:00443/",
      "https://203.0.113.9/x", "https://8.8.8.8:443/", "https://8.8.8.8./", "https://134744072/",
      "https://0x8080808/", "https://8.8.2056/", "https://010.8.8.8/", "https://172.15.255.255/",
      "https://172.32.0.1/", "https://192.167.1.1/", "https://100.63.0.1/", "https://100.128.0.1/",
      "https://169.253.1.1/", "https://11.0.0.1/", "https://192.0.1.1/", "https://198.17.0.1/",
      "https://198.20.0.1/", "https://223.255.255.254/", "https://[2606:4700::1111]/",
      "https://[2606:4700::1111]:443/x", "https://[3FFF::1]", "https://[2001:db8::1]/",
      "https://[2001:1::1]/",
      "https://[2606:4700::8.8.8.8]/", "https://[2003::1]/", "https://localhost.example.com/",
      "https://mylocal.mylocalhost/", "https://xhome.arpa/", "https://10.example.com/",
      "https://0x7f.example.com/",
      "https://local.example/", "https://" + Self.label(63) + ".com/", "https://" + Self.name(253) + "/",
      longest,
    ]
    return urls.map { AddressVector(url: $0, comment: "it may be asked") }
  }

  private func generic() -> [AddressVector] {
    let length = Self.start + String(repeating: "a", count: 2049 - Self.start.utf8.count)
    let groups: [(String, [String])] = [
      ("more than 2048 bytes", [length]),
      (
        "another scheme",
        [
          "", "http://example.com/", "HTTPS://example.com/", "ftp://example.com/", "file:///etc/passwd",
          "data:,x", "https:/example.com/", "https:example.com", "//example.com/", "example.com",
        ]
      ),
      (
        "a character that no address has",
        [
          " https://example.com/", "https://example.com/ ", "https://exa mple.com/", "https://example.com/\n",
          "https://example.com/\u{0}", "https://exämple.com/", "https://example.com\\@example.org/",
          "https://a.example/\"", "https://a.example/<x>", "https://a.example/^", "https://a.example/`",
          "https://a.example/{x}", "https://a.example/|", "https://a.example/\u{7f}",
        ]
      ),
      (
        "half an escape",
        ["https://a.example/%", "https://a.example/%2", "https://a.example/%2g", "https://a.example/%%41"]
      ),
      (
        "a user name",
        ["https://a@example.com/", "https://a:b@example.com/", "https://@example.com", "https://a@"]
      ),
      ("a fragment", ["https://example.com/#", "https://example.com/a#b", "https://example.com#"]),
      ("no host", ["https://", "https:///", "https://?a", "https://:443/"]),
      (
        "no port",
        ["", "0", "65536", "000080", "8a", "-1", "+1", "80:80"].flatMap {
          ["https://example.com:\($0)/", "https://[2606:4700::1111]:\($0)/"]
        }
      ),
    ]
    return groups.flatMap { comment, urls in
      urls.map { AddressVector(url: $0, comment: comment, rule: "10.5") }
    }
  }

  private func hosts(_ rule: String, _ hosts: [String], _ comment: String) -> [AddressVector] {
    hosts.map { AddressVector(url: "https://\($0)/x", comment: comment, rule: rule) }
  }

  private static let names = [
    ".", "..", ".com", "a..b", "example.com..", "a!b.com", "exa%6dple.com", "a(b).com", "a]b.com", "a[b].com",
    label(64) + ".com", name(254), "localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local",
    "Printer.LOCAL.", "a.b.internal", "metadata.google.internal", "router", "router.", "nas.home.arpa",
    "home.arpa", "HOME.ARPA.", "127.0.0.1..", label(64) + ".1",
  ]

  private static let ipv4 = [
    "127.0.0.1", "127.255.255.255", "0.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.1", "198.18.0.1",
    "198.19.9.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "127.0.0.1.", "2130706433", "0x7f000001",
    "0X7F000001", "017700000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.1", "0", "0x0", "10.1",
    "0xa9fea9fe",
    "192.168.257", "0300.0250.0.1", "00.0x0.0.0", "1.2.3.256", "1.2.3.4.5", "256.1", "1.256.1", "1.2.65536",
    "1.16777216", "1.2.3.4.0", "0x100000000", "4294967296", "8.8.8.08", "a.09", "a.1", "0x", "8.8.8.0x",
    "example.0x1",
  ]

  private static let ipv6 = [
    "[", "[]", "[::", "[g::1]", "[2606:4700::1111", "[2606:4700::1111]x", "[1.2.3.4]", "[[2606:4700::1]]",
    "[2606:4700::1%25eth0]", "[2606:4700::1::1]", "[2606:4700:1:2:3:4:5:6:7]", "[2606:4700::8.8.8.08]",
    "[::]",
    "[::1]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::ffff:8.8.8.8]",
    "[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fdff::1]", "[ff02::1]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "[2001::1]", "[2001:0:7f00:1::]", "[4000::1]", "[1fff::1]",
  ]

  private static func label(_ count: Int) -> String { String(repeating: "a", count: count) }

  /// A name of `count` characters, between 193 and 255.
  private static func name(_ count: Int) -> String {
    [63, 63, 63, count - 192].map(label).joined(separator: ".")
  }
}
