import PushEnvelope
import PushSealer

extension SealingPolicy {
  /// The policy that the options say.
  init(_ arguments: Arguments) throws(ToolError) {
    self.init(envelopeKey: try arguments.envelopeKey())
    if let title = arguments["--title"] { placeholderTitle = title }
    if let name = arguments["--padding"] {
      guard let padding = Padding(rawValue: name) else {
        throw .usage("--padding is buckets, maximum or none")
      }
      self.padding = padding
    }
    if let name = arguments["--push-type"] {
      guard let pushType = PushType(rawValue: name) else {
        throw .usage("--push-type is alert, background or voip")
      }
      self.pushType = pushType
    }
  }
}
