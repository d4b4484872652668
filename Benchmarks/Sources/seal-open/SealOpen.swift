import Glibc
import PushCore
import PushKeys
import Scenes

/// Prints how many messages are sealed and opened in a second, beside the bare primitives and libsodium's sealed
/// box, what all cores add, and where the rest of the time goes.
@main
enum SealOpen {
  static func main() async throws {
    guard let time = time(CommandLine.arguments.dropFirst()) else {
      complain("usage: seal-open [seconds for each line, default 8]\n")
      exit(64)
    }
    let scenes = try Scene.all()
    print(SpeedTable.head)
    var sealing: [Finding] = []
    for scene in scenes {
      let finding = try await Comparison.seal(scene).run(for: time)
      sealing.append(finding)
      print(SpeedTable.row(finding))
    }
    var opening: [Finding] = []
    for scene in scenes {
      let finding = try await Comparison.open(scene).run(for: time)
      opening.append(finding)
      print(SpeedTable.row(finding))
    }
    print("\n\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores; \(Scene.lanes)\n\n\(CoresTable.head)")
    for finding in sealing { print(CoresTable.row(finding)) }
    print("\n\(KeysTable.head)")
    for suite in Suite.available where suite != .sharedChaChaPoly {
      print(KeysTable.row(try await Comparison.makeKey(suite).run(for: time)))
    }
    print("\n\(PartsTable.head)")
    for (scene, finding) in zip(scenes, sealing) {
      print(PartsTable.row(finding, try AllocationCount { blackHole(try scene.seal()) }))
    }
    for (scene, finding) in zip(scenes, opening) {
      print(PartsTable.row(finding, try Comparison.allocationsOfOpening(scene)))
    }
  }

  private static func time(_ arguments: ArraySlice<String>) -> Duration? {
    guard let argument = arguments.first else { return .seconds(8) }
    guard arguments.count == 1, let seconds = Double(argument), (0...3600).contains(seconds) else {
      return nil
    }
    return .seconds(seconds)
  }

  private static func complain(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
