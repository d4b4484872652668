// swift-tools-version: 6.3
import PackageDescription

// Warnings are errors only where Scripts/test asks for it: a package that depends on this one must
// build with the next compiler too.
let strict = Context.environment["SEALEDPUSH_STRICT"] == "1"

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String, path: String? = nil, _ dependencies: [Target.Dependency],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: path, resources: resources,
    swiftSettings: settings)
}

var products: [Product] = []
var targets: [Target] = []

#if os(Linux)
  targets += [
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  ]
#endif

targets += [
  library("PushCrypto", ["CSodium", "COpenSSL"]),
  library("PushEnvelope"),
]

let package = Package(
  name: "SealedPush",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: products,
  targets: targets
)
