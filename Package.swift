// swift-tools-version: 6.2
import PackageDescription

// Sources has a folder for each layer, and a layer imports only what is in the layers above it in this list:
//
//   System   Debian's libraries, and what Swift's own modules lack
//   Core     the vocabulary, keys, files, enrolments
//   Message  sealing and receiving
//   Device   what an app and its extension import
//   Testing  an iPhone's part on Linux, and a stand-in for APNs
//   Backend  delivery, stores and the worker: Linux alone
//   Tools    the executables
//
// The stand-in needs the network of the backend, and so is the one target that reaches down.

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

/// The module of regular expressions, which `contains` and `replacing` of strings link, is a tenth of the static tool: only
/// a target that imports it has it.
let noRegularExpressions: [SwiftSetting] =
  strict ? [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])] : []

/// The targets of a layer, in the layer's folder of Sources.
func layer(_ folder: String, _ targets: [Target]) -> [Target] {
  for target in targets { target.path = "Sources/\(folder)/\(target.name)" }
  return targets
}

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies + [arraySpans, "Locks"], exclude: exclude, resources: resources,
    swiftSettings: settings + noRegularExpressions)
}

/// A program, which binds all symbols as it starts.
///
/// Otherwise the dynamic linker copies the registers to the stack at the first call of each function, and with them what
/// the copying of a key has left there.
func program(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: settings,
    linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))])
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport", "Locks"], path: path, exclude: exclude,
    resources: resources,
    swiftSettings: settings)
}

// Conditions ask for the platform that is built for: a Mac builds for iOS and for Linux from one checkout. What only other
// platforms' targets depend on is not built, so that Apple's systems have their own `UserNotifications`.
let userNotifications: Target.Dependency = .target(
  name: "UserNotifications", condition: .when(platforms: [.linux]))
let arraySpans: Target.Dependency = .target(
  name: "ArraySpans",
  condition: .when(platforms: [.iOS, .macOS, .macCatalyst, .tvOS, .visionOS, .watchOS]))

// Apple's systems have CryptoKit. What it lacks is on a Mac with the trait `Sodium`.
let cryptography: [Target.Dependency] = [
  .target(name: "CSodium", condition: .when(platforms: [.linux])),
  .target(name: "CSodium", condition: .when(platforms: [.macOS], traits: ["Sodium"])),
  .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
  .target(name: "CLinux", condition: .when(platforms: [.linux])),
]

// App Store Connect asks why an app reads the status of files. A resource has no condition; no Linux host builds an app.
#if os(Linux)
  let files = library("PushFiles", exclude: ["PrivacyInfo.xcprivacy"])
#else
  let files = library("PushFiles", resources: [.process("PrivacyInfo.xcprivacy")])
#endif

let core: [Target.Dependency] = [
  "PushCore", "PushCrypto", "PushFiles", "PushKeys", "PushEnrolment", "PushAttachments",
]
let message: [Target.Dependency] = ["PushSealer", "PushReceiver", "PushCompat"]
let device: [Target.Dependency] = ["SealedPush", "SealedPushExtension"]

