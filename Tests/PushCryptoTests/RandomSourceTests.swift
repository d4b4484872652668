import Foundation
import Locks
import PushCrypto
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The system's random source, as far as a test can tell.
struct RandomSourceTests {
  @Test(arguments: [SecretMemory.heap, .guarded]) func `secrets have the length and differ`(
    kind: SecretMemory
  ) {
    var seen: Set<[UInt8]> = []
    for _ in 0..<64 {
      let secret = SystemRandom().secret(count: 32, in: kind)
      #expect(secret.count == 32)
      seen.insert(exposed(secret))
    }
    #expect(seen.count == 64)
  }

  @Test func `the last byte is random too`() {
    let lastBytes = (0..<256).map { _ in exposed(SystemRandom().secret(count: 33))[32] }
    #expect(Set(lastBytes).count > 64)
  }

  @Test func `threads that begin at once draw bytes of their own`() async {
    await #expect(processExitsWith: .success) {
      let seen = Mutex<Set<[UInt8]>>([])
      DispatchQueue.concurrentPerform(iterations: 64) { _ in
        let bytes = exposed(SystemRandom().secret(count: 32))
        seen.withLock { _ = $0.insert(bytes) }
      }
      #expect(seen.withLock { $0.count } == 64)
    }
  }

  #if canImport(Glibc)
    @Test func `a forked process draws bytes of its own`() async {
      await #expect(processExitsWith: .success) {
        // Swift hides fork(2), because little but system calls is safe after it.
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafe unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        var seen: Set = [exposed(SystemRandom().secret(count: 32))]
        if fork() == 0 {
          alarm(20)
          let bytes = exposed(SystemRandom().secret(count: 32))
          unsafe write(ends[1], bytes, bytes.count)
          _exit(0)
        }
        seen.insert(exposed(SystemRandom().secret(count: 32)))
        var bytes = [UInt8](repeating: 0, count: 32)
        close(ends[1])
        #expect(unsafe read(ends[0], &bytes, bytes.count) == bytes.count)
        seen.insert(bytes)
        #expect(seen.count == 3)
      }
    }
  #endif

  @Test func `no bytes can be asked for`() {
    #expect(exposed(SystemRandom().secret(count: 0)) == [])
  }
}
