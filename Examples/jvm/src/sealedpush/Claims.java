package sealedpush;

/** The values of the table in section 11. */
final class Claims {
  private Claims() {}

  private static final String SUFFIX = "voip|voip-ptt|complication|pushkit\\.fileprovider|location-query|"
      + "push-type\\.(liveactivity|widgets|controls)";

  static boolean isTopic(String text) {
    return text != null && text.matches("[A-Za-z0-9.-]{1,255}|[A-Za-z0-9._]{1,255}")
        && !text.matches(".*\\.(" + SUFFIX + ")");
  }

  /** The topic of a device on Android. */
  static boolean isApplicationID(String text) { return isTopic(text) && !text.contains("-"); }

  /** FCM's registration token. */
  static boolean isToken(String text) { return text != null && text.matches("[A-Za-z0-9_:-]{1,1024}"); }

  static boolean isAudience(String text) {
    if (text == null || text.isEmpty() || Bytes.utf8(text).length > 255) return false;
    return text.chars().noneMatch(unit -> unit < 0x20 || (unit >= 0x7f && unit <= 0x9f));
  }

  static boolean isProof(String text) {
    return text != null && text.length() >= 22 && text.length() <= 255 && Bytes.fromBase64url(text) != null;
  }
}
