// One import gives a backend all that it needs of this package. The exports of `SealedPush` say why.
@_exported public import PushAttachments
@_exported public import PushCore
@_exported public import PushEnrolment
@_exported public import PushKeys
