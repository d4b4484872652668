package android.app;

public final class NotificationChannel {
  public NotificationChannel(String id, CharSequence name, int importance) {}
  public void setBypassDnd(boolean bypass) {}
  public void setSound(android.net.Uri sound, android.media.AudioAttributes attributes) {}
}
