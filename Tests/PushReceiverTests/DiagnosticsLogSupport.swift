import Foundation
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// A folder with one file, a store's.
extension TemporaryFolder {
  /// The file's path.
  var file: String { path(of: "store") }

  /// What the file holds; nil if there is none.
  var bytes: [UInt8]? { bytes(of: "store") }

  var text: String {
    get throws { String(decoding: try #require(bytes), as: UTF8.self) }
  }

  func write(_ bytes: some Sequence<UInt8>) throws { try write(bytes, to: "store") }
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
