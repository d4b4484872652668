import Glibc
import Testing

@Suite("Keys from and for other programs", .serialized)
struct ImportExportTests {
  /// A kind of key: how it is made here, and by openssl(1).
  enum Kind: String, CaseIterable {
    case x25519, p256, ed25519

    var options: String {
      switch self {
      case .x25519: "--role device"
      case .p256: "--role device --suite p256-aesgcm"
      case .ed25519: "--role sender"
      }
    }

    var generation: String {
      self == .p256 ? "EC -pkeyopt ec_paramgen_curve:P-256" : rawValue
    }
  }

  @Test(arguments: Kind.allCases, ["jwk", "pem", "raw"]) func back(kind: Kind, format: String) async throws {
    let tool = try Tool()
    try await tool.succeed("keys new \(kind.options) --out old.jwks")
    let export = "keys export --keys old.jwks --format \(format)"
    try await tool.succeed("\(export) --private --out key")
    #expect(try tool.mode(of: "key") == 0o600)
    try await tool.succeed("keys import --keys new.jwks \(kind.options) --format \(format) --in key")
    #expect(try tool.mode(of: "new.jwks") == 0o600)
    #expect(try tool.secret(of: "new.jwks") == tool.secret(of: "old.jwks"))
    let publicKeys = try await [
      tool.succeed(export).output, tool.succeed("keys export --keys new.jwks --format \(format)").output,
    ]
    #expect(publicKeys[0] == publicKeys[1])
    #expect(!Canary(try tool.secret(of: "old.jwks")).isIn(publicKeys[0]))
  }

  @Test(arguments: Kind.allCases) func opensslReadsOurs(kind: Kind) async throws {
    let tool = try Tool()
    try await tool.succeed("keys new \(kind.options) --out keys.jwks")
    try await tool.succeed("keys export --keys keys.jwks --format pem --private --out key.pem")
    try await tool.succeed("keys export --keys keys.jwks --format pem --out key.pub.pem")
    let script = "openssl pkey -in key.pem -check -pubout | tail -n 3 | cmp - key.pub.pem"
    let run = try await tool.shell(
      kind == .p256
        ? script.replacing("tail -n 3", with: "sed '/^Key is valid/d'")
        : script.replacing(" -check", with: ""))
    #expect(run.status == 0, "\(run.text) \(run.errors)")
    #expect(try await tool.shell("openssl pkey -pubin -in key.pub.pem -noout -text").status == 0)
  }

  @Test(arguments: Kind.allCases) func weReadOpenSSLs(kind: Kind) async throws {
    let tool = try Tool()
    let made = try await tool.shell(
      "umask 077; openssl genpkey -algorithm \(kind.generation) -out key.pem && openssl pkey -in key.pem -pubout -out key.pub.pem"
    )
    #expect(made.status == 0, "\(made.errors)")
    try await tool.succeed("keys import --keys keys.jwks \(kind.options) --format pem --in key.pem")
    let ours = try await tool.succeed("keys export --keys keys.jwks --format pem")
    #expect(try ours.output == tool.contents("key.pub.pem"))
    try await tool.succeed("keys export --keys keys.jwks --format pem --private --out again.pem")
    #expect(try tool.contents("again.pem") == tool.contents("key.pem"))
  }

