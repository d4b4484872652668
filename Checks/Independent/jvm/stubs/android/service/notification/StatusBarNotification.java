package android.service.notification;

public class StatusBarNotification {
  public String getTag() { return null; }
}
