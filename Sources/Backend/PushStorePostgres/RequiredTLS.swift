internal import CPostgres
internal import Glibc

/// TLS with a server elsewhere, which libpq itself does not ask for: it gives a server that refuses TLS the password in the
/// clear.
///
/// The server must have a certificate that is valid and has its name. Who writes `sslmode` into the connection string, or
/// sets `PGSSLMODE`, chooses otherwise. What a service's file says of the host is not known here, so there it is required
/// as well; on a socket it changes nothing.
struct RequiredTLS {
  private let options: [String: String]

  /// Takes the options that a connection string sets.
  init(for options: [(name: String, value: String)]) {
    self.options = Dictionary(options.map { ($0.name, $0.value) }) { $1 }
  }

  /// What libpq gets before the string, whose own values take precedence.
  var parameters: [(String, String)] {
    let mode = value(of: "sslmode", variable: "PGSSLMODE")
    guard mode == nil && !isNear || mode == "verify-full" else { return [] }
    return (mode == nil ? [("sslmode", "verify-full")] : []) + (roots.map { [("sslrootcert", $0)] } ?? [])
  }

  /// Whether the server is on this machine, as far as the string and the environment say.
  private var isNear: Bool {
    guard value(of: "service", variable: "PGSERVICE") == nil else { return false }
    let addresses = value(of: "hostaddr", variable: "PGHOSTADDR")
    let hosts = addresses ?? value(of: "host", variable: "PGHOST") ?? ""
    return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
        || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
  }

  /// The certificates that this system trusts; nil if others are named, or libpq finds the user's own.
  private var roots: String? {
    guard value(of: "sslrootcert", variable: "PGSSLROOTCERT") == nil else { return nil }
    let own = Self.variable("HOME").map { $0 + "/.postgresql/root.crt" }
    if let own, unsafe access(own, F_OK) == 0 { return nil }
    // libpq knows OpenSSL's own since version 16.
    if PQlibVersion() >= 160000 { return "system" }
    let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
    return files.first { unsafe access($0, R_OK) == 0 }
  }

  private func value(of option: String, variable: String) -> String? {
    options[option] ?? Self.variable(variable)
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
