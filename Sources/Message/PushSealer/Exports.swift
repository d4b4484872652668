// All that a backend needs of this package, with one import. `SealedPush` says why it is done so.
@_exported public import PushAttachments
@_exported public import PushCore
@_exported public import PushEnrolment
@_exported public import PushKeys
