import Foundation
import PushCrypto
import Testing

/// Guarded memory ends the process that leaves it or writes to it.
struct GuardedMemoryTests {
  @Test(arguments: [1, 32, 64, 4096]) func `its last byte can be read`(count: Int) {
    let secret = Secret(copying: [UInt8](repeating: 7, count: count).span, in: .guarded)
    #expect(exposed(secret).last == 7)
  }

  @Test func `reading it is no crash`() async {
    await #expect(processExitsWith: .success) {
      let secret = Secret(copying: [UInt8](repeating: 7, count: 32).span, in: .guarded)
      unsafe touch(secret.exposedBytes) { start in unsafe start[31] == 7 }
    }
  }

  @Test func `reading one byte past its end is a crash`() async {
    await #expect(processExitsWith: segmentationFault) {
      let secret = Secret(copying: [UInt8](repeating: 7, count: 32).span, in: .guarded)
      unsafe touch(secret.exposedBytes) { start in unsafe start[32] == 7 }
    }
  }

  @Test func `writing to it is a crash`() async {
    await #expect(processExitsWith: segmentationFault) {
      let secret = Secret(copying: [UInt8](repeating: 7, count: 32).span, in: .guarded)
      unsafe touch(secret.exposedBytes) { start in
        unsafe UnsafeMutablePointer(mutating: start)[0] = 8
        return true
      }
    }
  }

  @Test func `writing to the heap is none`() async {
    await #expect(processExitsWith: .success) {
      let secret = Secret(copying: [UInt8](repeating: 7, count: 32).span, in: .heap)
      unsafe touch(secret.exposedBytes) { start in
        unsafe UnsafeMutablePointer(mutating: start)[0] = 8
        return true
      }
    }
  }

  @Test func `many can come and go`() {
    for round in 0..<200 {
      let secret = Secret(copying: [UInt8(round)].span, in: .guarded)
      #expect(exposed(secret) == [UInt8(round)])
    }
  }
}

/// How a process ends after a forbidden memory access.
///
/// AddressSanitizer catches the signal and exits by itself; Darwin sends SIGBUS for pages that are mapped.
private var segmentationFault: ExitTest.Condition {
  #if canImport(Darwin)
    .failure
  #else
    unsafe dlsym(nil, "__asan_init") == nil ? .signal(SIGSEGV) : .failure
  #endif
}

/// Calls `access` with the address of `bytes`, in a way that the optimizer cannot leave out.
@inline(never)
private func touch(_ bytes: Span<UInt8>, _ access: (UnsafePointer<UInt8>) -> Bool) {
  let isAsExpected = unsafe bytes.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return false }
    return unsafe access(start)
  }
  if !isAsExpected { exit(2) }
}
