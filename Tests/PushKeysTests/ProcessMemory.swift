#if os(Linux)
  import Glibc

  /// A secret of 32 bytes that a test knows and does not hold: half of its bits are turned over.
  struct MaskedSecret: Sendable {
    private static let mask: UInt8 = 0x5a

    private let masked: [UInt8]

    /// Masks bytes, which are the caller's to wipe.
    init(_ bytes: Span<UInt8>) {
      var masked = [UInt8](repeating: 0, count: bytes.count)
      for index in bytes.indices { masked[index] = bytes[index] ^ Self.mask }
      self.masked = masked
    }

    /// Whether half of it stands anywhere in the process's memory, forwards or, as numbers may, backwards.
    func isInMemory() -> Bool {
      let halves = [Array(masked.prefix(16)), Array(masked.suffix(16))]
      let memory = ProcessMemory()
      return (halves + halves.map { $0.reversed() }).contains { memory.has($0, maskedWith: Self.mask) }
    }
  }

  /// What this process has in memory that is as it is in no file.
  @safe
  private struct ProcessMemory: ~Copyable {
    private static let chunkSize = 1 << 20
    /// A larger mapping is a sanitizer's table.
    private static let largestMapping = 1 << 32

    private let file: Int32
    private let mappings: [Range<Int>]
    /// A piece of the memory, and what is looked for behind it: finds in here are of the search itself.
    private let own: UnsafeMutableRawBufferPointer

    init() {
      file = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
      unsafe own = .allocate(byteCount: Self.chunkSize + 16, alignment: 16)
      mappings = Self.mappings()
      precondition(file >= 0 && !mappings.isEmpty, "a process may read its own memory")
    }

    deinit {
      close(file)
      unsafe own.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe own.deallocate()
    }

    /// Whether bytes that are masked here stand anywhere.
    func has(_ masked: [UInt8], maskedWith mask: UInt8) -> Bool {
      for (index, byte) in masked.enumerated() { unsafe own[Self.chunkSize + index] = byte ^ mask }
      return mappings.contains { mapping in
        // Chunks overlap, so that nothing stands across their bounds.
        stride(from: mapping.lowerBound, to: mapping.upperBound, by: Self.chunkSize - masked.count).contains {
          isFound(masked.count, in: $0..<min($0 + Self.chunkSize, mapping.upperBound))
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

    /// Those that can be written, and those that are of no file.
    private static func mappings() -> [Range<Int>] {
      var text: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let file = unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      while case let count = unsafe read(file, &piece, piece.count), count > 0 { text += piece.prefix(count) }
      return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
        let name = words.count > 5 ? words[5].trimmingPrefix(" ") : ""
        guard words[1].hasPrefix("rw") || words[1].hasPrefix("r") && name.isEmpty, !name.hasPrefix("[v"),
          bounds.count == 2, bounds[1] - bounds[0] <= largestMapping
        else { return nil }
        return bounds[0]..<bounds[1]
      }
    }
  }
#endif
