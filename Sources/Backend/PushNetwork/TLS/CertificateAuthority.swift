internal import CTLS

/// Issues certificates for servers on this machine.
package struct CertificateAuthority: Sendable {
  private let key: PrivateKeyHandle
  private let certificate: X509Certificate

  /// Makes an authority with its own root, which is valid for ten years and has a unique name.
  package init() {
    key = .generate()
    certificate = Self.certificate(
      for: CertificateSubject(root: "Root \(UInt64.random(in: 0 ... .max))"), key: key, issuer: nil,
      signedBy: key)
  }

  /// Reads an authority that was kept: what ``secrets`` was.
  ///
  /// - Throws: ``TLSError/unreadable``.
  package init(secrets pem: [UInt8]) throws(TLSError) {
    let identity = try TLSIdentity(chain: pem, key: pem)
    (key, certificate) = (identity.key, identity.chain[0])
  }

  /// The root's private key and the root in PEM, to issue more certificates later; whoever has it can play any server to
  /// clients that trust the root.
  package var secrets: [UInt8] { key.pem + root }

  /// The root in PEM, for clients to trust.
  package var root: [UInt8] { certificate.pem }

  /// Issues a certificate with a new key.
  package func identity(for subject: CertificateSubject) -> TLSIdentity {
    let own = PrivateKeyHandle.generate()
    let certificate = Self.certificate(for: subject, key: own, issuer: self.certificate, signedBy: key)
    return TLSIdentity(chain: [certificate], key: own)
  }

  /// Makes a self-signed certificate.
  package static func selfSigned(for subject: CertificateSubject) -> TLSIdentity {
    let key = PrivateKeyHandle.generate()
    return TLSIdentity(chain: [certificate(for: subject, key: key, issuer: nil, signedBy: key)], key: key)
  }

  private static func certificate(
    for subject: CertificateSubject, key: PrivateKeyHandle, issuer: X509Certificate?,
    signedBy signer: PrivateKeyHandle
  ) -> X509Certificate {
    TLSErrors.kept {
      guard let handle = unsafe X509_new() else { preconditionFailure("memory ran out") }
      let certificate = unsafe X509Certificate(owning: handle)
      unsafe X509_set_version(handle, 2)  // version 3
      unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(handle), .random(in: 1...(.max >> 1)))
      unsafe X509_gmtime_adj(X509_getm_notBefore(handle), subject.validity.lowerBound)
      unsafe X509_gmtime_adj(X509_getm_notAfter(handle), subject.validity.upperBound)
      unsafe X509_NAME_add_entry_by_txt(
        X509_get_subject_name(handle), "CN", MBSTRING_UTF8, subject.name, -1, -1, 0)
      unsafe X509_set_issuer_name(handle, X509_get_subject_name(issuer?.handle ?? handle))
      unsafe X509_set_pubkey(handle, key.handle)
      for (kind, value) in subject.extensions(isRoot: issuer == nil) {
        let status = unsafe tls_add_extension(handle, issuer?.handle ?? handle, kind, value)
        precondition(status == 1, "the subject's names can be encoded")
      }
      precondition(unsafe X509_sign(handle, signer.handle, EVP_sha256()) > 0, "P-256 signs")
      return certificate
    }
  }
}

/// The subject of a certificate.
package struct CertificateSubject: Sendable {
  /// The common name, which clients ignore.
  let name: String

  /// The names that the certificate is valid for.
  let hosts: [String]

  /// The time in which the certificate is valid, in seconds from now.
  let validity: ClosedRange<Int>

  /// Describes a server.
  ///
  /// - Parameters:
  ///   - name: The common name.
  ///   - hosts: Names and IP addresses.
  ///   - validity: The time in which the certificate is valid, in seconds from now.
  package init(name: String = "Server", hosts: [String], validity: ClosedRange<Int> = -86_400...86_400 * 365)
  {
    self.name = name
    self.hosts = hosts
    self.validity = validity
  }

  fileprivate init(root name: String) {
    self.name = name
    hosts = []
    validity = -86_400...86_400 * 3650
  }

  fileprivate func extensions(isRoot: Bool) -> [(CInt, String)] {
    var extensions: [(CInt, String)] = [(NID_subject_key_identifier, "hash")]
    // RFC 5280, 4.2.1.1: only a self-signed certificate may omit the extension.
    if !isRoot { extensions.append((NID_authority_key_identifier, "keyid:always")) }
    if !hosts.isEmpty {
      let names = hosts.map { (SocketAddress.isLiteral($0) ? "IP:" : "DNS:") + $0 }
      extensions.append((NID_subject_alt_name, names.joined(separator: ",")))
    }
    guard isRoot, hosts.isEmpty else { return extensions + [(NID_ext_key_usage, "serverAuth")] }
    return extensions + [
      (NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign"),
    ]
  }
}
