// A comparison in a test that cannot be compiled.
import Testing

@Test func number() { #expect(1 == "1") }
