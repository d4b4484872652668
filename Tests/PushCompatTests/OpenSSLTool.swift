import Foundation
import TestSupport

/// The program `openssl`, fed through a file and read through another.
enum OpenSSLTool {
  struct Failure: Error { let status: Int32 }

  static func run(_ arguments: [String], _ input: [UInt8]) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write(input, to: "in")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["openssl"] + arguments + ["-in", folder.path(of: "in"), "-out", folder.path(of: "out")]
    process.standardError = FileHandle.nullDevice
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else { throw Failure(status: status) }
    return folder.bytes(of: "out") ?? []
  }
}
