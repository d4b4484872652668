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
  _ name: String, path: String? = nil, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: path, resources: resources,
    swiftSettings: settings)
}

let modules = [
  "PushEnvelope", "PushPayload", "PushKeys", "PushSealer", "PushReceiver", "PushExtension", "PushTesting",
]

#if os(Linux)
  // Apple's own module everywhere else.
  let userNotifications: [Target.Dependency] = ["UserNotifications"]
#else
  let userNotifications: [Target.Dependency] = []
#endif

let everything = (["PushCrypto"] + modules).map { Target.Dependency(stringLiteral: $0) }

var products: [Product] = modules.map { .library(name: $0, targets: [$0]) }
var targets: [Target] = []

#if os(Linux)
  targets += [
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CProcess"),
    library("UserNotifications"),
  ]
  let cryptography: [Target.Dependency] = ["CSodium", "COpenSSL"]
#else
  let cryptography: [Target.Dependency] = []
#endif

targets += [
  library("PushCrypto", cryptography),
  library("PushEnvelope"),
  library("PushPayload"),
  library("PushKeys", ["PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushSealer", ["PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushReceiver", ["PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library(
    "PushExtension", ["PushReceiver", "PushKeys", "PushPayload", "PushEnvelope"] + userNotifications),
  library(
    "PushTesting",
    ["PushReceiver", "PushSealer", "PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"]),
]

#if os(Linux)
  products += [
    .executable(name: "sealpush", targets: ["sealpush"]),
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
  ]
  targets += [
    .executableTarget(
      name: "sealpush",
      dependencies: [
        "PushTesting", "PushReceiver", "PushSealer", "PushKeys", "PushPayload", "PushEnvelope", "CProcess",
      ], swiftSettings: settings),
    tests("ScenarioTests", path: "Tests/Scenarios", ["sealpush", "PushKeys", "PushPayload", "PushEnvelope"]),
  ]
#endif

targets += [
  tests("PushCryptoTests", ["PushCrypto"], resources: [.copy("Vectors")]),
  tests("PushEnvelopeTests", ["PushEnvelope", "PushTesting"]),
  tests("PushPayloadTests", ["PushPayload", "PushTesting"]),
  tests("PushKeysTests", everything),
  tests("PushSealerTests", everything),
  tests("PushReceiverTests", everything),
  tests("PushTestingTests", everything),
  tests("PushExtensionTests", everything + userNotifications),
  tests("ConformanceTests", path: "Tests/Conformance", everything),
]

let package = Package(
  name: "SealedPush",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: products,
  targets: targets
)
