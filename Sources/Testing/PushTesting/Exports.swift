// All that a test needs of both sides, with one import. `SealedPush` says why it is done so.
// The phone: a module of its own, so that the stand-in for APNs needs no sealer.
@_exported public import PushHost
@_exported public import PushSealer
// What a phone shows, without Apple's classes: a module of its own, so that the tool links no Foundation.
@_exported public import PushSimulation
@_exported public import SealedPush
