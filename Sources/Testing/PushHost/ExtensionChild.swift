#if !canImport(Darwin)
  private import Foundation
  private import Locks

  /// An extension in its own process, with iOS's memory limit.
  ///
  /// The program reads one payload per line, and answers each with one line. After each answer, while the process waits
  /// for the next payload, its memory use is measured.
  package final class ExtensionChild: Sendable {
    /// An extension's memory limit, in bytes: 24 MB, as developers report it; Apple does not document it.
    package static let memoryLimit = 24_000_000

    /// How much memory a process uses, in bytes.
    package struct Memory: Equatable, Sendable {
      /// The peak resident size, including pages of programs and libraries.
      package let peakResident: Int
      /// The peak resident size without pages of files, which is what iOS limits.
      package let peakFootprint: Int
      /// The memory that the process has written to and shares with no other process now.
      package let privateDirty: Int
    }

    /// Why a program did not answer.
    package enum Failure: Error, Equatable, Sendable {
      /// The program could not be started.
      case notStarted
      /// The program ended, or closed its output, without an answer.
      case noAnswer
      /// The program exceeded its memory limit and was killed; iOS would show the original notification.
      case killed(Memory)
    }

    private struct Child: @unchecked Sendable {
      let process = Process()
      let input = Pipe()
      let output = Pipe()
      var buffer = Data()
    }

    private let child: Mutex<Child>
    private let limit: Int

    /// Starts a program.
    ///
    /// - Throws: ``Failure/notStarted``.
    package init(
      executable: String, arguments: [String] = [], memoryLimit: Int = memoryLimit
    ) throws(Failure) {
      let child = Child()
      child.process.executableURL = URL(fileURLWithPath: executable)
      child.process.arguments = arguments
      child.process.standardInput = child.input
      child.process.standardOutput = child.output
      do { try child.process.run() } catch { throw .notStarted }
      self.child = Mutex(child)
      limit = memoryLimit
    }

    deinit {
      child.withLock { child in
        try? child.input.fileHandleForWriting.close()
        child.process.waitUntilExit()
      }
    }

    /// Sends a payload, and returns the answer.
    ///
    /// - Throws: ``Failure``.
    package func deliver(_ payload: [UInt8]) throws(Failure) -> String {
      try child.withLock { child throws(Failure) in
        guard (try? child.input.fileHandleForWriting.write(contentsOf: Data(payload + [0x0a]))) != nil,
          let answer = Self.line(of: &child)
        else { throw .noAnswer }
        let memory = Memory(of: child.process.processIdentifier)
        guard memory.peakFootprint <= limit else {
          child.process.terminate()
          throw .killed(memory)
        }
        return answer
      }
    }

    /// The program's memory use so far.
    package var memory: Memory { child.withLock { Memory(of: $0.process.processIdentifier) } }

    private static func line(of child: inout Child) -> String? {
      while true {
        if let end = child.buffer.firstIndex(of: 0x0a) {
          defer { child.buffer = Data(child.buffer[(end + 1)...]) }
          return String(decoding: child.buffer[..<end], as: UTF8.self)
        }
        let more = child.output.fileHandleForReading.availableData
        guard !more.isEmpty else { return nil }
        child.buffer += more
      }
    }
  }

  extension ExtensionChild.Failure: CustomStringConvertible {
    /// Why there is no answer.
    package var description: String {
      switch self {
      case .notStarted: "the program could not be started"
      case .noAnswer: "the program ended, or closed its output, without an answer"
      case .killed(let memory):
        "the program was killed: its memory grew to \(memory.peakFootprint) bytes, over its limit"
      }
    }
  }

  extension ExtensionChild.Memory {
    fileprivate init(of process: Int32) {
      peakResident = Self.bytes(after: "VmHWM:", in: "/proc/\(process)/status")
      // Pages of files are hardly ever given back, so there are as many now as at the peak.
      peakFootprint = peakResident - Self.bytes(after: "RssFile:", in: "/proc/\(process)/status")
      privateDirty = Self.bytes(after: "Private_Dirty:", in: "/proc/\(process)/smaps_rollup")
    }

    private static func bytes(after label: String, in path: String) -> Int {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
      return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
    }
  }
#endif
