// What every format of this module throws and conforms to: a user of this module needs no other import for it.
@_exported public import protocol PushPayload.EnvelopeFormat
@_exported public import enum PushPayload.EnvelopeFormatError
@_exported public import struct PushPayload.PlaintextReading
