package sealedpush;

/** The account tag of section 6. */
public final class Account {
  private Account() {}

  /**
   * The tag of a person on a device. The backend computes it; an app keeps what the backend said.
   *
   * @param identity T of the device's identity, 32 bytes
   */
  public static String tag(byte[] identity, String person) {
    byte[] digest = Bytes.sha256(Bytes.ascii("sealed-push v1 account"), new byte[1], identity, Bytes.utf8(person));
    return Bytes.base64url(Bytes.slice(digest, 0, 16));
  }
}
