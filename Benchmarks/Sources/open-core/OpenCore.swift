import Footprint
import Glibc
import PushCore
import PushKeys
import PushReceiver

/// Opens notifications one after another with the receiver alone, without Foundation.
@main
enum OpenCore {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 2 else {
      print("usage: open-core FOLDER")
      exit(64)
    }
    let folder = arguments[1]
    let receiver = Receiver(
      topic: try Topic("com.example.app"), keys: try KeyFile(path: "\(folder)/device.jwks").load(),
      senders: try PublicKeyFile(path: "\(folder)/senders.jwks").load())
    var opened = 0
    for line in Lines("\(folder)/pushes") {
      let payload = try JSONObject(parsing: Array(line.utf8).span)
      let reception = await receiver.receive(IncomingPush(payload: payload))
      if case .opened = reception.outcome { opened += 1 }
    }
    print("opened=\(opened)")
    Footprint.report()
  }
}
