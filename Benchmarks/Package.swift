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
      dependencies: products(["PushSealer", "SealedPush"]),
      swiftSettings: settings),
    .executableTarget(
      name: "seal-open",
      dependencies: ["Footprint", "Scenes", "Allocations", "BareSodium", "BareOpenSSL"]
        + products(["SealedPush"]),
      swiftSettings: settings),
    .executableTarget(
      name: "seal-rounds", dependencies: ["Footprint", "Scenes", "BareSodium"] + products(["PushSealer"]),
      swiftSettings: settings),
    .systemLibrary(name: "Malloc"),
    .target(name: "Footprint", dependencies: ["Malloc"], swiftSettings: settings),
    .executableTarget(name: "empty-process", dependencies: ["Footprint"], swiftSettings: settings),
    program("load", ["PushSealer", "SealedPush"]),
    program("make-pushes", ["PushSealer"]),
    program("open-core", ["SealedPush"]),
    program("deliver", ["PushDelivery", "PushSealer"]),
    program("work", ["PushWorker", "PushStore", "PushStorePostgres", "PushDelivery", "PushSealer"]),
    program("stores", ["PushStore", "PushStorePostgres"]),
    program("open-blob", ["SealedPush"]),
  ]
)
