// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func program(_ name: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Footprint"] + products.map { .product(name: $0, package: "SealedPush") },
    swiftSettings: settings)
}

// A target's name must be the only one of its kind in the graph of packages: SealedPush has a CSodium of its own.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SealedPush", path: "..")],
  targets: [
    .systemLibrary(name: "BareSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "BareOpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .executableTarget(
      name: "seal-open",
      dependencies: ["BareSodium", "BareOpenSSL"]
        + ["PushEnvelope", "PushPayload", "PushKeys", "PushSealer", "PushReceiver"].map {
          .product(name: $0, package: "SealedPush")
        },
      swiftSettings: settings),
    .target(name: "Footprint", swiftSettings: settings),
    .executableTarget(name: "empty-process", dependencies: ["Footprint"], swiftSettings: settings),
    program("make-pushes", ["PushSealer", "PushAttachments", "PushKeys", "PushPayload", "PushEnvelope"]),
    program("open-core", ["PushReceiver", "PushKeys", "PushPayload", "PushEnvelope"]),
    program("open-blob", ["PushAttachments", "PushPayload"]),
  ]
)
