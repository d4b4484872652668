import Foundation
import TestSupport
import Testing

@Suite("A store whose devices are sealed", .hangGuard)
struct RowKeyScenarios {
  private static func attack(_ scene: WorkScene, _ sql: String) async throws {
    let code = """
      import sqlite3
      store = sqlite3.connect("push.sqlite")
      with store:
          store.execute("\(sql)")
      """
    let run = try await scene.tool.execute(["python3", "-c", code])
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test("delivers nothing to a device that somebody has written into the table")
  func attacked() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let made = try await scene.tool.daemon("store key --out row.key")
    #expect(made.status == 0 && made.output.isEmpty)
    #expect(try scene.tool.mode(of: "row.key") == 0o600)
    let text = String(decoding: try scene.tool.contents("row.key").dropLast(), as: UTF8.self)
    #expect(text.count == 43 && !made.errors.contains(text))
    #expect(try await scene.tool.daemon("store key --out row.key").status == 73)
    #expect(try await scene.tool.daemon("store key --out -").status == 64)
    #expect(try await scene.daemon("store seal --row-key row.key").text == "1 sealed, 0 unchanged, 0 left\n")
    #expect(
      try await scene.daemon("store seal --row-key row.key --json").text
        == #"{"sealed":0,"unchanged":1,"left":0}"# + "\n")

    // Who has the key goes on as before, and who has not is told.
    try await scene.enqueue(["Lunch?"])
    #expect(try await scene.workOnce("--row-key row.key").status == 0)
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.enqueue(["Lunch?"])
    let without = try await scene.workOnce()
    #expect(without.status == 77 && without.errors.contains("--row-key FILE names it"), "\(without.errors)")
    #expect(try await scene.daemon("devices --row-key row.key").lines.count == 2)
    #expect(try await scene.daemon("devices", status: 77).errors.contains("their row key is needed"))
    #expect(try await scene.workOnce("--row-key row.key").status == 0)
    try await scene.tool.succeed("keys new --role device --out other.jwks")
    try scene.tool.setMode(0o644, of: "row.key")
    #expect(try await scene.daemon("devices --row-key row.key", status: 77).errors.contains("chmod 600"))
    try scene.tool.setMode(0o600, of: "row.key")
    #expect(
      try await scene.daemon("devices --row-key other.jwks", status: 65).errors.contains("is not a row key"))
    try #require(try await scene.tool.daemon("store key --out other.key").status == 0)
    let other = try await scene.daemon("devices --row-key other.key", status: 77)
    #expect(other.errors.contains("sealed with another row key"))

    #expect(try await scene.daemon("store check --row-key row.key").text.contains("\nwrong devices: 0\n"))
    try await Self.attack(scene, "UPDATE device SET proof = 7")
    try await scene.enqueue(["Lunch?"])
    let attacked = try await scene.workOnce("--row-key row.key")
    #expect(attacked.errors.contains("a row of its person's devices is damaged"), "\(attacked.errors)")
    let check = try await scene.daemon("store check --row-key row.key", status: 65)
    #expect(check.errors.contains("error: 'ada-1': it is not as it was sealed"))
    // Without the key, only what follows from the signatures is found.
    let blind = try await scene.daemon("store check")
    #expect(blind.text.contains("\nwrong devices: 0\n") && blind.errors.contains("give --row-key to verify"))
    try await Self.attack(scene, "UPDATE device SET person = 'eve'")
    let found = try await scene.daemon("store check", status: 65)
    #expect(found.errors.contains("error: 'ada-1': the column person does not follow from its registration"))
    #expect(
      try await scene.daemon("store seal --row-key row.key", status: 65).text
        == "0 sealed, 0 unchanged, 1 left\n")
    #expect(try await scene.daemon("devices remove ada-1").text == "1 removed\n")
    #expect(try await scene.daemon("store check --row-key row.key").text.contains("\nwrong devices: 0\n"))
    try await scene.end()
  }
}
