import Foundation
import PushEnvelope
import PushKeys
import PushReceiver
import PushTesting

/// A folder of a test's own, removed at the end.
final class LogFolder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of the one file in it.
  var file: String { "\(path)/store.json" }

  var text: String {
    get throws { String(decoding: try bytes, as: UTF8.self) }
  }

  var bytes: [UInt8] {
    get throws { try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))) }
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path) }
  }

  func write(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }
}

/// Times, reasons and notes, as one line of text each.
extension DiagnosticsRecord {
  var summary: [String] {
    entries.map { entry in
      switch entry.event {
      case .degraded(let reason): reason
      case .stepFailed(let step, let failure): "\(step): \(failure)"
      case .noted(let note): "note: \(note)"
      }
    }
  }
}

extension ReceptionReport {
  /// A report of which only the time matters.
  static func at(_ time: UnixTime) -> ReceptionReport {
    ReceptionReport(time: time, outcome: .degraded(.deadline), envelope: .absent, messageID: nil)
  }
}
