// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors only where Scripts/test asks for it: a package that depends on this one must
// build with the next compiler too.
let strict = Context.environment["SEALEDPUSH_STRICT"] == "1"

// Only the check `fuzz` asks for its program: libFuzzer brings the entry point, so nothing else can link it.
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

// Conditions ask for the platform that is built for: a Mac builds for iOS and for Linux from one checkout. What only other
// platforms' targets depend on is not built, so that Apple's systems have their own `UserNotifications`.
let userNotifications: Target.Dependency = .target(
  name: "UserNotifications", condition: .when(platforms: [.linux]))
let arraySpans: Target.Dependency = .target(
  name: "ArraySpans", condition: .when(platforms: [.iOS, .macOS]))

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies + [arraySpans], exclude: exclude, resources: resources,
    swiftSettings: settings)
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
  "PushExtension", "SealedPush", "SealedPushExtension", "PushSimulation", "PushTesting", "PushCompat",
]

let everything = (["PushCrypto", "PushFiles"] + modules).map { Target.Dependency(stringLiteral: $0) }

var products: [Product] = modules.map { .library(name: $0, targets: [$0]) }
var targets: [Target] = []

targets += [
  .systemLibrary(
    name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
  .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(name: "CProcess"),
  .target(name: "UserNotifications", swiftSettings: settings),
  .target(name: "ArraySpans", swiftSettings: settings),
]

// Apple's systems have CryptoKit. What it lacks is on a Mac with the trait `Sodium`.
let cryptography: [Target.Dependency] = [
  .target(name: "CSodium", condition: .when(platforms: [.linux])),
  .target(name: "CSodium", condition: .when(platforms: [.macOS], traits: ["Sodium"])),
  .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
]

// App Store Connect asks why an app reads the status of files. A resource has no condition; no Linux host builds an app.
#if os(Linux)
  let files = library("PushFiles", exclude: ["PrivacyInfo.xcprivacy"])
#else
  let files = library("PushFiles", resources: [.process("PrivacyInfo.xcprivacy")])
#endif

targets += [
  library("PushCrypto", cryptography),
  library("PushEnvelope"),
  library("PushPayload"),
  files,
  library("PushKeys", ["PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushAttachments", ["PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library(
    "PushSealer",
    ["PushAttachments", "PushKeys", "PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library(
    "PushReceiver", ["PushAttachments", "PushKeys", "PushFiles", "PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushCompat", ["PushPayload", "PushEnvelope", "PushCrypto"]),
  library("PushFetching", ["PushReceiver", "PushAttachments"]),
  library(
    "PushExtension",
    ["PushReceiver", "PushAttachments", "PushKeys", "PushPayload", "PushEnvelope", userNotifications]),
  library(
    "SealedPush",
    ["PushExtension", "PushReceiver", "PushAttachments", "PushKeys", "PushPayload", "PushEnvelope"]),
  library("SealedPushExtension", ["SealedPush", "PushFetching"]),
  library("PushSimulation", ["PushReceiver", "PushAttachments", "PushKeys", "PushPayload", "PushEnvelope"]),
  library(
    "PushTesting",
    [
      "PushSimulation", "PushExtension", "PushReceiver", "PushSealer", "PushAttachments", "PushKeys",
      "PushPayload",
      "PushEnvelope", "PushCrypto", userNotifications,
    ]),
]

let tool: [Target.Dependency] = [
  "PushSimulation", "PushCompat", "PushReceiver", "PushSealer", "PushAttachments", "PushKeys", "PushFiles",
  "PushPayload", "PushEnvelope", "PushCrypto",
  .target(name: "CProcess", condition: .when(platforms: [.linux])),
]
// The commands of both executables, which so have one way to read arguments and to seal.
targets += [
  .target(name: "PushCommands", dependencies: tool, swiftSettings: settings),
  .executableTarget(name: "sealpush", dependencies: ["PushCommands"], swiftSettings: settings),
]
products.append(.executable(name: "sealpush", targets: ["sealpush"]))
var harnesses = everything + ["PushCommands"]
#if os(Linux)
  harnesses += ["PushDelivery", "PushStandIn", "PushLoopback", "PushHTTP2", "PushStore"]
#endif
if fuzzing {
  targets += [
    .target(
      name: "Harnesses", dependencies: harnesses, path: "Checks/Fuzzing/Harnesses", swiftSettings: settings),
    .executableTarget(
      name: "fuzz", dependencies: ["Harnesses"], path: "Checks/Fuzzing/Program", swiftSettings: settings),
  ]
} else {
  targets.append(
    .testTarget(
      name: "FuzzingTests", dependencies: harnesses, path: "Checks/Fuzzing",
      exclude: ["Corpus", "Program", "README.md", "fuzz.sh", "seeds.py", "words.dict"],
      swiftSettings: settings))
}
products.append(.library(name: "UserNotifications", targets: ["UserNotifications"]))
// A stand-in for APNs runs where tests do: on a backend's machine, not on a phone.
#if os(Linux)
  products += [
    .library(name: "PushStandIn", targets: ["PushStandIn"]),
    .executable(name: "sealpushd", targets: ["sealpushd"]),
  ]
  targets += [
    // What serves plain HTTP to this machine alone.
    .target(name: "PushLoopback", swiftSettings: settings),
    library(
      "PushStandIn",
      [
        "PushLoopback", "PushHTTP2", "PushTesting", "PushSimulation", "PushExtension", "PushReceiver",
        "PushSealer",
        "PushKeys",
        "PushPayload",
        "PushEnvelope", "CTLS", "UserNotifications",
      ], resources: [.embedInCode("Page/page.html")]),
    .executableTarget(
      name: "sealpushd",
      dependencies: [
        "PushCommands", "PushLoopback", "PushStandIn", "PushTesting", "PushWorker", "PushStorePostgres",
        "PushStore",
        "PushDelivery", "PushSealer",
        "PushKeys", "PushPayload",
        "PushFiles",
        "PushEnvelope",
      ],
      swiftSettings: settings),
    tests(
      "PushStandInTests",
      [
        "PushStandIn", "PushDelivery", "PushHTTP2", "PushTesting", "PushReceiver", "PushSealer", "PushKeys",
        "PushPayload",
        "PushEnvelope",
        "UserNotifications", "CTLS",
      ]),
  ]
#endif
// Tests run where they are built. These need /proc, strace, valgrind and the stand-in.
#if os(Linux)
  products.append(.library(name: "PushDelivery", targets: ["PushDelivery"]))
  targets += [
    .executableTarget(
      name: "extension-process",
      dependencies: [
        "PushExtension", "PushReceiver", "PushAttachments", "PushKeys", "PushEnvelope", "UserNotifications",
      ], path: "Tests/ExtensionProcess", swiftSettings: settings),
    .executableTarget(
      name: "poisoned", dependencies: ["PushKeys", "PushEnvelope", "PushCrypto"],
      path: "Checks/Secrets/Poisoned",
      swiftSettings: settings),
    tests(
      "ScenarioTests", path: "Tests/Scenarios",
      [
        "sealpush", "sealpushd", "PushCommands", "extension-process", "PushCompat", "PushTesting",
        "PushSealer",
        "PushReceiver",
        "PushAttachments",
        "PushKeys", "PushPayload", "PushEnvelope",
      ]),
    tests("UserNotificationsTests", ["UserNotifications"]),
  ]

  // Delivery. Who only seals builds none of it, and needs none of its libraries.
  targets += [
    // Without the name for pkg-config: SwiftPM would warn those who only seal that the library is missing.
    .systemLibrary(name: "CNGHTTP2", providers: [.apt(["libnghttp2-dev"])]),
    .systemLibrary(name: "CTLS", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CEventLoop"),
    .target(name: "PushHTTP2", dependencies: ["CNGHTTP2", "CTLS", "CEventLoop"], swiftSettings: settings),
    .executableTarget(
      name: "http2-peer", dependencies: ["PushHTTP2"], path: "Checks/HTTP2/Peer", swiftSettings: settings),
    .target(
      name: "PushDelivery",
      dependencies: ["PushHTTP2", "PushSealer", "PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"],
      swiftSettings: settings),
    tests("PushHTTP2Tests", ["PushHTTP2", "PushTesting"]),
    tests("PushDeliveryTests", ["PushDelivery", "PushHTTP2"] + everything),
  ]

  // The directory and the queue.
  products += ["PushStore", "PushStorePostgres", "PushWorker"].map { .library(name: $0, targets: [$0]) }
  targets += [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "PushStore",
      dependencies: ["CSQLite", "PushSealer", "PushKeys", "PushFiles", "PushPayload", "PushEnvelope"],
      swiftSettings: settings),
    // Only who has PostgreSQL needs its library.
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PushStorePostgres",
      dependencies: [
        "CPostgres", "PushStore", "PushSealer", "PushKeys", "PushPayload", "PushEnvelope",
      ], swiftSettings: settings),
    tests(
      "PushStoreTests", ["PushStore", "PushStorePostgres", "CSQLite", "CPostgres"] + everything,
      resources: [.copy("Schemas")]),
    .target(
      name: "PushWorker",
      dependencies: [
        "PushStore", "PushDelivery", "PushSealer", "PushKeys", "PushPayload", "PushEnvelope",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "worker-storm",
      dependencies: [
        "CPostgres", "CSQLite", "PushStorePostgres", "PushStore", "PushStandIn", "PushTesting", "PushKeys",
        "PushPayload", "PushEnvelope", userNotifications,
      ], path: "Checks/Worker/Storm", swiftSettings: settings),
    tests(
      "PushWorkerTests",
      ["PushWorker", "PushStore", "PushDelivery", "PushStandIn"] + everything + [userNotifications]),
  ]
#endif

targets += [
  .executableTarget(
    name: "differential",
    dependencies: ["PushTesting", "PushKeys", "PushPayload", "PushEnvelope", "PushCrypto"],
    path: "Checks/Independent/Differential", swiftSettings: settings),
  .target(
    name: "TestSupport",
    dependencies: ["PushCrypto", "PushEnvelope", "PushFiles", "PushKeys", "PushPayload", "PushTesting"],
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
  tests("PushTestingTests", everything + [userNotifications]),
  tests("PushExtensionTests", everything + [userNotifications]),
  tests(
    "SealedPushTests",
    [
      "SealedPush", "SealedPushExtension", "PushTesting", "PushSealer", "PushKeys", "PushPayload",
      "PushEnvelope", userNotifications,
    ]),
  tests("PitfallTests", path: "Tests/Pitfalls", everything + [userNotifications]),
  tests("ConformanceTests", path: "Tests/Conformance", everything),
]

let package = Package(
  name: "SealedPush",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: products,
  traits: [
    .trait(
      name: "Sodium",
      description:
        "On a Mac: passphrases, sealed boxes, Zulip and Home Assistant, with libsodium from Homebrew.")
  ],
  targets: targets
)
