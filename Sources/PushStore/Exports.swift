// All that a backend needs of this package, with one import. `SealedPush` says why it is done so.
@_exported public import PushSealer
