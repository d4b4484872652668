#if os(Linux)
  import Glibc

  /// A secret of 32 bytes that a test can search for without holding it: half of its bits are inverted.
  struct MaskedSecret: Sendable {
    private static let mask: UInt8 = 0x5a

    private let masked: [UInt8]

    /// Masks bytes, which the caller must wipe.
    init(_ bytes: Span<UInt8>) {
      var masked = [UInt8](repeating: 0, count: bytes.count)
      for index in bytes.indices { masked[index] = bytes[index] ^ Self.mask }
      self.masked = masked
    }

    /// Whether half of the secret is in the process's memory, forwards or, as in numbers, backwards.
    func isInMemory() -> Bool { !mappings().isEmpty }

    /// Where half of the secret is in the process's memory, forwards or, as in numbers, backwards.
    func mappings() -> [MemoryMapping] {
      let halves = [Array(masked.prefix(16)), Array(masked.suffix(16))]
      let memory = ProcessMemory()
      return (halves + halves.map { $0.reversed() }).flatMap {
        memory.mappings(with: $0, maskedWith: Self.mask)
      }
    }
  }

  /// A mapping of a process's memory, with the same permissions throughout.
  struct MemoryMapping {
    let addresses: Range<Int>

    /// Whether the process can write to it.
    let isWritable: Bool

    /// The system's flags, such as `lo`: locked into memory, and `dd`: left out of core dumps (proc_pid_smaps(5)).
    fileprivate(set) var flags: Set<String> = []
  }

  /// This process's memory, without unchanged contents of files.
  @safe
  private struct ProcessMemory: ~Copyable {
    private static let chunkSize = 1 << 20
    /// A larger mapping is a sanitizer's table.
    private static let largestMapping = 1 << 32

    private let file: Int32
    private let all: [MemoryMapping]
    /// The search's own buffer: a piece of the memory, followed by the bytes to find.
    ///
    /// Finds in here do not count.
    private let own: UnsafeMutableRawBufferPointer

    init() {
      file = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
      unsafe own = .allocate(byteCount: Self.chunkSize + 16, alignment: 16)
      all = Self.mappings()
      precondition(file >= 0 && !all.isEmpty, "a process may read its own memory")
    }

    deinit {
      close(file)
      unsafe own.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe own.deallocate()
    }

    /// The mappings that contain the bytes, which are given masked.
    func mappings(with masked: [UInt8], maskedWith mask: UInt8) -> [MemoryMapping] {
      for (index, byte) in masked.enumerated() { unsafe own[Self.chunkSize + index] = byte ^ mask }
      return all.filter { mapping in
        let (start, end) = (mapping.addresses.lowerBound, mapping.addresses.upperBound)
        // Chunks overlap, so that no find is split between two.
        return stride(from: start, to: end, by: Self.chunkSize - masked.count).contains {
          isFound(masked.count, in: $0..<min($0 + Self.chunkSize, end))
        }
      }
    }

    private func isFound(_ size: Int, in range: Range<Int>) -> Bool {
      guard let start = unsafe own.baseAddress else { return false }
      let count = unsafe pread(file, start, range.count, range.lowerBound)
      let ours = unsafe Int(bitPattern: start)..<Int(bitPattern: start) + own.count
      let (wanted, first) = unsafe (start + Self.chunkSize, Int32(own[Self.chunkSize]))
      var place = 0
      while place + size <= count, let found = unsafe memchr(start + place, first, count - size - place + 1) {
        place = unsafe found - start
        let isSame = unsafe memcmp(found, wanted, size) == 0
        if isSame && !ours.contains(range.lowerBound + place) { return true }
        place += 1
      }
      return false
    }

    /// The writable mappings, and those without a file.
    private static func mappings() -> [MemoryMapping] {
      var text: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let file = unsafe open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      while case let count = unsafe read(file, &piece, piece.count), count > 0 { text += piece.prefix(count) }
      // A line for each mapping, and lines about it, the last of which has its flags.
      var (mappings, mapping) = ([MemoryMapping](), MemoryMapping?.none)
      for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        if words[0] == "VmFlags:" {
          mapping?.flags = Set(line.split(separator: " ").dropFirst().map(String.init))
          if let mapping { mappings.append(mapping) }
        } else if !words[0].hasSuffix(":") {
          mapping = Self.mapping(words)
        }
      }
      return mappings
    }

    private static func mapping(_ words: [Substring]) -> MemoryMapping? {
      let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      let name = words.count > 5 ? words[5].trimmingPrefix(" ") : ""
      guard words[1].hasPrefix("rw") || words[1].hasPrefix("r") && name.isEmpty, !name.hasPrefix("[v"),
        bounds.count == 2, bounds[1] - bounds[0] <= largestMapping
      else { return nil }
      return MemoryMapping(addresses: bounds[0]..<bounds[1], isWritable: words[1].hasPrefix("rw"))
    }
  }
#endif
