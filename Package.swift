// swift-tools-version: 6.3
import PackageDescription

// Warnings are errors only where Scripts/test asks for it: a package that depends on this one must
// build with the next compiler too.
let strict = Context.environment["SEALEDPUSH_STRICT"] == "1"

// Only the check `fuzz` asks for its program: libFuzzer brings the entry point, so nothing else can link it. The tool is
// a library then, which the harnesses can call.
let fuzzing = Context.environment["SEALEDPUSH_FUZZING"] == "1"

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

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

func tests(
  _ name: String, path: String? = nil, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: path, resources: resources,
    swiftSettings: settings)
}

let modules = [
  "PushEnvelope", "PushPayload", "PushKeys", "PushAttachments", "PushSealer", "PushReceiver", "PushFetching",
  "PushExtension", "PushTesting", "PushCompat",
]

#if os(Linux)
  // Apple's own module everywhere else.
  let userNotifications: [Target.Dependency] = ["UserNotifications"]
#else
  let userNotifications: [Target.Dependency] = []
#endif

let everything = (["PushCrypto", "PushFiles"] + modules).map { Target.Dependency(stringLiteral: $0) }

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
  let otherBackend = "Backends/CryptoKit"
  let files = library("PushFiles", exclude: ["PrivacyInfo.xcprivacy"])
#else
  // CryptoKit, which needs no dependency.
  let cryptography: [Target.Dependency] = []
  let otherBackend = "Backends/Linux"
  // App Store Connect asks why an app reads the status of files.
  let files = library("PushFiles", resources: [.process("PrivacyInfo.xcprivacy")])
#endif

targets += [
  library("PushCrypto", cryptography, exclude: [otherBackend]),
  library("PushEnvelope"),
  library("PushPayload"),
  files,
  library("PushKeys", ["PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushAttachments", ["PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushSealer", ["PushAttachments", "PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library(
    "PushReceiver", ["PushAttachments", "PushKeys", "PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushCompat", ["PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushFetching", ["PushReceiver", "PushAttachments"]),
  library(
    "PushExtension",
    ["PushReceiver", "PushAttachments", "PushKeys", "PushPayload", "PushEnvelope"] + userNotifications),
  library(
    "PushTesting",
    [
      "PushExtension", "PushReceiver", "PushSealer", "PushAttachments", "PushKeys", "PushPayload",
      "PushEnvelope", "PushCrypto",
    ] + userNotifications),
]

#if os(Linux)
  let tool: [Target.Dependency] = [
    "PushTesting", "PushCompat", "PushReceiver", "PushSealer", "PushAttachments", "PushKeys", "PushFiles",
    "PushPayload", "PushEnvelope", "PushCrypto", "CProcess",
  ]
  let harnesses = everything + ["sealpush"]
  if fuzzing {
    targets += [
      .target(
        name: "sealpush", dependencies: tool, exclude: ["Sealpush.swift"], swiftSettings: settings),
      .target(
        name: "Harnesses", dependencies: harnesses, path: "Checks/Fuzzing/Harnesses", swiftSettings: settings),
      .executableTarget(
        name: "fuzz", dependencies: ["Harnesses"], path: "Checks/Fuzzing/Program", swiftSettings: settings),
    ]
  } else {
    products.append(.executable(name: "sealpush", targets: ["sealpush"]))
    targets += [
      .executableTarget(name: "sealpush", dependencies: tool, swiftSettings: settings),
      .testTarget(
        name: "FuzzingTests", dependencies: harnesses, path: "Checks/Fuzzing",
        exclude: ["Corpus", "Program", "README.md", "fuzz.sh", "seeds.py", "words.dict"],
        swiftSettings: settings),
    ]
  }
  products.append(.library(name: "UserNotifications", targets: ["UserNotifications"]))
  targets += [
    .executableTarget(
      name: "extension-process",
      dependencies: [
        "PushExtension", "PushReceiver", "PushAttachments", "PushKeys", "PushEnvelope", "UserNotifications",
      ], path: "Tests/ExtensionProcess", swiftSettings: settings),
    .executableTarget(
      name: "differential",
      dependencies: ["PushTesting", "PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"],
      path: "Checks/Independent/Differential", swiftSettings: settings),
    .executableTarget(
      name: "poisoned", dependencies: ["PushKeys", "PushCrypto"], path: "Checks/Secrets/Poisoned",
      swiftSettings: settings),
    tests(
      "ScenarioTests", path: "Tests/Scenarios",
      [
        "sealpush", "extension-process", "PushCompat", "PushTesting", "PushSealer", "PushReceiver",
        "PushAttachments",
        "PushKeys", "PushPayload", "PushEnvelope",
      ]),
    tests("UserNotificationsTests", ["UserNotifications"]),
  ]
#endif

targets += [
  .target(
    name: "TestSupport",
    dependencies: ["PushCrypto", "PushEnvelope", "PushKeys", "PushPayload", "PushTesting"],
    path: "Tests/Support",
    swiftSettings: settings),
  tests("PushCryptoTests", ["PushCrypto"], resources: [.copy("Vectors")]),
  tests("PushEnvelopeTests", ["PushEnvelope", "PushTesting"]),
  tests("PushPayloadTests", ["PushPayload", "PushTesting"]),
  tests("PushFilesTests", ["PushFiles"]),
  tests("PushKeysTests", everything),
  tests("PushAttachmentsTests", everything),
  tests(
    "PushCompatTests",
    ["PushCompat", "PushReceiver", "PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"]),
  tests("PushSealerTests", everything),
  tests("PushReceiverTests", everything),
  tests("PushFetchingTests", ["PushFetching", "PushReceiver", "PushAttachments", "PushTesting"]),
  tests("PushTestingTests", everything + userNotifications),
  tests("PushExtensionTests", everything + userNotifications),
  tests("PitfallTests", path: "Tests/Pitfalls", everything + userNotifications),
  tests("ConformanceTests", path: "Tests/Conformance", everything),
]

let package = Package(
  name: "SealedPush",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: products,
  targets: targets
)
