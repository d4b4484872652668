package sealedpush;

/** The push types of section 1, each with the content type that it carries. */
public enum PushType {
  ALERT(1, "alert"), BACKGROUND(2, "background"), VOIP(3, "voip"), LIVE_ACTIVITY(4, "liveactivity"),
  COMPLICATION(5, "complication"), PUSH_TO_TALK(6, "pushtotalk"), FCM(1, "fcm"), FCM_DATA(2, "fcm-data");

  static final int PROOF_REQUEST = 7;

  final int contentType;
  public final String text;

  PushType(int contentType, String text) {
    this.contentType = contentType;
    this.text = text;
  }

  /** The type with this name, or null. */
  public static PushType named(String text) {
    for (PushType type : values()) if (type.text.equals(text)) return type;
    return null;
  }
}
