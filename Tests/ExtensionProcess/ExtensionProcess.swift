import Dispatch
import Foundation
import PushAttachments
import PushEnvelope
import PushExtension
import PushKeys
import PushReceiver
import UserNotifications

/// An extension in a process of its own: a payload a line comes in, and what it shows of it goes out.
///
/// Keys, replay store, log and blobs are in the folder that is its argument.
@main
enum ExtensionProcess {
  static func main() throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "."
    while let line = readLine() {
      let service = Service(folder)
      print(show(try request(line), with: service))
      fflush(nil)
    }
  }

  private static func request(_ payload: String) throws -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = "New notification"
    content.body = "(Encrypted)"
    content.userInfo =
      try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [AnyHashable: Any] ?? [:]
    return UNNotificationRequest(identifier: "", content: content, trigger: nil)
  }

  /// The body that the service hands over, and the number of attachments.
  private static func show(_ request: UNNotificationRequest, with service: Service) -> String {
    let done = DispatchSemaphore(value: 0)
    let shown = Shown()
    service.didReceive(request) { content in
      shown.text = "\(content.body) +\(content.attachments.count)"
      for attachment in content.attachments { try? FileManager.default.removeItem(at: attachment.url) }
      done.signal()
    }
    done.wait()
    return shown.text
  }
}

/// Written before the semaphore is signalled, and read after.
private final class Shown: @unchecked Sendable {
  var text = ""
}

private final class Service: SealedNotificationService {
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  override func makeReceiver() throws -> Receiver {
    var receiver = Receiver(
      topic: try Topic("com.example.app"), keys: KeyFile(path: "\(folder)/device.jwks"),
      senders: PublicKeyFile(path: "\(folder)/senders.jwks"),
      replay: FileReplayStore(path: "\(folder)/replay"))
    receiver.steps = [
      .attachments(from: FolderFetcher(folder: folder), into: "\(folder)/attachments")
    ]
    receiver.observers = [DiagnosticsLog(path: "\(folder)/log")]
    return receiver
  }
}

/// Blobs from files, by the last part of their addresses.
private struct FolderFetcher: BlobFetcher {
  let folder: String

  func fetch(
    _ url: AttachmentURL, receive: @escaping @Sendable ([UInt8]) throws(AttachmentError) -> Void
  ) async throws {
    let name = url.text.split(separator: "/").last ?? ""
    guard let file = unsafe fopen("\(folder)/\(name)", "r") else { throw CocoaError(.fileNoSuchFile) }
    defer { unsafe fclose(file) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = unsafe fread(&piece, 1, piece.count, file), count > 0 {
      try receive(Array(piece[..<count]))
    }
  }
}
