import Foundation
import TestSupport
import Testing

@testable import PushCommands

/// The examples of the manual do what they say, in a folder that has the files that they name.
@Suite("The manual's examples", .serialized)
struct ExamplesTests {
  /// Those that need what nobody has: their words are right, and they end otherwise.
  private static let failing: [(example: String, status: Int32)] = [("--kid=", 65), ("vectors verify", 66)]

  /// The commands' names.
  private static let names = Program.sealpush.commands.map(\.title)

  private static let stage = """
    set -e
    mkdir -m 700 stage && cd stage && umask 077
    for role in device sender root; do
      sealpush keys new --role $role --out $role.jwks
      sealpush keys export --keys $role.jwks --out $role.pub.jwks
    done
    cp sender.pub.jwks all.pub.jwks
    sign="sealpush keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic com.example.app"
    $sign --out senders.jws && $sign --out new-senders.jws
    sealpush keys new --role device --suite p256-aesgcm --out other.jwks
    sealpush keys export --keys other.jwks --format pem --private --out key.pem
    echo '{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}},"chat":42}' >payload.json
    echo '{"to":"ada-1","payload":{"aps":{"alert":{"title":"Ada","body":"Lunch?"}}}}' >jobs.jsonl
    sealpush seal --to device.pub.jwks --from sender.jwks --topic com.example.app --in payload.json --out sealed.json
    echo 'a plaintext' >text && echo 'a password' >password && echo 'correct horse' >passphrase
    sealpush seal --format openssl-salted --secret password --unauthenticated --in text --out salted.json
    echo 'a picture' >photo.jpg
    sealpush attach seal photo.jpg --out photo.blob >photo.json
    echo '{"v":1,"entries":[]}' >push.log
    echo '{"topic":"com.example.app"}' >production.json
    backend="--audience https://push.example.com --from sender.jwks"
    enrol="sealpush keys enrol --keys device.jwks --topic com.example.app --token 00ff"
    enrol="$enrol --audience https://push.example.com"
    accept="sealpush keys accept --registrations registrations --registration ada-1 --new $backend"
    $enrol --out first && { $accept --in first --request request || test $? = 75; }
    $enrol --answer request --senders sender.pub.jwks --out answer && $accept --in answer
    $enrol --out enrolment.json
    """

  @Test func everyOneWorks() async throws {
    let tool = try Tool()
    let stage = try await tool.shell(Self.stage)
    try #require(stage.status == 0, "\(stage.errors)")
    for command in Self.names {
      var pages = [try await tool.succeed("help \(command)")]
      if ["seal", "open"].contains(command) {
        pages.append(try await tool.succeed("help \(command) --format"))
      }
      for page in pages {
        let examples = Self.examples(on: page.text)
        #expect(!examples.isEmpty, "\(command)")
        _ = try await tool.shell("rm -rf run && cp -a stage run")
        for example in examples {
          #expect(example.hasPrefix("sealpush \(command)"))
          let run = try await tool.shell("cd run\n\(Self.making(example))\(example)")
          let expected = Self.failing.first { example.contains($0.example) }?.status ?? 0
          #expect(run.status == expected, "\(example): \(run.text) \(run.errors)")
        }
      }
    }
  }

  /// The command lines at the end of a page, which may have several lines each.
  private static func examples(on page: String) -> [String] {
    let list = page.components(separatedBy: "\nExamples:\n").dropFirst().last ?? ""
    return list.components(separatedBy: "  sealpush ").dropFirst().map { "sealpush \($0)" }
  }

  /// Removes the file that an example makes, if it does not replace it.
  private static func making(_ example: String) -> String {
    let words = example.split { " \n".contains($0) }
    guard !words.contains("--force"), let index = words.firstIndex(of: "--out") else { return "" }
    return "rm -f \(words[index + 1])\n"
  }
}
