import Glibc
import PushCore
import Scenes

/// Seals for a while whenever it is told to, so that another program can take turns with it.
///
/// It prints the notification's JSON, a sealed payload, and what is computed for eight messages at a time, a line each. Then each line of input is a side and a
/// number of seconds, and each line of output how many messages were sealed, in how many seconds by the clock, and in
/// how many of the processors' time.
@main
enum SealRounds {
  static func main() async throws {
    let anonymous = try Scene(suite: .x25519ChaChaPoly, isSigned: false, contentSize: 300)
    let signed = try Scene(suite: .x25519ChaChaPoly, isSigned: true, contentSize: 300)
    let shared = try Scene(suite: .sharedChaChaPoly, isSigned: false, contentSize: 300)
    let box = try SealedBox(messageSize: 300)
    let sides = [
      "anonymous": Side(pace: 50) { for _ in 0..<$0 { _ = try anonymous.seal() } },
      "signed": Side(pace: 50) { for _ in 0..<$0 { _ = try signed.seal() } },
      "shared": Side(pace: 200) { for _ in 0..<$0 { _ = try shared.seal() } },
      "together": Side(pace: 128) { _ = try anonymous.seal($0) },
      "together-without-lanes": Side(pace: 128) { _ = try anonymous.sealWithoutLanes($0) },
      "signed-together": Side(pace: 128) { _ = try signed.seal($0) },
      "signed-together-without-lanes": Side(pace: 128) { _ = try signed.sealWithoutLanes($0) },
      "all-cores": Side(pace: 2048) { _ = try await anonymous.sealOnAllCores($0) },
      "box": Side(pace: 50) { for _ in 0..<$0 { try box.seal() } },
    ]
    answer(String(decoding: try anonymous.json(), as: UTF8.self))
    answer(String(decoding: try anonymous.seal(), as: UTF8.self))
    answer(Scene.lanes)
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, let side = sides[String(words[0])], let seconds = Double(words[1]) else {
        exit(64)
      }
      let round = try await side.run(for: .seconds(seconds))
      answer("\(round.count) \(round.taken / .seconds(1)) \(round.processor)")
    }
  }

  private static func answer(_ line: String) {
    print(line)
    fflush(nil)
  }
}
