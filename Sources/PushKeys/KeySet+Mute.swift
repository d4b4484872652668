extension KeySet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whose keys, and how many.
  public var description: String { "KeySet(\(role), keys: \(keys.count))" }

  /// Whose keys, and how many.
  public var debugDescription: String { description }

  /// What may be shown of the keys.
  public var customMirror: Mirror {
    Mirror(self, children: ["role": role, "records": records], displayStyle: .struct)
  }
}

extension StoredSecret: CustomReflectable {
  /// Nothing.
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension StoredKey: CustomReflectable {
  /// What may be shown of the key.
  var customMirror: Mirror { Mirror(self, children: ["record": record]) }
}

extension DeviceKey: CustomReflectable {
  /// The suite and the thumbprint.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite, "thumbprint": thumbprint]) }
}

extension Recipient: CustomReflectable {
  /// The suite and the thumbprint.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite, "thumbprint": thumbprint]) }
}

extension SigningKey: CustomReflectable {
  /// The public key.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
