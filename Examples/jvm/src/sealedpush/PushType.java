package sealedpush;

/** The push types of section 1, each with the content type that it carries. */
public enum PushType {
  ALERT(1), BACKGROUND(2), VOIP(3), LIVE_ACTIVITY(4), COMPLICATION(5), PUSH_TO_TALK(6), FCM(1), FCM_DATA(2);

  static final int PROOF_REQUEST = 7;

  final int contentType;

  PushType(int contentType) { this.contentType = contentType; }
}
