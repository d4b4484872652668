import Glibc
import PushNetwork

/// This project's HTTP/2 for other programs to talk to: a server or a client.
@main
enum Peer {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "serve": try await serve(rootFile: arguments.dropFirst().first ?? "")
    case "load" where arguments.count == 5:
      let numbers = arguments.suffix(3).compactMap { Int($0) }
      try await load(rootFile: Array(arguments)[1], port: numbers[0], count: numbers[1], atATime: numbers[2])
    default:
      print("usage: http2-peer serve ROOT | load ROOT PORT COUNT AT-A-TIME")
      exit(64)
    }
  }

  /// Echoes each request, and prints its port.
  private static func serve(rootFile: String) async throws {
    let authority = CertificateAuthority()
    let identity = authority.identity(for: CertificateSubject(hosts: ["localhost", "127.0.0.1"]))
    let server = try await HTTP2Server.start(context: TLSContext(identity: identity)) { request in
      .response(
        HTTP2Response(status: 200, fields: [HTTPField(name: "path", value: request.path)], body: request.body)
      )
    }
    write(authority.root, to: rootFile)
    print(server.port)
    fflush(nil)
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  private static func load(rootFile: String, port: Int, count: Int, atATime: Int) async throws {
    let context = TLSContext(trusting: try .system(adding: read(rootFile)))
    let connection = try await HTTP2Connection.connect(
      to: HTTP2Endpoint(host: "localhost", port: UInt16(port), address: "127.0.0.1"), context: context)
    let request = HTTP2Request(
      path: "/3/device/0123456789abcdef",
      fields: [HTTPField(name: "authorization", value: "bearer x", isSecret: true)],
      body: [UInt8](repeating: 120, count: 865))
    let start = ContinuousClock.now
    let answered = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<atATime {
        group.addTask {
          var answered = 0
          for _ in 0..<count / atATime {
            guard (try? await connection.send(request, until: .seconds(3600))) != nil else { break }
            answered += 1
          }
          return answered
        }
      }
      return await group.reduce(0, +)
    }
    let time = start.duration(to: .now)
    var usage = rusage()
    unsafe getrusage(0, &usage)
    let cpu =
      usage.ru_utime.tv_sec * 1_000_000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_sec * 1_000_000
      + usage.ru_stime.tv_usec
    print(
      "\(answered) answered in \(time), \(cpu / max(1, answered)) µs of CPU each, \(usage.ru_maxrss / 1024) MB"
    )
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = unsafe fopen(path, "w") else { return }
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }

  private static func read(_ path: String) -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
