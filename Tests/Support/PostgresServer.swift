// A phone starts no programs.
#if os(Linux)
  import Foundation

  /// PostgreSQL's programs with a cluster of this process's own in a temporary folder, which only a socket in it leads to,
  /// or TLS on 127.0.0.1.
  ///
  /// It stops and is removed with this process, however that ends: a shell waits for the end of its standard input.
  public final class PostgresServer: Sendable {
    /// The folder of the socket.
    public let folder: String
    /// The port of TLS, and a part of the socket's name.
    public let port: Int

    /// The server's certificate, which is for `localhost`: the root to trust.
    public var certificate: String { "\(folder)/server.pem" }
    /// The certificate of another server.
    public var otherCertificate: String { "\(folder)/other.pem" }

    private let commands: FileHandle
    private let answers: FileHandle

    /// Makes a cluster, and starts its server; with TLS, for roles that have a password.
    public init(withTLS hasTLS: Bool = false) throws {
      let (input, output, shell) = (Pipe(), Pipe(), Process())
      shell.executableURL = URL(fileURLWithPath: "/bin/bash")
      shell.arguments = ["-c", Self.script, "bash"] + (hasTLS ? ["tls"] : [])
      (shell.standardInput, shell.standardOutput) = (input, output)
      try shell.run()
      (commands, answers) = (input.fileHandleForWriting, output.fileHandleForReading)
      let words = try Self.line(from: answers).split(separator: " ")
      guard words.count == 2, let port = Int(words[1]) else { throw Failure() }
      (folder, self.port) = (String(words[0]), port)
    }

    /// Stops the server as a crash does, and starts it again.
    public func restart() throws {
      try commands.write(contentsOf: Data("restart\n".utf8))
      _ = try Self.line(from: answers)
    }

    private static func line(from file: FileHandle) throws -> String {
      var line: [UInt8] = []
      while let byte = try file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
      guard !line.isEmpty else { throw Failure() }
      return String(decoding: line, as: UTF8.self)
    }

    /// The standard error says why.
    public struct Failure: Error {}

    /// Makes a cluster, whose server refuses to be root's, and does what it is told until nobody can tell it more.
    private static let script = #"""
      set -euo pipefail
      folder=$(mktemp -d "${TMPDIR:-/tmp}/sealed-push-XXXXXX")
      programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
      as=()
      if [ "$(id -u)" = 0 ]; then
        user=$(id -un postgres 2>/dev/null || echo nobody)
        chown "$user" "$folder"
        as=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups)
      fi
      stop() { "${as[@]}" "$programs/pg_ctl" stop --mode=immediate --pgdata="$folder/data" >/dev/null; }
      trap 'stop || true; rm -rf "$folder"' EXIT
      trap '' INT TERM
      port=5432
      start() {
        "${as[@]}" "$programs/pg_ctl" start --wait --pgdata="$folder/data" --log="$folder/log" \
          --options="-k $folder -p $port" </dev/null >/dev/null
      }
      serve() { start || { cat "$folder/log" >&2; exit 1; }; echo "$folder $port"; }
      certify() {
        "${as[@]}" openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 2 -subj /CN=localhost \
          -addext subjectAltName=DNS:localhost -keyout "$1.key" -out "$1.pem" 2>/dev/null
      }
      cd "$folder"
      "${as[@]}" "$programs/initdb" --pgdata="$folder/data" --username=postgres --encoding=UTF8 --locale=C.UTF-8 \
        --auth=trust --no-sync --no-instructions >/dev/null
      cat >>"$folder/data/postgresql.conf" <<'END'
      listen_addresses = ''
      fsync = off
      full_page_writes = off
      autovacuum = off
      wal_level = minimal
      max_wal_senders = 0
      max_connections = 200
      shared_buffers = 64MB
      END
      printf '%s\n' 'local all guarded scram-sha-256' 'local all all trust' >"$folder/data/pg_hba.conf"
      if [ "${1:-}" = tls ]; then
        certify server
        certify other
        cat >>"$folder/data/postgresql.conf" <<END
      listen_addresses = '127.0.0.1'
      ssl = on
      ssl_cert_file = '$folder/server.pem'
      ssl_key_file = '$folder/server.key'
      END
        echo 'hostssl all all 127.0.0.1/32 scram-sha-256' >>"$folder/data/pg_hba.conf"
        # Others may have the port.
        for _ in {1..20}; do
          port=$((20000 + RANDOM))
          ! start || break
        done
        "${as[@]}" "$programs/pg_ctl" status --pgdata="$folder/data" >/dev/null
        echo "$folder $port"
      else
        serve
      fi
      while read -r command; do
        stop
        serve
      done
      """#
  }
#endif
