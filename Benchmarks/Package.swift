// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func products(_ names: [String]) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "SealedPush") }
}

func program(_ name: String, _ names: [String]) -> Target {
  .executableTarget(name: name, dependencies: ["Footprint"] + products(names), swiftSettings: settings)
}

// A target's name must be the only one of its kind in the graph of packages: SealedPush has a CSodium of its own.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SealedPush", path: "..")],
  targets: [
    .systemLibrary(name: "BareSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "BareOpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Allocations"),
    .target(
      name: "Scenes",
      dependencies: products(["PushEnvelope", "PushPayload", "PushKeys", "PushSealer", "PushReceiver"]),
      swiftSettings: settings),
    .executableTarget(
      name: "seal-open",
      dependencies: ["Footprint", "Scenes", "Allocations", "BareSodium", "BareOpenSSL"]
        + products(["PushEnvelope", "PushPayload", "PushKeys", "PushReceiver"]),
      swiftSettings: settings),
    .executableTarget(
      name: "seal-rounds", dependencies: ["Footprint", "Scenes", "BareSodium"] + products(["PushEnvelope"]),
      swiftSettings: settings),
    .systemLibrary(name: "Malloc"),
    .target(name: "Footprint", dependencies: ["Malloc"], swiftSettings: settings),
    .executableTarget(name: "empty-process", dependencies: ["Footprint"], swiftSettings: settings),
    program("load", ["PushSealer", "PushReceiver", "PushKeys", "PushPayload", "PushEnvelope"]),
    program("make-pushes", ["PushSealer", "PushAttachments", "PushKeys", "PushPayload", "PushEnvelope"]),
    program("open-core", ["PushReceiver", "PushKeys", "PushPayload", "PushEnvelope"]),
    program("deliver", ["PushDelivery", "PushSealer", "PushKeys", "PushPayload", "PushEnvelope"]),
    program(
      "work",
      [
        "PushWorker", "PushStore", "PushStorePostgres", "PushDelivery", "PushSealer", "PushKeys",
        "PushPayload", "PushEnvelope",
      ]),
    program("stores", ["PushStore", "PushStorePostgres"]),
    program("open-blob", ["PushAttachments", "PushPayload"]),
  ]
)
