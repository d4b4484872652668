// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations that Swift's own module Intents adds.
@_exported public import Intents

// https://developer.apple.com/documentation/intents/inintent: setImage(_:forParameterNamed:)
public protocol _INIntentSetImageKeyPath {}

extension INIntent: _INIntentSetImageKeyPath {}

extension _INIntentSetImageKeyPath {
  public func setImage<Parameter>(
    _ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Parameter>
  ) {}
}
