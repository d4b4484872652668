import Foundation
import PushCore
import PushReceiver
import TestSupport
import Testing

/// A fleet moves from another system's envelopes to this package's, as Documentation/Guides/Migration.md says.
@Suite("A fleet that moves", .hangGuard)
struct MigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 110 days of 12 phones.
  private func lived(_ plan: Migration.Plan) async throws -> Migration {
    var migration = try Migration(plan, phones: 12, seed: 1, folder: folder.path)
    for day in 0..<110 as Range<Int64> { try await migration.live(day) }
    return migration
  }

  @Test func nothingIsLostIfTheWindowOutlivesThePushesOnTheWay() async throws {
    let migration = try await lived(.init(lastOldPush: 70, windowEnd: 100, lastUpdate: 60))
    let tally = migration.tally
    #expect(tally.lost.isEmpty && tally.withoutKey == 0)
    #expect(tally.sealedOld > 200 && tally.sealedNew > 200)
    let held = migration.phones.reduce(0) { $0 + $1.held.count }
    #expect(tally.opened == tally.sealedOld + tally.sealedNew - held)
  }

  @Test func theLogsCountWhatWasOpenedInEach() async throws {
    var migration = try Migration(
      .init(lastOldPush: 70, windowEnd: 100, lastUpdate: 60), phones: 12, seed: 2, folder: folder.path)
    for day in 0..<110 as Range<Int64> { try await migration.live(day) }
    let logs = migration.phones.compactMap { try? $0.log.read() }
    let old = logs.flatMap(\.formats)
    #expect(!old.isEmpty)
    #expect(old.allSatisfy { $0.name == "openssl-salted" && $0.failed == 0 && $0.expired == 0 })
    // Each was last seen before the window's end, so that it may end.
    #expect(old.allSatisfy { $0.time < firstDay.advanced(by: .seconds(100 * oneDay)) })
    let new = logs.reduce(0) { $0 + ($1.lastOpened?.count ?? 0) }
    let held = migration.phones.reduce(0) { $0 + $1.held.count }
    #expect(new == migration.tally.sealedNew - held)
  }

  @Test func aWindowThatEndsWithTheLastOldPushLosesWhatIsOnTheWayAndSaysSo() async throws {
    var migration = try Migration(
      .init(lastOldPush: 61, windowEnd: 61, lastUpdate: 60), phones: 12, seed: 3, folder: folder.path)
    for day in 0..<110 as Range<Int64> { try await migration.live(day) }
    let over = migration.phones.compactMap { try? $0.log.read() }.flatMap(\.formats).reduce(0) {
      $0 + $1.expired
    }
    let lost = migration.tally.lost.values.reduce(0, +)
    #expect(lost > 0)
    #expect(over == lost)
  }

  @Test func aBackendThatStopsBeforeThePhonesAreUpdatedHasNothingToSealTo() async throws {
    let migration = try await lived(.init(lastOldPush: 20, windowEnd: 50, lastUpdate: 60))
    #expect(migration.tally.withoutKey > 0)
  }
}
