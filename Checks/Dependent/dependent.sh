#!/usr/bin/env bash
# 3 minutes
# Builds and runs a package that depends on this one, with the compiler's default settings.
# It uses every library; its targets include one that isolates to the main actor, and one that links PushCompat alone.
# Where the system is not Linux, neither of SwiftPM's engines may build the stand-in for UserNotifications.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$root/.build/dependent
mkdir -p "$folder/Sources/Dependent"
ln -sfn "$root" "$folder/SealedPush"
libraries=$("$root/Checks/libraries.sh")
products=$(printf '"%s", ' $libraries)
cat >"$folder/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let libraries: [Target.Dependency] = [$products].map { .product(name: \$0, package: "SealedPush") }

let package = Package(
  name: "Dependent",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "SealedPush")],
  targets: [
    .executableTarget(name: "Dependent", dependencies: libraries),
    .target(
      name: "MainActorByDefault", dependencies: libraries, swiftSettings: [.defaultIsolation(MainActor.self)]),
    .target(
      name: "OtherSystemsBackend", dependencies: [.product(name: "PushCompat", package: "SealedPush")],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
  ])
EOF
mkdir -p "$folder/Sources/MainActorByDefault"
printf 'import %s\n' $libraries >"$folder/Sources/Dependent/EveryLibrary.swift"
cp "$root/Snippets/NotificationService.swift" "$folder/Sources/MainActorByDefault/"
cat >"$folder/Sources/Dependent/main.swift" <<'EOF'
import Foundation
import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import UserNotifications

final class Service: SealedNotificationService {
  let receiver: Receiver

  init(_ receiver: Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { receiver }

  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    content.body += " Bring pencils."
    return content
  }
}

func run() async throws {
  let clock = ManualClock(.now)
  // No type has the module's name, which would hide the module.
  let topic: SealedPush.Topic = try Topic("com.example.app")
  let device = KeySet(generating: .device, at: clock.now)
  let sender = KeySet(generating: .sender, at: clock.now)
  let sealer = Sealer(topic: topic, signingKey: try sender.signingKey())
  let push = try sealer.seal(
    RemoteNotification(title: "Ada", body: "Noon?"), to: device.publicKeys.recipient())
  var receiver = Receiver(topic: topic, keys: device, senders: try sender.publicKeys, clock: clock)
  receiver.steps = [EnrichmentStep("shout") { content, _ in content.title += "!" }]
  let host = ExtensionHost(clock: clock) { [receiver] in Service(receiver) }
  let shown = try await host.deliver(push.payload)
  print(shown.title, shown.body)
}

try await run()
EOF
mkdir -p "$folder/Sources/OtherSystemsBackend"
cat >"$folder/Sources/OtherSystemsBackend/Backend.swift" <<'EOF'
import PushCompat

func envelope(_ plaintext: [UInt8], password: [UInt8]) throws -> String? {
  guard let format = OpenSSLSalted.unauthenticated(password: password.span) else { return nil }
  do {
    return try format.seal(plaintext.span)
  } catch EnvelopeFormatError.tooLarge {
    return nil
  }
}
EOF
unset SEALEDPUSH_STRICT
swift build --quiet --package-path "$folder" --target MainActorByDefault
swift build --quiet --package-path "$folder" --target OtherSystemsBackend
result=$(swift run --quiet --package-path "$folder" Dependent)
[ "$result" = "Ada! Noon? Bring pencils." ] || { echo "the dependent package printed: $result"; exit 1; }
python3 "$root/Checks/Dependent/engines.py"
