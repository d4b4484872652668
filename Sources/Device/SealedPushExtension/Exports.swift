// One import gives a notification service extension all that it needs of this package. The exports of `SealedPush` say
// why.
@_exported import SealedPush
