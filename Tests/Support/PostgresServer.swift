// A phone starts no programs.
#if os(Linux)
  import Foundation

  /// PostgreSQL's programs with a cluster of this process's own in a temporary folder, which only a socket in it leads to.
  ///
  /// It stops and is removed with this process, however that ends: a shell waits for the end of its standard input.
  public final class PostgresServer: Sendable {
    /// The folder of the socket.
    public let folder: String

    private let commands: FileHandle
    private let answers: FileHandle

    /// Makes a cluster, and starts its server.
    public init() throws {
      let (input, output, shell) = (Pipe(), Pipe(), Process())
      shell.executableURL = URL(fileURLWithPath: "/bin/bash")
      shell.arguments = ["-c", Self.script]
      (shell.standardInput, shell.standardOutput) = (input, output)
      try shell.run()
      (commands, answers) = (input.fileHandleForWriting, output.fileHandleForReading)
      folder = try Self.line(from: answers)
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
      start() {
        "${as[@]}" "$programs/pg_ctl" start --wait --pgdata="$folder/data" --log="$folder/log" --options="-k $folder" \
          </dev/null >/dev/null || { cat "$folder/log" >&2; exit 1; }
        echo "$folder"
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
      start
      while read -r command; do
        stop
        start
      done
      """#
  }
#endif
