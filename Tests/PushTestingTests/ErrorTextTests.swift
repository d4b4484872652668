import Foundation
import PushAttachments
import PushCompat
import PushCore
import SealedPush
import PushFiles
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import Testing

/// What the errors of all libraries say to whoever prints them.
@Suite("Every public error says what is wrong, and where")
struct ErrorTextTests {
  /// A path with an escape sequence, a line break and a direction override.
  private static let hostile = "keys\u{1b}[2J\n\u{202e}.jwks"

  @Test("in words that a terminal can show", arguments: ErrorSamples.all(hostile))
  func isReadable(sample: ErrorSample) {
    let text = "\(sample.error)"
    #expect(text.count > 8 && text == text.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(!text.unicodeScalars.contains(where: PrintableText.steers), "\(sample.error)")
    #expect(sample.error.localizedDescription == text)
    // What Swift prints of an error that main does not catch.
    #expect(String(reflecting: sample.error) == text)
    // A case's name as Swift spells it has a capital letter after small ones, or comes with a parenthesis.
    var words = text.matches(of: /\b[a-z]{2,}[A-Z][A-Za-z]*/).map { String($0.output) }
    words.removeAll { ["sourceLanguage", "makeReceiver", "customDismissAction"].contains($0) }
    #expect(words.isEmpty, "\(text)")
    #expect(!text.contains("Optional(") && !text.contains("mode: "), "\(text)")
  }

  @Test("a file's error has its path", arguments: ErrorSamples.ofFiles("folder/keys.jwks"))
  func hasThePath(sample: ErrorSample) {
    #expect("\(sample.error)".contains("folder/keys.jwks"))
  }

  @Test("permissions are written as chmod takes them")
  func areOctal() {
    let file = KeyFileError(.tooPermissive(mode: 0o644), path: "sender.jwks")
    #expect("\(file)" == "sender.jwks can be read or written by others (mode 0644)")
    let folder = KeyFileError(.file(.folderWritableByOthers(path: "/srv", mode: 0o777)), path: "/srv/k.jwks")
    #expect("\(folder)" == "others can replace /srv/k.jwks: /srv has mode 0777")
    #expect("\(FileError.folderWritableByOthers(path: "/srv", mode: 0o777))".contains("0777"))
  }

  @Test("a line, a member and a byte are named where there are some")
  func namesThePlace() {
    let line = RecipientFileError.line(7, .invalidMember("token"), path: "devices.jsonl")
    #expect("\(line)" == "devices.jsonl, line 7: 'token' is missing or wrong")
    let registration = RegistrationFileError.line(2, .mismatch(member: "token"), path: "r.jsonl")
    #expect("\(registration)" == "r.jsonl, line 2: mismatch: 'token' does not match the signed value")
    #expect(
      "\(KeySetError.invalidMember(index: 3, member: "x"))" == "key set: key 3: 'x' is missing or wrong")
    let json = #expect(throws: KeySetError.self) { try PublicKeySet(parsing: Array("{".utf8)) }
    #expect("\(json!)" == "key set: not strict JSON: unexpected-end at byte 1")
    let token = #expect(throws: ValueError.self) { try DeviceToken("00fg") }
    #expect(
      "\(token!)" == "not a device token, which is 1 to 256 bytes in hexadecimal digits: wrong at byte 3")
  }

  @Test("a failed authentication says no more")
  func saysNoMore() {
    #expect("\(AttachmentError.notAuthentic)" == "the file does not decrypt")
    #expect("\(DegradeReason.notAuthentic)" == "not-authentic: it does not decrypt")
  }

  @Test("no error that a user may see is left out")
  func areAll() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
    var found: Set<String> = []
    let paths = try #require(FileManager.default.enumerator(atPath: sources.path))
    // The tool has words of its own; the tests of what exists on Linux alone try its errors.
    let others = ["Tools/", "Testing/PushStandIn/", "Backend/"]
    for case let path as String in paths
    where path.hasSuffix(".swift") && !others.contains(where: path.hasPrefix) {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for match in text.matches(
        of: /(?:public|package) (?:enum|struct) (\w+): (?:\w+, )*(?:Described|Localized)?Error\b/)
      {
        found.insert(String(match.output.1))
      }
    }
    // Only Apple's systems have the one; only a host makes the other, as in DegradedPushTests.
    found.subtract(["StorageError", "DegradedPush"])
    // The package converts these, or has them in its own tests alone.
    found.subtract([
      "CryptoError", "KeyVaultError", "PEMError", "PassphraseError", "SharedFileFault", "Failure",
    ])
    let tried = Set(ErrorSamples.all("f").map { String(describing: type(of: $0.error)) })
    #expect(found.count > 30 && found.subtracting(tried).isEmpty, "\(found.subtracting(tried))")
  }
}

/// An error, named for the report of a test.
struct ErrorSample: CustomTestStringConvertible, Sendable {
  let error: any Error

  var testDescription: String { "\(type(of: error)): \(error)" }
}