  @Test func anImportedKeyTakesOver() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let sealed = try await pair.sealed()
    _ = try await tool.shell("openssl genpkey -algorithm x25519 -out key.pem")
    let before = try tool.contents("device.jwks")
    let line = "keys import --keys device.jwks --role device --format pem --now \(start)"
    #expect(try await tool.succeed("\(line) --in key.pem --dry-run").lines.count == 3)
    #expect(try tool.contents("device.jwks") == before)
    try await tool.succeed("\(line) --in -", input: .bytes(tool.contents("key.pem")))
    let keys = try await tool.keys("device.jwks")
    #expect(keys.map(\.status) == ["accepted", "active"] && keys[0].exp == start + 30 * day)
    // What was on the way opens, and so does what is sealed to the new key.
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(sealed))
    try await tool.succeed("keys export --keys device.jwks --out device.pub.jwks --force")
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(pair.sealed()))
    try await tool.refuse("\(line) --in key.pem", 65, "a key is duplicated")
    try await tool.refuse(
      "keys import --keys sender.jwks --role device --format pem --in key.pem", 65,
      "cannot share a set")
  }

  @Test func whatIsRefused() async throws {
    let tool = try await Pair().tool
    _ = try await tool.shell(
      """
      umask 077; openssl genpkey -algorithm ed25519 -aes128 -pass pass:x -out locked.pem
      openssl genpkey -algorithm ed25519 -out ed.pem; openssl pkey -in ed.pem -pubout -out pub.pem
      openssl genpkey -algorithm x448 -out other.pem; openssl ecparam -name prime256v1 -genkey -noout -out sec1.pem
      head -c 20000 /dev/zero > zero
      """)
    let line = "keys import --keys new.jwks --role sender --format"
    let locked = try await tool.refuse("\(line) pem --in locked.pem", 65, "encrypted with a password")
    #expect(locked.hint?.hasPrefix("openssl pkey -in locked.pem") == true)
    try await tool.refuse("\(line) pem --in pub.pem", 65, "has a public key")
    let other = try await tool.refuse("\(line) pem --in other.pem", 65, "no X25519, P-256 or Ed25519 key")
    #expect(other.hint == nil)
    let sec1 = try await tool.refuse("\(line) pem --in sec1.pem", 65, "has no PKCS#8 key")
    #expect(sec1.hint == "openssl pkey -in sec1.pem writes PKCS#8")
    try await tool.refuse("\(line) raw --in ed.pem", 65, "not a private key in the format raw")
    try await tool.refuse("\(line) raw --in zero", 65, "longer than any key")
    try await tool.refuse("\(line) raw --in nowhere", 66, "cannot read nowhere")
    try await tool.refuse("\(line) jwk --in sender.jwks", 65, "sender.jwks is a set")
    try await tool.refuse("\(line) raw --in .", 66, "cannot read .: Is a directory")
    try await tool.refuse("\(line) der --in ed.pem", 64, "--format must be jwk, pem or raw")
    try await tool.refuse(
      "keys import --keys new.jwks --role device --format pem --in ed.pem", 65, "another kind")
    try await tool.refuse(
      "keys import --keys new.jwks --role shared --format pem --in ed.pem", 64, "--role must be")
    #expect(try !tool.names.contains("new.jwks"))
  }

  @Test func whatStandsBesideAKey() async throws {
    let tool = try Tool()
    _ = try await tool.shell(
      """
      umask 077; openssl genpkey -algorithm ed25519 -out ed.pem; openssl pkey -in ed.pem -pubout -out pub.pem
      openssl ecparam -name prime256v1 -genkey -out ec.pem; cat pub.pem ed.pem > both.pem
      cat ed.pem ed.pem > twice.pem
      """)
    let line = "keys import --role sender --format pem --keys"
    let ec = try await tool.refuse("\(line) new.jwks --in ec.pem", 65, "has no PKCS#8 key")
    #expect(ec.hint == "openssl pkey -in ec.pem writes PKCS#8")
    try await tool.refuse("\(line) new.jwks --in twice.pem", 65, "several private keys")
    try await tool.succeed("\(line) one.jwks --in ed.pem")
    try await tool.succeed("\(line) two.jwks --in both.pem")
    #expect(try tool.secret(of: "one.jwks") == tool.secret(of: "two.jwks"))
  }

  @Test func whatAKilledExportLeft() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    try tool.write("a private key", to: ".f.pem.0123456789abcdef.tmp")
    let export = "keys export --keys device.jwks --format pem --private --out"
    try await tool.succeed("\(export) f.pem")
    #expect(try tool.names == ["device.jwks", "f.pem"])
    try #require(unsafe mkdir(tool.path("open"), 0o700) == 0)
    try tool.setMode(0o777, of: "open")
    try await tool.refuse("\(export) open/f.pem", 77, "others can replace open/f")
  }

  @Test func privateKeysAreNotPrinted() async throws {
    let tool = try await Pair().tool
    let export = "keys export --keys device.jwks"
    for end in ["", " --out -"] {
      try await tool.refuse("\(export) --format pem --private\(end)", 64, "private keys are not printed")
    }
    try await tool.refuse("\(export) --private --out x", 64, "need --format")
    try await tool.refuse("\(export) --kid=x", 64, "need --format")
    try await tool.succeed("\(export) --format raw --private --out x")
    try await tool.refuse("\(export) --format raw --private --out x", 73, "x exists")
    try await tool.refuse("\(export) --format raw --private --out device.jwks --force", 64, "the same file")
    try await tool.succeed("keys rotate --keys device.jwks")
    let old = try await tool.keys("device.jwks")[0].kid
    let jwk = try await tool.succeed("\(export) --format jwk --kid=\(old)")
    #expect(jwk.text.contains(#""kid":"\#(old)""#) && jwk.lines.count == 1)
    try await tool.succeed("keys new --role shared --out shared.jwks")
    try await tool.refuse(
      "keys export --keys shared.jwks --format raw --private --out y", 65, "no public half")
  }
}
