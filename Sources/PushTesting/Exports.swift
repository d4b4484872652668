// All that a test needs of both sides, with one import. `SealedPush` says why it is done so.
@_exported public import PushExtension
@_exported public import PushReceiver
@_exported public import PushSealer
// What a phone shows, without Apple's classes: a module of its own, so that the tool links no Foundation.
@_exported public import PushSimulation
