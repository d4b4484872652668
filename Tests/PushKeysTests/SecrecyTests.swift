import Foundation
import PushCrypto
import PushCore
import PushKeys
import PushTesting
import Testing

@Suite("Nothing secret is printed")
struct SecrecyTests {
  /// The private key's bytes as somebody could print them, without white space.
  private static func canaries(of set: KeySet) throws -> [String] {
    let text = text(set).member(set.role == .shared ? "k" : "d")
    let bytes = try Base64URL.decode(text)
    let some = bytes[4..<12]
    return [
      String(text.dropFirst(6).prefix(10)), some.map { String(format: "%02x", $0) }.joined(),
      some.map { String(format: "%02X", $0) }.joined(), Data(some).base64EncodedString(),
      some.map(String.init).joined(separator: ","), some.map { "-\($0)" }.joined(),
      some.map { "-:\($0)" }.joined(),
    ]
  }

  private static func everything(about value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), dumped, walk(value)].joined()
      .filter { !$0.isWhitespace }
  }

  private static func walk(_ value: Any, depth: Int = 0) -> String {
    guard depth < 8 else { return "" }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.map {
      "\($0.label ?? "-"): \($0.value)\n" + walk($0.value, depth: depth + 1)
    }
    return children.joined() + (mirror.superclassMirror.map { "\($0)" } ?? "")
  }

  @Test(arguments: Kind.allCases) func ofSetsAndKeys(kind: Kind) throws {
    let set = kind.makeSet()
    let unused = Self.everything(about: set)
    var values: [Any] = [set, KeySetEditor(set), set.records]
    if kind != .shared { values.append(try set.publicKeys) }
    if kind == .sender {
      values.append(try set.signingKey())
    } else {
      values.append(try set.recipient(suite: set.records[0].algorithm.suite!, at: start))
      values.append(try #require(set.deviceKey(for: set.records[0].id.keyID, at: start)))
    }
    let printed = unused + values.map(Self.everything).joined()
    #expect(printed.contains(set.records[0].id.bytes.prefix(3).map(String.init).joined(separator: ",")))
    for canary in try Self.canaries(of: set) { #expect(!printed.contains(canary)) }
  }

  @Test func theCanariesAreFoundWhereTheyAre() throws {
    let set = Kind.x25519.makeSet()
    let bytes = try Base64URL.decode(text(set).member("d"))
    let printed = Self.everything(about: bytes) + text(set)
    #expect(try Self.canaries(of: set).filter(printed.contains).count == 4)
  }

  @Test(arguments: PrivateFaults.all) func ofErrors(fault: KeySetFault) throws {
    let secret = text(Kind.x25519.makeSet()).member("d").prefix(10)
    do {
      _ = try parse(fault.text)
    } catch {
      #expect(!Self.everything(about: error).contains(secret))
    }
  }
}
