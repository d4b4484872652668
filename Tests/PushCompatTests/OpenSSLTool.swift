import Foundation

/// The program `openssl`, fed through a file and read through another.
enum OpenSSLTool {
  struct Failure: Error { let status: Int32 }

  static func run(_ arguments: [String], _ input: [UInt8]) async throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (source, target) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try Data(input).write(to: source)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments + ["-in", source.path, "-out", target.path]
    process.standardError = FileHandle.nullDevice
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else { throw Failure(status: status) }
    return [UInt8](try Data(contentsOf: target))
  }
}
