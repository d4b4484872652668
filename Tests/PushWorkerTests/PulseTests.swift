import PushCore
import PushTesting
import PushWorker
import Testing

@Suite("A program's pulse") struct PulseTests {
  @Test("is missed only when no task has run for too long, and is there again with the next beat")
  func silence() {
    let clock = ManualClock(.now)
    let pulse = Pulse(patience: .seconds(30), clock: clock)
    clock.advance(by: .seconds(30))
    #expect(pulse.silence == nil)
    clock.advance(by: .seconds(1))
    #expect(pulse.silence == .seconds(31))
    pulse.beat()
    #expect(pulse.silence == nil)
    clock.advance(by: .seconds(30))
    #expect(pulse.silence == nil)
  }
}
