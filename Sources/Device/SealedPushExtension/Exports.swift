// All that a notification service extension needs of this package, with one import. `SealedPush` says why it is done so.
@_exported import SealedPush
