import PushKeys
import Testing

/// The text of a key set with one fault, and what is said of it.
struct KeySetFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let error: KeySetError

  init(_ name: String, _ text: String, _ error: KeySetError) {
    testDescription = name
    self.text = text
    self.error = error
  }
}
