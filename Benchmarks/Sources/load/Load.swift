import Dispatch
import Footprint
import Glibc

/// Seals and opens at full speed on all cores, and prints what it does to the process's memory and descriptors.
@main
enum Load {
  /// The number of tasks that share a sealer and a receiver.
  static let tasks = 64

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count <= 2, let seconds = Int(arguments.first ?? "600"), seconds >= 600 else { usage() }
    guard let stores = Stores(rawValue: arguments.dropFirst().first ?? "memory") else { usage() }

    var template = Array("/tmp/load.XXXXXX".utf8CString)
    let folder = String(cString: mkdtemp(&template))
    let traffic = Traffic(between: try Parties(stores, in: folder))
    // The first message opens what stays open.
    begin { await traffic.send(0, 0) }.wait()
    let descriptors = Footprint.descriptors
    let end = begin { await traffic.run(tasks: tasks) }
    let samples = watch(traffic, for: seconds)
    traffic.stop()
    end.wait()
    let moreDescriptors = Footprint.descriptors - descriptors
    for name in ["device.jwks", "replay", "log"] { unlink("\(folder)/\(name)") }
    rmdir(folder)

    let report = Report(samples, moreDescriptors: moreDescriptors, traffic.tally)
    print(report)
    exit(report.isSound ? 0 : 1)
  }

  /// A sample for each hundredth of the time, and a row for each tenth of them.
  private static func watch(_ traffic: Traffic, for seconds: Int) -> [Sample] {
    print(Sample.heading)
    let start = ContinuousClock.now
    return (1...100).map { index in
      let next = start + .seconds(seconds) * index / 100
      usleep(UInt32(max(0, (next - .now) / .microseconds(1))))
      let sample = Sample(after: (.now - start) / .seconds(1), messages: traffic.tally.messages)
      if index % 10 == 0 { print(sample) }
      fflush(nil)
      return sample
    }
  }

  /// Begins some work, whose end can be waited for.
  private static func begin(_ work: @escaping @Sendable () async -> Void) -> DispatchSemaphore {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      await work()
      end.signal()
    }
    return end
  }

  private static func usage() -> Never {
    print("usage: load [SECONDS (600 or more) [memory|files]]")
    exit(64)
  }
}
