// Every format of this module throws and conforms to these: a user of this module needs no other import for them.
@_exported public import protocol PushCore.EnvelopeFormat
@_exported public import enum PushCore.EnvelopeFormatError
@_exported public import struct PushCore.PlaintextReading
