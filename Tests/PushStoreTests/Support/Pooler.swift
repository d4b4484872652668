import Foundation
import TestSupport

/// PgBouncer in front of a cluster: it gives each transaction to whichever session is free, of two a database.
///
/// It stops with this process, however that ends: a shell waits for the end of its standard input. The variable
/// `SEALEDPUSH_PGBOUNCER` names another program than this system's.
final class Pooler: Sendable {
  /// The one in front of the cluster that tests share.
  static let shared = Result { try Pooler(for: Cluster.shared.get()) }

  /// The pooler that tests of every store in PostgreSQL go through; nil if they connect to the server itself.
  static var ofAllStores: Pooler? {
    get throws {
      ProcessInfo.processInfo.environment["SEALEDPUSH_POOLED"] == nil ? nil : try shared.get()
    }
  }

  private let folder: String
  private let input: FileHandle

  private init(for cluster: Cluster) throws {
    let (input, output, shell) = (Pipe(), Pipe(), Process())
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", Self.script, "bash", cluster.folder]
    (shell.standardInput, shell.standardOutput) = (input, output)
    try shell.run()
    self.input = input.fileHandleForWriting
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    guard !line.isEmpty else { throw Failure() }
    folder = String(decoding: line, as: UTF8.self)
  }

  /// The standard error says why it does not start.
  struct Failure: Error {}

  /// How to connect to a database.
  func string(for database: String) -> String { "host=\(folder) port=6432 user=postgres dbname=\(database)" }

  private static let script = #"""
    set -euo pipefail
    folder=$(mktemp -d "${TMPDIR:-/tmp}/sealed-push-XXXXXX")
    as=()
    if [ "$(id -u)" = 0 ]; then
      user=$(id -un postgres 2>/dev/null || echo nobody)
      chown "$user" "$folder"
      as=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups)
    fi
    cat >"$folder/settings" <<END
    [databases]
    * = host=$1 port=5432 user=postgres
    [pgbouncer]
    listen_addr =
    listen_port = 6432
    unix_socket_dir = $folder
    auth_type = any
    pool_mode = transaction
    default_pool_size = 2
    max_client_conn = 200
    logfile = $folder/log
    END
    "${as[@]}" "${SEALEDPUSH_PGBOUNCER:-/usr/sbin/pgbouncer}" -q "$folder/settings" </dev/null >/dev/null &
    pooler=$!
    disown
    # It may have been started with signals blocked.
    trap 'kill -9 $pooler || true; rm -rf "$folder"' EXIT
    trap '' INT TERM
    until [ -S "$folder/.s.PGSQL.6432" ]; do
      kill -0 $pooler || { cat "$folder/log" >&2; exit 1; }
      sleep 0.05
    done
    echo "$folder"
    while read -r; do :; done
    """#
}
