import Foundation

/// A server on this machine, as the kernel sees its connections.
struct LocalServer {
  /// An end of a TCP connection.
  struct Connection {
    let local: Substring
    let remote: Substring
    /// The inode of its socket.
    let socket: Substring
  }

  private let port: String

  init(port: UInt16) { self.port = ":" + String(format: "%04X", port) }

  /// The clients' ends of the connections that are open.
  var clients: [Connection] {
    get throws { try ends(in: ["01"]).filter { $0.remote.hasSuffix(port) } }
  }

  /// Whether the server has not yet closed one of these clients' connections.
  func serves(_ clients: [Connection]) throws -> Bool {
    let clients = Set(clients.map(\.local))
    // Connections count too that the server has not read to their end.
    return try ends(in: ["01", "08"]).contains { $0.local.hasSuffix(port) && clients.contains($0.remote) }
  }

  /// The ends of all connections that are in one of these states.
  private func ends(in states: Set<Substring>) throws -> [Connection] {
    try Self.table().split(separator: "\n").compactMap { line in
      // The columns: a number, the two ends, the state, and later the inode.
      let fields = line.split(separator: " ")
      guard fields.count > 9, states.contains(fields[3]) else { return nil }
      return Connection(local: fields[1], remote: fields[2], socket: fields[9])
    }
  }

  /// The kernel returns the file in parts, and not every reader joins them.
  private static func table() throws -> String {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp"))
    var bytes = Data()
    while let part = try file.read(upToCount: 1 << 16), !part.isEmpty { bytes += part }
    return String(decoding: bytes, as: UTF8.self)
  }
}
