import CTLS
@testable import PushNetwork
import PushTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct TrustTests {
  struct Refusal: CustomTestStringConvertible {
    let testDescription: String
    let identity: TLSIdentity
    var reason: String? = nil
  }

  private static let authority = TestServer.authority

  private static let refusals = [
    Refusal(
      testDescription: "another name",
      identity: authority.identity(for: CertificateSubject(hosts: ["elsewhere.example"])),
      reason: "hostname mismatch"),
    Refusal(
      testDescription: "the name in the subject alone",
      identity: authority.identity(for: CertificateSubject(name: "localhost", hosts: [])),
      reason: "hostname mismatch"),
    Refusal(
      testDescription: "expired",
      identity: authority.identity(for: CertificateSubject(hosts: ["localhost"], validity: -7200 ... -3600)),
      reason: "certificate has expired"),
    Refusal(
      testDescription: "not yet valid",
      identity: authority.identity(for: CertificateSubject(hosts: ["localhost"], validity: 3600...7200)),
      reason: "certificate is not yet valid"),
    Refusal(
      testDescription: "self-signed",
      identity: CertificateAuthority.selfSigned(for: CertificateSubject(hosts: ["localhost"]))),
    Refusal(
      testDescription: "of an unknown issuer",
      identity: CertificateAuthority().identity(for: CertificateSubject(hosts: ["localhost"]))),
  ]

  @Test("A certificate that does not vouch for the server is refused", arguments: refusals)
  func refused(_ refusal: Refusal) async throws {
    let server = try await TestServer(identity: refusal.identity) { _ in .silence }
    do throws(HTTP2Error) {
      _ = try await server.connect()
      Issue.record("connected")
    } catch {
      guard case .tls(.certificate(let reason)) = error else {
        Issue.record("\(error)")
        return
      }
      if let expected = refusal.reason { #expect(reason == expected) }
    }
    await server.server.stop()
  }

  @Test("The system's roots do not vouch for a private one")
  func systemRootsAlone() async throws {
    let server = try await TestServer { _ in .silence }
    do throws(HTTP2Error) {
      _ = try await HTTP2Connection.connect(
        to: server.endpoint, context: TLSContext(trusting: .system), clock: ManualClock(.now))
      Issue.record("connected")
    } catch {
      guard case .tls(.certificate) = error else {
        Issue.record("\(error)")
        return
      }
    }
    await server.server.stop()
  }

  @Test("A certificate for an IP address is checked against that")
  func address() async throws {
    let identity = Self.authority.identity(for: CertificateSubject(hosts: ["127.0.0.1"]))
    let server = try await TestServer(identity: identity) { _ in .response(HTTP2Response(status: 200)) }
    let endpoint = HTTP2Endpoint(host: "127.0.0.1", port: server.server.port)
    let connection = try await HTTP2Connection.connect(
      to: endpoint, context: server.clientContext, clock: ManualClock(.now))
    #expect(try await connection.outcome().get().status == 200)
    await #expect(throws: HTTP2Error.self) { try await server.connect() }  // to localhost
    await server.server.stop()
    let others = Self.authority.identity(for: CertificateSubject(hosts: ["127.0.0.2", "localhost"]))
    let other = try await TestServer(identity: others) { _ in .silence }
    await #expect(throws: HTTP2Error.self) {
      let endpoint = HTTP2Endpoint(host: "127.0.0.1", port: other.server.port)
      return try await HTTP2Connection.connect(
        to: endpoint, context: other.clientContext, clock: ManualClock(.now))
    }
    await other.server.stop()
  }

  @Test(
    "What is no host is refused, before it could turn off the check of the certificate's name",
    arguments: [
      "", "\0", "\0evil", "localhost\0", "127.0.0.1\0", "local host", "localhost\n", ".localhost", "höst",
    ])
  func noHost(host: String) async throws {
    let identity = Self.authority.identity(for: CertificateSubject(hosts: ["elsewhere.example"]))
    let server = try await TestServer(identity: identity) { _ in .silence }
    let port = server.server.port
    for endpoint in [
      HTTP2Endpoint(host: host, port: port, address: "127.0.0.1"),
      HTTP2Endpoint(host: "localhost", port: port, address: host),
    ] {
      do throws(HTTP2Error) {
        _ = try await HTTP2Connection.connect(
          to: endpoint, context: server.clientContext, clock: ManualClock(.now))
        Issue.record("connected")
      } catch {
        #expect(error.description == "the host or its address is neither a name nor an IP address")
      }
    }
    #expect(await server.server.connectionCount == 0)
    await server.server.stop()
  }

  @Test("Each authority's root has a name of its own")
  func rootNames() {
    let roots = (0..<2).map { _ in X509Certificate.all(in: CertificateAuthority().root)[0] }
    let order = unsafe X509_NAME_cmp(
      X509_get_subject_name(roots[0].handle), X509_get_subject_name(roots[1].handle))
    #expect(order != 0)
  }

  @Test("A verifier that follows RFC 5280 strictly takes the certificates")
  func strictVerifier() throws {
    let authority = CertificateAuthority()
    let identity = authority.identity(for: CertificateSubject(hosts: ["localhost"]))
    let root = try #require(X509Certificate.all(in: authority.root).first)
    let store = unsafe try #require(X509_STORE_new())
    defer { unsafe X509_STORE_free(store) }
    let verification = unsafe try #require(X509_STORE_CTX_new())
    defer { unsafe X509_STORE_CTX_free(verification) }
    unsafe X509_STORE_add_cert(store, root.handle)
    unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_X509_STRICT))
    try #require(unsafe X509_STORE_CTX_init(verification, store, identity.chain[0].handle, nil) == 1)
    let isTrusted = unsafe X509_verify_cert(verification) == 1
    let reason = unsafe String(
      cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(verification))))
    #expect(isTrusted, "\(reason)")
  }

  @Test("A server that does not choose HTTP/2 is refused")
  func noHTTP2() async throws {
    let server = try await TestServer(offersHTTP2: false) { _ in .silence }
    await #expect(throws: HTTP2Error.tls(.noHTTP2)) { try await server.connect() }
    await server.server.stop()
  }

  @Test("Only PEM with certificates is taken for roots, and only a key that belongs to them for an identity")
  func unreadable() {
    #expect(throws: TLSError.unreadable) { try TLSRoots.system(adding: Array("no certificate".utf8)) }
    #expect(throws: TLSError.unreadable) {
      try TLSIdentity(chain: Self.authority.root, key: Self.authority.root)
    }
    let identities = (0..<2).map { _ in Self.authority.identity(for: CertificateSubject(hosts: ["localhost"]))
    }
    let (chain, keys) = (identities[0].chain[0].pem, identities.map { Self.pem(of: $0.key) })
    #expect(throws: Never.self) { try TLSIdentity(chain: chain, key: keys[0]) }
    #expect(throws: TLSError.unreadable) { try TLSIdentity(chain: chain, key: keys[1]) }
  }

  @Test("Certificates that are read again and again leave no memory behind")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let root = Self.authority.root
      let growth = try Heap.growth(repeating: 1000) { _ in _ = try TLSRoots.system(adding: root) }
      // Each reader takes more than a hundred bytes.
      try #require(growth < 1 << 16)
    }
  }

  private static func pem(of key: PrivateKeyHandle) -> [UInt8] {
    let bio = unsafe BIO_new(BIO_s_mem())
    defer { unsafe BIO_free(bio) }
    unsafe PEM_write_bio_PrivateKey(bio, key.handle, nil, nil, 0, nil, nil)
    var text = [UInt8](repeating: 0, count: 4096)
    let count = unsafe BIO_read(bio, &text, CInt(text.count))
    return Array(text.prefix(Int(count)))
  }
}
