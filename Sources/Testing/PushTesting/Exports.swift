// One import gives a test all that it needs of both sides. The exports of `SealedPush` say why. The phone: a module of
// its own, so that the stand-in for APNs needs no sealer.
@_exported public import PushHost
@_exported public import PushSealer
// What a phone shows, without Apple's classes: a module of its own, so that the tool links no Foundation.
@_exported public import PushSimulation
@_exported public import SealedPush