var targets =
  layer(
    "System",
    [
      .systemLibrary(
        name: "CSodium", pkgConfig: "libsodium",
        providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
      .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
      .systemLibrary(name: "CLinux"),
      .target(name: "ArraySpans", swiftSettings: settings),
      .target(name: "Locks", swiftSettings: settings),
      .target(name: "UserNotifications", swiftSettings: settings),
    ])
  + layer(
    "Core",
    [
      library("PushCore"),
      library("PushCrypto", cryptography),
      files,
      library("PushKeys", ["PushFiles", "PushCrypto", "PushCore"]),
      library("PushEnrolment", ["PushKeys", "PushFiles", "PushCrypto", "PushCore"]),
      library("PushAttachments", ["PushFiles", "PushCrypto", "PushCore"]),
      // What Foundation says of the errors. The tool does without, because it loads no Foundation.
      library("CoreErrors", ["PushAttachments", "PushEnrolment", "PushKeys", "PushFiles", "PushCore"]),
    ])
  + layer(
    "Message",
    [
      library("PushSealer", core),
      library("SealerErrors", ["PushSealer"]),
      library("PushReceiver", core),
      library("PushCompat", ["PushCrypto", "PushCore"]),
    ])
  + layer(
    "Device",
    [
      library("SealedPush", core + ["PushReceiver", userNotifications]),
      library("SealedPushExtension", ["SealedPush", "PushReceiver", "PushAttachments"]),
    ])
  + layer(
    "Testing",
    [
      library("PushSimulation", core + ["PushReceiver"]),
      library("PushHost", core + ["SealedPush", "PushSimulation", "PushReceiver", userNotifications]),
      library("PushTesting", core + ["PushHost", "PushSimulation", "SealedPush", "PushSealer"]),
    ])
  + layer(
    "Tools",
    [
      // The commands of both executables, which so have one way to read arguments and to seal.
      .target(
        name: "PushCommands",
        dependencies: core + message + [
          "PushSimulation", "Locks", .target(name: "CLinux", condition: .when(platforms: [.linux])),
        ], swiftSettings: settings + noRegularExpressions),
      program("sealpush", ["PushCommands"]),
    ])

var products: [Product] =
  ["SealedPush", "SealedPushExtension", "PushTesting"].map {
    .library(name: $0, targets: [$0, "CoreErrors"])
  }
products.append(.library(name: "PushCompat", targets: ["PushCompat"]))
products.append(.library(name: "PushSealer", targets: ["PushSealer", "SealerErrors", "CoreErrors"]))
products.append(.executable(name: "sealpush", targets: ["sealpush"]))

let everything = core + message + device + ["PushSimulation", "PushHost", "PushTesting"]
let phone = everything + [userNotifications, "CoreErrors", "SealerErrors"]
var harnesses = everything + ["PushCommands"]

#if os(Linux)
  let backend: [Target.Dependency] = [
    "PushNetwork", "PushDelivery", "PushStore", "PushStorePostgres", "PushWorker",
  ]
  harnesses += ["PushDelivery", "PushStandIn", "PushNetwork", "PushStore"]

  // Whoever only seals builds none of it, and needs none of its libraries. A name for pkg-config would make SwiftPM warn
  // them that a library is missing.
  targets += layer(
    "System",
    [
      .systemLibrary(name: "CNGHTTP2", providers: [.apt(["libnghttp2-dev"])]),
      .systemLibrary(name: "CTLS", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
      .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
      .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    ])
  targets += layer(
    "Backend",
    [
      library("PushNetwork", ["CNGHTTP2", "CTLS", "CLinux", "PushCore"]),
      library("PushDelivery", ["PushNetwork", "PushFiles", "PushCrypto", "PushCore"]),
      library("PushStore", ["CSQLite", "PushEnrolment", "PushKeys", "PushCrypto", "PushFiles", "PushCore"]),
      // Only whoever has PostgreSQL needs its library.
      library("PushStorePostgres", ["CPostgres", "PushStore", "PushEnrolment", "PushKeys", "PushCore"]),
      library("PushWorker", ["PushStore", "PushDelivery", "PushSealer"] + core),
    ])
  targets += layer(
    "Testing",
    [
      library(
        "PushStandIn",
        core + [
          "PushNetwork", "CTLS", "PushHost", "PushSimulation", "SealedPush", "PushReceiver",
          "UserNotifications",
        ], resources: [.embedInCode("Page/page.html")])
    ])
  targets += layer(
    "Tools",
    [
      program(
        "sealpushd",
        core + backend + ["PushCommands", "PushStandIn", "PushTesting", "PushSealer", "SealedPush"],
        resources: [.embedInCode("Page/page.html")])
    ])
  products += ["PushDelivery", "PushStandIn", "PushStore", "PushStorePostgres", "PushWorker"]
    .map { .library(name: $0, targets: [$0, "CoreErrors"]) }
  products.append(.executable(name: "sealpushd", targets: ["sealpushd"]))
  // Nowhere else: an app's extension could import it in place of Apple's.
  products.append(.library(name: "UserNotifications", targets: ["UserNotifications"]))

  // These need /proc, strace, valgrind, a database or the stand-in.
  targets += [
    tests("UserNotificationsTests", ["UserNotifications"]),
    tests("PushNetworkTests", phone + ["PushNetwork"]),
    tests("PushDeliveryTests", phone + ["PushDelivery", "PushNetwork"]),
    .target(
      name: "StoreSupport", dependencies: ["PushStore", "PushEnrolment", "PushCore"],
      path: "Tests/StoreSupport", swiftSettings: settings),
    tests(
      "PushStoreTests", phone + ["PushStore", "PushStorePostgres", "StoreSupport", "CSQLite", "CPostgres"],
      resources: [.copy("Schemas")]),
    tests("PushStandInTests", phone + ["PushStandIn", "PushDelivery", "PushNetwork", "CTLS"]),
    tests(
      "PushWorkerTests", phone + ["PushWorker", "PushStore", "StoreSupport", "PushDelivery", "PushStandIn"]),
    tests(
      "ScenarioTests", phone + ["sealpush", "sealpushd", "PushCommands", "PushNetwork", "extension-process"],
      path: "Tests/Scenarios"),
    program("extension-process", phone, path: "Tests/ExtensionProcess"),
    program("poisoned", core, path: "Checks/Secrets/Poisoned"),
    program("lanes-proof", ["PushCrypto"], path: "Checks/Lanes/Proof"),
    program("http2-peer", ["PushNetwork"], path: "Checks/HTTP2/Peer"),
    program(
      "worker-storm", phone + backend + ["PushStandIn", "CPostgres", "CSQLite"], path: "Checks/Worker/Storm"),
  ]
#endif

targets += [
  .target(name: "TestSupport", dependencies: everything, path: "Tests/Support", swiftSettings: settings),
  tests("PushCoreTests", everything),
  tests("PushCryptoTests", ["PushCrypto"], resources: [.copy("Vectors")]),
  tests("PushFilesTests", ["PushFiles"]),
  tests("PushKeysTests", everything),
  tests("PushAttachmentsTests", everything),
  tests("PushSealerTests", everything),
  tests("PushReceiverTests", everything),
  tests("PushCompatTests", everything),
  tests("SealedPushTests", phone),
  tests("SealedPushExtensionTests", phone),
  tests("PushTestingTests", phone),
  tests("PitfallTests", phone, path: "Tests/Pitfalls"),
  tests("ConformanceTests", everything, path: "Tests/Conformance"),
  program("differential", everything, path: "Checks/Independent/Differential"),
]

targets +=
  fuzzing
  ? [
    .target(
      name: "Harnesses", dependencies: harnesses, path: "Checks/Fuzzing/Harnesses", swiftSettings: settings),
    program("fuzz", ["Harnesses"], path: "Checks/Fuzzing/Program"),
  ]
  : [
    tests(
      "FuzzingTests", harnesses, path: "Checks/Fuzzing",
      exclude: ["Corpus", "Program", "README.md", "fuzz.sh", "seeds.py", "words.dict"])
  ]

let package = Package(
  name: "SealedPush",
  platforms: [.iOS(.v17), .macOS(.v14), .macCatalyst(.v17), .visionOS(.v1)],
  products: products,
  traits: [
    .trait(
      name: "Sodium",
      description:
        "On a Mac: passphrases, sealed boxes, Zulip and Home Assistant, with libsodium from Homebrew.")
  ],
  targets: targets
)
