// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "LunchBackend",
  products: [.library(name: "LunchBackend", targets: ["LunchBackend"])],
  dependencies: [.package(name: "SealedPush", path: "../..")],
  targets: [
    .target(
      name: "LunchBackend",
      dependencies: [
        .product(name: "PushDelivery", package: "SealedPush"),
        .product(name: "PushStore", package: "SealedPush"),
        .product(name: "PushWorker", package: "SealedPush"),
      ]),
    .testTarget(
      name: "LunchBackendTests",
      dependencies: [
        "LunchBackend", .product(name: "PushStandIn", package: "SealedPush"),
        .product(name: "PushTesting", package: "SealedPush"),
      ]),
  ])
