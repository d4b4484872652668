import Foundation
import Glibc
import PushDelivery
@testable import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// A server that asks who its client is: with TLS 1.3 it says so after the handshake.
@Suite(.hangGuard) struct ClientCertificateTests {
  @Test("A server that asks for a client's certificate is no server that did not answer")
  func asked() async throws {
    let server = try await CertificateAskingServer()
    var configuration = Scene.configuration(port: server.port)
    configuration.additionalRoot = server.certificate
    configuration.retries.maximumAttempts = 3
    let reasons = Mutex<[String]>([])
    let client = try APNsClient(
      token: Scene.token(), configuration: configuration,
      report: { event in
        if case .connectionFailed(let reason, _) = event { reasons.withLock { $0.append(reason) } }
      })
    let push = try Scene.pushes(1)[0]
    let error = await #expect(throws: DeliveryError.self) {
      try await client.send(push, to: Scene.address())
    }
    guard case .noConnection(let text)? = error?.cause else { Issue.record("\(error!)"); return }
    #expect(text.contains("certificate required"))
    #expect(reasons.withLock(\.self).contains { $0.contains("certificate required") })
    client.shutdown()
  }
}

/// OpenSSL's own server, with a certificate that it makes for `localhost`.
private final class CertificateAskingServer {
  let port: UInt16
  let certificate: [UInt8]
  private let process = Process()
  private let input = Pipe()
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    let address = try await Resolver.shared.answer(for: "127.0.0.1", port: 0).get()[0]
    port = try Socket.listening(at: address).port()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", Self.script, "bash", folder.path, "\(port)"]
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Its one line says that the certificate is there.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    certificate = folder.bytes(of: "server.pem") ?? []
  }

  private static let script = #"""
    cd "$1"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 2 -subj /CN=localhost \
      -addext subjectAltName=DNS:localhost -keyout server.key -out server.pem
    echo made
    exec openssl s_server -accept "127.0.0.1:$2" -cert server.pem -key server.key -alpn h2 -Verify 1 \
      -verify_return_error >/dev/null
    """#

  // It may have been started with signals blocked.
  deinit { kill(process.processIdentifier, SIGKILL) }
}
