import Glibc
import PushAttachments
import PushCore
import PushKeys
import PushSealer

/// Makes a device, a sender, and sealed notifications from one to the other, a payload a line.
@main
enum MakePushes {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[2]), let suite = Suite(name: arguments[3]) else {
      print("usage: make-pushes FOLDER COUNT SUITE")
      exit(64)
    }
    let folder = arguments[1]
    let device = try KeySet(generating: .device, suite: suite, at: .now)
    let sender = KeySet(generating: .sender, at: .now)
    try KeyFile(path: "\(folder)/device.jwks").create(device)
    try write([try sender.publicKeys.encoded()], to: "\(folder)/senders.jwks")
    let sealer = Sealer(topic: try Topic("com.example.app"), signingKey: try sender.signingKey())
    let recipient = try device.publicKeys.recipient()
    let pushes = try (0..<count).map { number in
      let body = "Message \(number): " + String(repeating: "shall we meet at noon? ", count: 10)
      return try sealer.seal(RemoteNotification(title: "Ada", body: body), to: recipient).payload
    }
    try write(pushes, to: "\(folder)/pushes")
    try makeBlob(folder, megabytes: 100)
  }

  /// A blob of a file of zeros, and its descriptor.
  private static func makeBlob(_ folder: String, megabytes: Int) throws {
    let file = "\(folder)/file.mp4"
    try write([], to: file)
    guard truncate(file, megabytes * 1_000_000) == 0 else { exit(73) }
    let descriptor = try AttachmentFile(path: file)
      .seal(to: "\(folder)/blob", as: .mpeg4, limit: .max, isReplacing: true)
    try write([descriptor.json().encoded()], to: "\(folder)/descriptor.json")
  }

  private static func write(_ lines: [[UInt8]], to path: String) throws {
    guard let file = fopen(path, "w") else { exit(73) }
    for line in lines {
      fwrite(line, 1, line.count, file)
      fputc(10, file)
    }
    fclose(file)
  }
}
