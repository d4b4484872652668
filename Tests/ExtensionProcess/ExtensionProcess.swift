import Dispatch
import Foundation
import PushAttachments
import PushCore
import SealedPush
import PushKeys
import PushReceiver
import UserNotifications

/// An extension in a process of its own: a payload a line comes in, and what it shows of it goes out.
///
/// Keys, replay store, log, kept envelopes and blobs are in the folder that is its first argument. Of a second one, a
/// folder, what is shown is moved there, as the system does it. With `--locked` the keys are, and with `--kept` it is
/// the app instead, which opens what was kept.
@main
enum ExtensionProcess {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
    let service = Service(words.first ?? ".", isLocked: CommandLine.arguments.contains("--locked"))
    guard !CommandLine.arguments.contains("--kept") else {
      exit(await openKept(with: service))
    }
    while let line = readLine() {
      print(show(try request(line), with: service, movingTo: words.dropFirst().first))
      fflush(nil)
    }
  }

  /// A line for each envelope that was kept, before it is forgotten; 1 if they cannot be read or forgotten.
  private static func openKept(with service: Service) async -> Int32 {
    do {
      try await service.kept.openAll(with: try service.makeReceiver()) { reception in
        print(reception.content.body)
        fflush(nil)
      }
      return 0
    } catch {
      print("error: \(error)")
      return 1
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

  /// The body that the service hands over, the number of attachments, and whether the message was here before.
  private static func show(
    _ request: UNNotificationRequest, with service: Service, movingTo folder: String?
  ) -> String {
    let done = DispatchSemaphore(value: 0)
    let shown = Shown()
    service.didReceive(request) { content in
      let repetition = content.userInfo["repetition"] as? String
      shown.text = "\(content.body) +\(content.attachments.count) \(repetition ?? "unopened")"
      for url in content.attachments.map(\.url) {
        guard let folder else {
          try? FileManager.default.removeItem(at: url)
          continue
        }
        unsafe rename(url.path, "\(folder)/\(url.lastPathComponent)")
      }
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
  private let isLocked: Bool

  init(_ folder: String, isLocked: Bool) { (self.folder, self.isLocked) = (folder, isLocked) }

  var kept: KeptEnvelopes { KeptEnvelopes(path: "\(folder)/kept") }

  override func makeReceiver() throws -> Receiver {
    var receiver = Receiver(
      topic: try Topic("com.example.app"),
      keys: isLocked ? LockedKeys() as any DeviceKeyStore : KeyFile(path: "\(folder)/device.jwks"),
      senders: PublicKeyFile(path: "\(folder)/senders.jwks"),
      replay: FileReplayStore(path: "\(folder)/replay"))
    receiver.steps = [
      .attachments(from: FolderFetcher(folder: folder), into: "\(folder)/attachments")
    ]
    receiver.observers = [DiagnosticsLog(path: "\(folder)/log"), kept]
    return receiver
  }

  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    content.userInfo["repetition"] = "\(opened.repetition)"
    return content
  }
}

/// Keys before the phone is first unlocked.
private struct LockedKeys: DeviceKeyStore {
  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? { throw .locked }
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
